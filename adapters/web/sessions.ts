import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { Memory } from "../../src/common/memory.ts";
import type { DeviceSession } from "./wire.ts";

/** How long a device stays logged in after it was last used, in milliseconds: browsers keep cookies for 400 days at most. */
export const SESSION_MS = 30 * 24 * 3_600_000;
/** How exactly it is known when a device was last used, in milliseconds: not every request is worth a write. */
const SEEN_EVERY_MS = 60_000;

/** How the entries begin. */
const PREFIX = "session:";

/** A device as it is kept: the cookie itself stands nowhere. */
interface Kept extends Omit<DeviceSession, "id" | "current"> {
  /** HMAC-SHA-256 of the secret half of its cookie under the login token, in hex: another token ends every session. */
  readonly digest: string;
}

/** Devices that are logged in, each with a cookie of its own (`<id>.<secret>`) that ends alone. */
export class Sessions {
  readonly #memory: Memory;
  readonly #token: () => Promise<string>;

  /** @param token the login token */
  constructor(memory: Memory, token: () => Promise<string>) {
    this.#memory = memory;
    this.#token = token;
  }

  /**
   * Logs a device in.
   * @param userAgent as its browser calls itself
   * @returns the value of its cookie
   */
  async open(userAgent: string | undefined, now: number): Promise<string> {
    const id = randomBytes(9).toString("base64url");
    const secret = randomBytes(32).toString("base64url");
    const digest = await this.#digestOf(secret);
    const kept: Kept = { digest, device: deviceOf(userAgent), since: now, seen: now };
    await this.#memory.set(PREFIX + id, kept, SESSION_MS);
    return `${id}.${secret}`;
  }

  /** The id of the device that a cookie belongs to; undefined for every other value. */
  async idOf(cookie: string | undefined, now: number): Promise<string | undefined> {
    const [id, secret] = cookie?.split(".") ?? [];
    if (!id || !secret) return undefined;
    const kept = await this.#memory.get<Kept>(PREFIX + id);
    const digest = Buffer.from(await this.#digestOf(secret));
    if (!kept || !timingSafeEqual(Buffer.from(kept.digest), digest)) return undefined;
    if (now - kept.seen >= SEEN_EVERY_MS)
      await this.#memory.set(PREFIX + id, { ...kept, seen: now } satisfies Kept, SESSION_MS);
    return id;
  }

  /** Every device that is logged in, the one that was used last first. @param current the one that asks */
  async all(current?: string): Promise<readonly DeviceSession[]> {
    const entries = await this.#memory.entries<Kept>();
    return entries
      .filter(([key]) => key.startsWith(PREFIX))
      .map(([key, { device, since, seen }]) => {
        const id = key.slice(PREFIX.length);
        return { id, device, since, seen, current: id === current };
      })
      .toSorted((a, b) => b.seen - a.seen);
  }

  /** Logs a device out. @returns whether it was logged in */
  async end(id: string): Promise<boolean> {
    const known = (await this.#memory.get(PREFIX + id)) !== undefined;
    await this.#memory.delete(PREFIX + id);
    return known;
  }

  async #digestOf(secret: string): Promise<string> {
    return createHmac("sha256", await this.#token())
      .update(secret)
      .digest("hex");
  }
}

/** Names in user agents, the more particular first: Edge calls itself Chrome, too, and Chrome Safari. */
const BROWSERS = [
  ["Edg", "Edge"],
  ["OPR", "Opera"],
  ["Firefox", "Firefox"],
  ["Chrom", "Chrome"],
  ["Safari", "Safari"],
] as const;
const SYSTEMS = [
  ["Android", "Android"],
  ["iPhone", "iPhone"],
  ["iPad", "iPad"],
  ["Windows", "Windows"],
  ["Mac OS", "macOS"],
  ["Linux", "Linux"],
] as const;

/** What people recognise a device by, such as "Firefox, Windows"; "" where its browser says nothing known. */
function deviceOf(userAgent = ""): string {
  return [BROWSERS, SYSTEMS]
    .flatMap((names) => names.find(([mark]) => userAgent.includes(mark))?.[1] ?? [])
    .join(", ");
}
