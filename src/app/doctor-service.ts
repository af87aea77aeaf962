import { asReelayError } from "../common/errors.ts";
import { FULL } from "../common/disk.ts";
import { translator } from "../common/i18n.ts";
import { MediaApi, type Transport } from "../infrastructure/api/media-api.ts";
import { sandboxFolder } from "./data-folder.ts";
import { anew, examineSandbox } from "./sandbox/folder.ts";
import { asStorageError, isFull } from "../infrastructure/storage/stored-file.ts";
import { makeLogger } from "../infrastructure/telemetry/telemetry.ts";
import type { Finding } from "../seam/surface/setup.ts";
import type { Config } from "./config.ts";
import { transportOf } from "./egress/open.ts";
import { openService } from "./service.ts";

/** Beyond this, times in messages and the settling of lost submissions begin to suffer, in milliseconds. */
const CLOCK_TOLERANCE_MS = 60_000;

/** What to do about a folder in which nothing can be kept. */
export const UNWRITABLE =
  "Make the data folder writable for the user that runs Reelay, or set REELAY_DATA to one that is.";

/** What to do about a disk that takes nothing more. */
export const ROOM = "Make room on its disk: Reelay goes on by itself.";

/** What is found is what is told. */
const silent = makeLogger({ level: "silent" });

/** Whether the service answers, how its clock goes, and whether it takes the operator's key. */
export async function lookAtService(config: Config): Promise<readonly Finding[]> {
  const isSandbox = config.apiUrl === undefined;
  const damage = isSandbox ? examineSandbox(sandboxFolder(config.data)) : undefined;
  if (damage) {
    const said = { key: "setup.service.away", params: { reason: damage.found } } as const;
    return [{ check: damage, said, stops: true }];
  }
  const transport = transportOf(config, { connectTimeoutMs: 5_000, headersTimeoutMs: 10_000 });
  try {
    const open = await openService(config, transport, silent);
    try {
      const { primary } = open.hosts;
      const clock = await clockOf(transport, primary);
      const reached = reachedAt(open.sandbox ? undefined : primary);
      if (!open.shared) return [reached, clock, NO_KEY];
      const key = open.shared.key.reveal();
      const api = new MediaApi({ baseUrl: primary, key, transport, retry: { attempts: 2 } });
      return [reached, clock, await lookAtKey(api)];
    } finally {
      await open.stop();
    }
  } catch (error) {
    const { reason, advice } = troubleOf(error, isSandbox ? sandboxFolder(config.data) : undefined);
    const found = `${config.apiUrl ?? "sandbox"}: ${reason}`;
    const said = { key: "setup.service.away", params: { reason } } as const;
    return [{ check: { name: "service", ok: false, found, advice }, said, stops: true }];
  } finally {
    await transport.close();
  }
}

/** Why nothing answers. @param sandbox where the built-in one keeps its files, which needs no network; undefined of a service */
function troubleOf(
  error: unknown,
  sandbox: string | undefined,
): { readonly reason: string; readonly advice: string } {
  const reason = reasonOf(error);
  if (sandbox === undefined)
    return { reason, advice: "Check REELAY_API_URL and the network of this machine." };
  if (isFull(error)) return { reason: FULL, advice: ROOM };
  if (error instanceof Error && "path" in error) return { reason, advice: UNWRITABLE };
  return { reason, advice: anew(sandbox) };
}

const NO_KEY: Finding = {
  check: { name: "key", ok: true, found: "no key of the operator's own: each person connects theirs" },
  said: { key: "setup.service.no_key" },
  stops: false,
};

/** @param url undefined: of the sandbox */
function reachedAt(url: string | undefined): Finding {
  const found = `${url ?? "the built-in sandbox (REELAY_API_URL is not set)"} answers`;
  const said =
    url === undefined
      ? ({ key: "setup.service.sandbox" } as const)
      : ({ key: "setup.service.answers", params: { url } } as const);
  return { check: { name: "service", ok: true, found }, said, stops: false };
}

/** The service's clock by its `Date` header, which an answer of any status carries. */
async function clockOf(transport: Transport, baseUrl: string): Promise<Finding> {
  const { headers, body } = await transport.exchange({
    method: "GET",
    paid: false,
    url: new URL(`${baseUrl}/user/balance`),
  });
  body.destroy();
  const skewMs = Math.abs(Date.parse(String(headers.date)) - Date.now());
  if (Number.isNaN(skewMs)) {
    const check = { name: "clock", ok: true, found: "the service does not tell its time" };
    return { check, said: { key: "setup.service.no_clock" }, stops: false };
  }
  const seconds = Math.round(skewMs / 1000);
  const found = `${seconds} s from the service's clock`;
  const said = { key: "setup.service.clock", params: { seconds } } as const;
  if (skewMs <= CLOCK_TOLERANCE_MS) return { check: { name: "clock", ok: true, found }, said, stops: false };
  const advice = "Set this machine's clock; NTP keeps it right.";
  return { check: { name: "clock", ok: false, found, advice }, said, stops: false };
}

/** Whether the service takes a key, and how many tokens its account has. */
export async function lookAtKey(api: MediaApi): Promise<Finding> {
  try {
    const { username, tokens, subscriptionActive } = await api.info();
    const subscription = subscriptionActive ? "subscription active" : "no subscription";
    const name = username ?? "account";
    return {
      check: { name: "key", ok: true, found: `valid: ${name}, ${subscription}, ${tokens ?? "?"} tokens` },
      said: { key: "setup.service.key_valid", params: { name, left: tokens ?? "?" } },
      stops: false,
    };
  } catch (error) {
    const advice = "Make a new key in the service's dashboard and set REELAY_API_KEY to it.";
    const isUnknown = asReelayError(error).code === "unauthorized";
    const found = messageOf(error);
    return {
      check: { name: "key", ok: false, found, advice },
      said: isUnknown
        ? { key: "setup.service.key_refused" }
        : { key: "setup.service.away", params: { reason: found } },
      stops: true,
    };
  }
}

/** Why something cannot be kept, where that is what is wrong: its sentence leads to the doctor, who says this. */
export function reasonOf(error: unknown): string {
  const known = asReelayError(asStorageError(error));
  const reason = known.code === "storage_down" ? String(known.params["reason"] ?? "") : "";
  return reason === "" ? messageOf(error) : reason;
}

/** The sentence of an error of ours, the words of any other. */
export function messageOf(error: unknown): string {
  const known = asReelayError(error);
  if (known.code === "internal" && error instanceof Error) return error.message;
  return translator("en")(`error.${known.code}`, known.params);
}
