import type { Context, MiddlewareHandler } from "hono";
import type { CookieOptions } from "hono/utils/cookie";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { type Proof, SIGN_IN_MS, STUDIO_PATH } from "../../src/seam/surface/sign-in.ts";
import { isForeign, type PageAccess, type PageEnv, refuse } from "./access.ts";
import { isOperators, personOf } from "./person.ts";
import { SessionCookie } from "./session-cookie.ts";
import { Sessions } from "./sessions.ts";
import type { DeviceSession, RefusalCode } from "./wire.ts";
import { currentTime } from "../../src/common/time.ts";

/** How far ahead another clock may be, in milliseconds. */
const AHEAD_MS = 60_000;

const USED = "sign-in-used:";

/** Everybody's page: people come in by what their chat says of who they are. */
export class VisitorAccess implements PageAccess {
  readonly hasLogin = true;
  readonly hasVisitors = true;
  readonly #host: Pick<SurfaceHost, "config" | "log" | "memory">;
  readonly #sessions: Sessions;
  readonly #cookie: SessionCookie;
  /** How cookies of this page are set. */
  readonly cookie: CookieOptions;

  constructor(host: Pick<SurfaceHost, "config" | "log" | "memory">, sessions: Sessions) {
    this.#host = host;
    this.#sessions = sessions;
    const isSecure = host.config.publicUrl?.startsWith("https:") ?? false;
    this.cookie = {
      path: STUDIO_PATH,
      httpOnly: true,
      // Inside of Telegram's own site browsers send no other cookie of ours; partitioned, it is for that place alone.
      ...(isSecure ? { sameSite: "None", secure: true, partitioned: true } : { sameSite: "Strict" }),
    };
    this.#cookie = new SessionCookie(sessions, "reelay-app", this.cookie);
  }

  readonly sameSite: MiddlewareHandler = async (c, next) =>
    isForeign(c, this.#host.config) ? refuse(c, 403, "foreign_origin") : next();

  readonly loggedIn: MiddlewareHandler<PageEnv> = async (c, next) => {
    const current = await this.#cookie.current(c);
    // Whoever runs Reelay has a page of their own.
    if (!current || isOperators(current.user)) return refuse(c, 401, "sign_in_required");
    c.set("person", personOf(current.user));
    return next();
  };

  /** What somebody may make, the core says. */
  readonly mayMake: MiddlewareHandler<PageEnv> = (_c, next) => next();

  maySetUp(): boolean {
    return false;
  }

  onChange(): () => void {
    return () => {};
  }

  async isIn(c: Context<PageEnv>): Promise<boolean> {
    return (await this.#cookie.current(c))?.user === c.var.person.user;
  }

  /**
   * Opens the one session that a proof is good for. Whoever is in already uses it up as well, and stays in.
   * @param proof undefined: there is none
   */
  async signIn(c: Context, proof: Proof | undefined): Promise<Response> {
    if (!proof) return this.refuse(c, "sign_in_forged");
    const current = await this.#cookie.current(c);
    const session = Sessions.newId();
    const age = currentTime() - proof.at;
    const isStale = age > SIGN_IN_MS || age < -AHEAD_MS;
    const isFirst = !isStale && (await this.#use(proof, session));
    if (current?.user === proof.user) return c.body(null, 204);
    if (!isFirst) return this.refuse(c, isStale ? "sign_in_stale" : "sign_in_used");
    // A device has one: somebody else who used it before is out.
    if (current) await this.#sessions.end(current);
    await this.#cookie.open(c, proof.user, session);
    return c.body(null, 204);
  }

  logOut(c: Context): Promise<Response> {
    return this.#cookie.end(c);
  }

  devices(c: Context): Promise<readonly DeviceSession[]> {
    return this.#cookie.devices(c);
  }

  logOutDevice(c: Context, id: string): Promise<boolean> {
    return this.#cookie.endOther(c, id);
  }

  /** @returns whether nobody had used it */
  async #use({ id }: Proof, session: string): Promise<boolean> {
    return (await this.#host.memory("web").once(USED + id, () => session, 2 * SIGN_IN_MS)) === session;
  }

  /** Says why somebody is not signed in. */
  refuse(c: Context, code: Extract<RefusalCode, `sign_in_${string}`>): Response {
    this.#host.log.warn({ code, device: c.req.header("user-agent")?.slice(0, 200) }, "A sign-in failed");
    return refuse(c, code === "sign_in_unavailable" ? 502 : 403, code);
  }
}
