import { isIP } from "node:net";
import { z } from "zod";
import type { Egress } from "../../infrastructure/api/media-api.ts";
import { list } from "./kinds.ts";

/** As many as somebody looks through. */
const MOST = 100;

const LINK_LOCAL = /^fe[89ab][0-9a-f]:/i;

const NAME = /^[\w.-]{1,64}$/;

const WANTED =
  "names of letters, digits, dots and dashes, separated by commas, each alone or with the address that it stands for: NAME=LOCAL-IP-ADDRESS, or NAME=http://USER:PASSWORD@PROXY:PORT";

/** A list of addresses that requests to the service leave by. */
export const egressList = z.string().superRefine((text, context) => {
  const entries = list.parse(text);
  const all = egressesIn(text);
  const mistake = all.length < Math.max(1, entries.length) ? WANTED : mistakeIn(all);
  if (mistake !== undefined) context.addIssue({ code: "custom", message: mistake });
});

/** The addresses of such a list: at least one. */
export const egressesIn = (text: string): readonly Egress[] =>
  list
    .parse(text)
    .map(egressIn)
    .filter((egress) => egress !== undefined);

/** What a proxy's address holds that opens it. */
export function secretOf({ address = "" }: Egress): string | undefined {
  const { password, username } = URL.parse(address) ?? { password: "", username: "" };
  const secret = decodeURIComponent(password || username);
  return secret === "" ? undefined : secret;
}

/** An address as it may be shown to whoever runs Reelay. */
export function shown({ name, address }: Egress): string {
  if (address === undefined) return name;
  return `${name} (${isIP(address) ? address : new URL(address).origin})`;
}

/** One entry; undefined where it is none. */
function egressIn(entry: string): Egress | undefined {
  const [, name = "", given] = /^([^=]*)(?:=(.*))?$/.exec(entry) ?? [];
  const address = given === undefined ? undefined : addressIn(given);
  // An address alone would be taken for a name, and not be left by.
  if (!NAME.test(name) || isIP(name) || (given !== undefined && address === undefined)) return undefined;
  return { name, address };
}

/** An address in the one way in which it is written, so that two that are the same are alike. */
function addressIn(given: string): string | undefined {
  if (isIP(given) === 4) return given;
  // What has a zone, or wants one, reaches no further than the next cable.
  if (LINK_LOCAL.test(given)) return undefined;
  if (isIP(given) === 6) return URL.parse(`http://[${given}]`)?.hostname.slice(1, -1);
  const url = URL.parse(given);
  const isProxy = url?.protocol === "http:" || url?.protocol === "https:";
  if (!isProxy || url.pathname !== "/" || url.search || url.hash) return undefined;
  try {
    decodeURIComponent(url.username + url.password);
    return url.href;
  } catch {
    return undefined;
  }
}

function mistakeIn(all: readonly Egress[]): string | undefined {
  if (all.length > MOST) return `${MOST} addresses at most`;
  for (const [place, { name, address }] of all.entries()) {
    const before = all.slice(0, place);
    if (before.some((one) => one.name === name)) return `names that differ: ${name} is there twice`;
    const same = before.find((one) => one.address === address);
    if (same) return `addresses that differ: ${same.name} and ${name} leave by the same one`;
  }
  return undefined;
}
