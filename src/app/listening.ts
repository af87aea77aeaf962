import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { SurfaceConfig } from "../seam/config.ts";

/** How long a server of this machine may take to say that it lives, in milliseconds. */
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
 */
export async function asListening<C extends Pick<SurfaceConfig, "data" | "port">>(config: C): Promise<C> {
  try {
    const { url } = JSON.parse(await readFile(fileIn(config.data), "utf8")) as { readonly url: string };
    const { ok } = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(ANSWER_MS) });
    const { port } = new URL(url);
    return ok && port !== "" ? { ...config, port: Number(port) } : config;
  } catch {
    // None was ever started here, or it is gone.
    return config;
  }
}
