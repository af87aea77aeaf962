import type { Context } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import type { CookieOptions } from "hono/utils/cookie";
import type { UserId } from "../../src/seam/values.ts";
import { type OpenSession, SESSION_MS, Sessions } from "./sessions.ts";
import type { DeviceSession } from "./wire.ts";
import { currentTime } from "../../src/common/time.ts";

/** The session of the device that asks, by its cookie. */
export class SessionCookie {
  readonly #sessions: Sessions;
  readonly #name: string;
  readonly #options: CookieOptions;

  constructor(sessions: Sessions, name: string, options: CookieOptions) {
    this.#sessions = sessions;
    this.#name = name;
    this.#options = { ...options, httpOnly: true };
  }

  /** The session; undefined where the device has none. */
  current(c: Context): Promise<OpenSession | undefined> {
    return this.#sessions.find(getCookie(c, this.#name), currentTime());
  }

  /** Logs the device in, with a cookie that scripts cannot read. */
  async open(c: Context, user: UserId, id = Sessions.newId()): Promise<void> {
    const userAgent = c.req.header("user-agent");
    const value = await this.#sessions.open({ id, user, userAgent }, currentTime());
    setCookie(c, this.#name, value, { ...this.#options, maxAge: SESSION_MS / 1000 });
  }

  /** Ends the session of the device that asks. */
  async end(c: Context): Promise<Response> {
    const current = await this.current(c);
    if (current) await this.#sessions.end(current);
    deleteCookie(c, this.#name, this.#options);
    return c.body(null, 204);
  }

  /** Every device of the one that asks. */
  async devices(c: Context): Promise<readonly DeviceSession[]> {
    const current = await this.current(c);
    return current ? this.#sessions.all(current) : [];
  }

  /** Logs another device of the one that asks out. @returns whether it was logged in */
  async endOther(c: Context, id: string): Promise<boolean> {
    const current = await this.current(c);
    return current !== undefined && this.#sessions.end({ id, user: current.user });
  }
}
