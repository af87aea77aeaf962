import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { link, mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { timingSafeEqual } from "hono/utils/buffer";
import { addressOf, needsLogin, type SurfaceConfig } from "../../src/seam/config.ts";
import { steady } from "../../src/common/time.ts";

/** How many wrong tokens are answered one by one in {@link TRIES_WINDOW_MS}. */
const TRIES = 10;
const TRIES_WINDOW_MS = 60_000;

/** Tells the login token. */
type ReadToken = () => Promise<string>;

/**
 * The address to open in a browser: with the login token in its fragment, which browsers never send, where one
 * is needed. The token is made at the first use.
 * @param path of the page that is meant, which begins with a slash
 * @param read the token; by default, that of the data folder
 */
export async function loginLink(
  config: Pick<SurfaceConfig, "host" | "port" | "publicUrl" | "data">,
  path = "/",
  read = tokenIn(config.data),
): Promise<string> {
  const address = `${addressOf(config)}${path}`;
  return needsLogin(config) ? `${address}#login=${await read()}` : address;
}

/** The token of a data folder, kept there with mode 0600. */
export const tokenIn =
  (data: string): ReadToken =>
  () =>
    readToken(data);

async function readToken(data: string): Promise<string> {
  const path = join(data, "login-token");
  if (!existsSync(path)) await makeToken(path);
  return (await readFile(path, "utf8")).trim();
}

/** Of several that make it at once, one does. Nobody finds it still empty: such a token anybody could give. */
async function makeToken(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  const draft = `${path}.${randomUUID()}`;
  try {
    await writeFile(draft, `${randomBytes(32).toString("base64url")}\n`, { mode: 0o600, flag: "wx" });
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  } finally {
    await rm(draft, { force: true });
  }
}

/** Checks login tokens. */
export class Login {
  readonly #token: Promise<string>;
  #failures: number[] = [];

  constructor(read: ReadToken) {
    this.#token = read();
    // Whoever asks hears of a failure; this only keeps it from counting as unhandled before.
    this.#token.catch(() => undefined);
  }

  /** The right one. */
  get token(): Promise<string> {
    return this.#token;
  }

  /**
   * Checks a token. The right one is always heard: it is too long to be guessed, and nobody can keep its owner out by guessing.
   * @returns `paused` for a wrong one after too many within a minute
   */
  async check(token: string): Promise<"right" | "wrong" | "paused"> {
    if (await timingSafeEqual(token, await this.#token)) return "right";
    const since = steady() - TRIES_WINDOW_MS;
    this.#failures = this.#failures.filter((at) => at > since);
    if (this.#failures.length >= TRIES) return "paused";
    this.#failures.push(steady());
    return "wrong";
  }
}
