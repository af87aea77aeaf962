import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { ConfigError } from "../common/config-error.ts";
import { LISTENING } from "./settings/listening-file.ts";
import type { SurfaceConfig } from "../seam/config.ts";

/** How long it is waited for a server of this machine to say that it lives, in milliseconds. */
const ANSWER_MS = 1_000;

/** What the file says; versions before knew of one server alone. */
const keptSchema = z.object({ url: z.string(), others: z.array(z.string()).default([]) });

/** As many servers are remembered as may share a data folder in earnest. */
const MOST_KEPT = 8;

const fileIn = (data: string) => join(data, LISTENING);

/**
 * Keeps where the server listens, for other processes of its data folder; where that cannot be written, they go by their settings.
 * @param url as `HttpServer.listen` gives it
 */
export async function keepListening(data: string, url: string): Promise<void> {
  const earlier = await keptIn(data).catch(() => []);
  const others = earlier.filter((other) => other !== url).slice(0, MOST_KEPT - 1);
  await writeFile(fileIn(data), JSON.stringify({ url, others }), { mode: 0o600 }).catch(() => undefined);
}

/** Where servers of the data folder listened, the last one that began first. @throws where none was ever started */
async function keptIn(data: string): Promise<readonly string[]> {
  const { url, others } = keptSchema.parse(JSON.parse(await readFile(fileIn(data), "utf8")));
  return [url, ...others];
}

/**
 * Settings with the port that a server of the data folder really listens on, where one does: it may have been started with
 * another one than whoever asks now would start it with.
 * @param answerMs how long it is asked, in milliseconds: one that is busy meanwhile listens there all the same
 */
export async function asListening<C extends Pick<SurfaceConfig, "data" | "port">>(
  config: C,
  answerMs = ANSWER_MS,
): Promise<C> {
  try {
    for (const url of await keptIn(config.data)) {
      const { port } = new URL(url);
      if (port !== "" && (await mayListen(url, answerMs))) return { ...config, port: Number(port) };
    }
    return config;
  } catch {
    // None was ever started here.
    return config;
  }
}

/** What keeps a process from listening, by the setting that says where. A port that somebody has already is told of by its number. */
const UNLISTENED: Readonly<
  Record<string, { readonly setting: "REELAY_HOST" | "REELAY_PORT"; readonly wanted: string }>
> = {
  ENOTFOUND: { setting: "REELAY_HOST", wanted: "an address of this machine, or a name that leads to one" },
  EAI_AGAIN: {
    setting: "REELAY_HOST",
    wanted: "an address of this machine, or a name that can be looked up",
  },
  EADDRNOTAVAIL: { setting: "REELAY_HOST", wanted: "an address that this machine has" },
  EAFNOSUPPORT: { setting: "REELAY_HOST", wanted: "an address of a kind that this machine has" },
  EINVAL: { setting: "REELAY_HOST", wanted: "an address that can be listened on" },
  EACCES: { setting: "REELAY_PORT", wanted: "a port that this user may listen on: from 1024 on most do" },
};

/** What kept a server from listening, as the mistake in the settings that it is; anything else as it is. */
export function asListenError(error: unknown, { host, port }: Pick<SurfaceConfig, "host" | "port">): unknown {
  const { code = "" } = error as { readonly code?: string };
  const mistake = UNLISTENED[code];
  if (mistake === undefined) return error;
  const value = mistake.setting === "REELAY_HOST" ? host : port;
  const found = `${JSON.stringify(String(value))}, which cannot be listened on (${code})`;
  return new ConfigError([{ ...mistake, found }], { cause: error });
}

/** Whether somebody answers there, or takes their time. */
async function mayListen(url: string, answerMs: number): Promise<boolean> {
  const asked = fetch(`${url}/healthz`, { signal: AbortSignal.timeout(answerMs) });
  return asked.then(
    ({ ok }) => ok,
    (error: unknown) => error instanceof DOMException && error.name === "TimeoutError",
  );
}
