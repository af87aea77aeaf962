import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { SharedMemory } from "../../src/common/memory.ts";
import type { UserId } from "../../src/seam/values.ts";
import { OPERATOR } from "./person.ts";
import type { DeviceSession } from "./wire.ts";

/** How long a device stays logged in after it was last used, in milliseconds: browsers keep cookies for 400 days at most. */
export const SESSION_MS = 30 * 24 * 3_600_000;
/** How exactly it is known when a device was last used, in milliseconds: not every request is worth a write. */
const SEEN_EVERY_MS = 60_000;
/** How many devices of one person are logged in at once. */
const MOST_DEVICES = 64;

/** How the entries begin. */
const PREFIX = "session:";

/** A device as it is kept: the cookie itself stands nowhere. */
interface Kept extends Omit<DeviceSession, "id" | "current"> {
  /** HMAC-SHA-256 of the secret half of its cookie under the login token, in hex: another token ends every session. */
  readonly digest: string;
  /** Who is logged in there; left out, whoever runs Reelay. */
  readonly user?: UserId;
}

/** A device that is logged in, and who uses it. */
export interface OpenSession {
  readonly id: string;
  readonly user: UserId;
}

/** Somebody's device that is about to be logged in. */
interface NewSession extends OpenSession {
  /** As its browser calls itself. */
  readonly userAgent: string | undefined;
}

/** Devices that are logged in, each with a cookie of its own (`<id>.<secret>`) that ends alone. */
export class Sessions {
  readonly #memory: SharedMemory;
  readonly #token: () => Promise<string>;

  /** @param token the login token */
  constructor(memory: SharedMemory, token: () => Promise<string>) {
    this.#memory = memory;
    this.#token = token;
  }

  /** A name for a new one. */
  static newId(): string {
    return randomBytes(9).toString("base64url");
  }

  /**
   * Logs a device in.
   * @returns the value of its cookie
   */
  async open({ id, user, userAgent }: NewSession, now: number): Promise<string> {
    const secret = randomBytes(32).toString("base64url");
    const digest = await this.#digestOf(secret);
    const kept: Kept = { digest, user, device: deviceOf(userAgent), since: now, seen: now };
    await this.#memory.set(PREFIX + id, kept, SESSION_MS);
    // One more than may be takes the place of the one that was used longest ago.
    const all = (await this.#of(user)).toSorted(([, a], [, b]) => b.seen - a.seen);
    for (const [key] of all.slice(MOST_DEVICES)) if (key !== PREFIX + id) await this.#memory.delete(key);
    return `${id}.${secret}`;
  }

  /** The device that a cookie belongs to; undefined for every other value. */
  async find(cookie: string | undefined, now: number): Promise<OpenSession | undefined> {
    const [id, secret] = cookie?.split(".") ?? [];
    if (!id || !secret) return undefined;
    const kept = await this.#memory.get<Kept>(PREFIX + id);
    const digest = Buffer.from(await this.#digestOf(secret));
    if (!kept || !timingSafeEqual(Buffer.from(kept.digest), digest)) return undefined;
    // Never for one that was logged out meanwhile: it would be in again.
    if (Math.abs(now - kept.seen) >= SEEN_EVERY_MS)
      await this.#memory.change<Kept>(PREFIX + id, (still) => still && { ...still, seen: now }, SESSION_MS);
    return { id, user: userOf(kept) };
  }

  /** Every device of the one that asks, the one that was used last first. */
  async all(current: OpenSession): Promise<readonly DeviceSession[]> {
    return (await this.#of(current.user))
      .map(([key, { device, since, seen }]) => {
        const id = key.slice(PREFIX.length);
        return { id, device, since, seen, current: id === current.id };
      })
      .toSorted((a, b) => b.seen - a.seen);
  }

  /** Logs a device of somebody's out. @returns whether it was logged in */
  async end({ id, user }: OpenSession): Promise<boolean> {
    const kept = await this.#memory.get<Kept>(PREFIX + id);
    if (!kept || userOf(kept) !== user) return false;
    await this.#memory.delete(PREFIX + id);
    return true;
  }

  /** Logs every device of somebody's out. */
  async endAll(user: UserId): Promise<void> {
    for (const [key] of await this.#of(user)) await this.#memory.delete(key);
  }

  async #of(user: UserId): Promise<[key: string, kept: Kept][]> {
    const entries = await this.#memory.entries<Kept>();
    return entries.filter(([key, kept]) => key.startsWith(PREFIX) && userOf(kept) === user);
  }

  async #digestOf(secret: string): Promise<string> {
    return createHmac("sha256", await this.#token())
      .update(secret)
      .digest("hex");
  }
}

const userOf = ({ user = OPERATOR.user }: Kept) => user;

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
