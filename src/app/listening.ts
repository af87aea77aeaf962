import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SurfaceConfig } from "../seam/config.ts";

/** How long it is waited for a server of this machine to say that it lives, in milliseconds. */
const ANSWER_MS = 1_000;

/** What the server of a data folder is found by: where it was last reached. */
const fileIn = (data: string) => join(data, "listening.json");

/**
 * Keeps where the server listens, for other processes of its data folder; where that cannot be written, they go by their settings.
 * @param url as `HttpServer.listen` gives it
 */
export async function keepListening(data: string, url: string): Promise<void> {
  await writeFile(fileIn(data), JSON.stringify({ url }), { mode: 0o600 }).catch(() => undefined);
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
    const { url } = JSON.parse(await readFile(fileIn(config.data), "utf8")) as { readonly url: string };
    const { port } = new URL(url);
    return port !== "" && (await mayListen(url, answerMs)) ? { ...config, port: Number(port) } : config;
  } catch {
    // None was ever started here.
    return config;
  }
}

/** Whether somebody answers there, or takes their time. */
async function mayListen(url: string, answerMs: number): Promise<boolean> {
  const asked = fetch(`${url}/healthz`, { signal: AbortSignal.timeout(answerMs) });
  return asked.then(
    ({ ok }) => ok,
    (error: unknown) => error instanceof DOMException && error.name === "TimeoutError",
  );
}
