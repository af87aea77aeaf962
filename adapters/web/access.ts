import type { Context, MiddlewareHandler } from "hono";
import { secureHeaders } from "hono/secure-headers";
import { isLoopback, type SurfaceConfig } from "../../src/seam/config.ts";
import { type OperatorEntry, type Operators, TERMINAL_OWNER } from "../../src/seam/access/operators.ts";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { ReelayError } from "../../src/common/errors.ts";
import { nearestLocale, translator } from "../../src/common/i18n.ts";
import type { UserId } from "../../src/seam/values.ts";
import { addressSeen, isForwarded } from "./forwarded.ts";
import type { Login } from "./login.ts";
import { OPERATOR, type PagePerson, personOf } from "./person.ts";
import { SessionCookie } from "./session-cookie.ts";
import type { Sessions } from "./sessions.ts";
import type { DeviceSession, PageProblem, RefusalCode } from "./wire.ts";

const NO_LEAKS = { referrerPolicy: "no-referrer", strictTransportSecurity: false } as const;

/**
 * Only what the page itself brings may run, load or be asked for; nothing inline, nothing from elsewhere.
 * @param frameAncestors which sites may show it inside of theirs
 */
export const headersFor = (...frameAncestors: readonly string[]) =>
  secureHeaders({
    ...NO_LEAKS,
    // Of this older header browsers understand too little; the policy says it, too.
    xFrameOptions: frameAncestors.length === 0 ? "DENY" : false,
    contentSecurityPolicy: {
      defaultSrc: ["'none'"],
      scriptSrc: ["'self'"],
      styleSrc: ["'self'"],
      imgSrc: ["'self'"],
      // A sound is heard and measured before it is uploaded.
      mediaSrc: ["'self'", "blob:"],
      connectSrc: ["'self'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: frameAncestors.length === 0 ? ["'none'"] : [...frameAncestors],
    },
  });

/** What people gave may do nothing at all, should it ever be opened by itself. */
export const dataHeaders = secureHeaders({
  ...NO_LEAKS,
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] },
});

/** What the routes know of a request that was let in. */
export interface PageEnv {
  readonly Variables: {
    person: PagePerson;
    /** Set where it is one of those who run Reelay. */
    operator?: OperatorEntry;
  };
}

/** Who may come in, and as whom. */
export interface PageAccess {
  /** Whether devices log in. */
  readonly hasLogin: boolean;
  /** Whether it is people of the chats who come in here. */
  readonly hasVisitors: boolean;
  /** Refuses what another site sends. */
  readonly sameSite: MiddlewareHandler;
  /** Refuses whoever has not logged in; notes who it is that has. */
  readonly loggedIn: MiddlewareHandler<PageEnv>;
  /** Refuses whoever is in, but may make nothing here. */
  readonly mayMake: MiddlewareHandler<PageEnv>;
  /** Whether whoever is in may say which service, key and bots there are. */
  maySetUp(c: Context<PageEnv>): boolean;
  /** Whether somebody may go on who came in: their device may have been logged out meanwhile, or they may make nothing any more. */
  isIn(c: Context<PageEnv>): Promise<boolean>;
  /** Calls back when {@link isIn} may say something else of somebody than before. @returns stops it */
  onChange(listener: () => void): () => void;
  /** Ends the session of the device that asks. */
  logOut(c: Context): Promise<Response>;
  /** Every device of the one that asks. */
  devices(c: Context): Promise<readonly DeviceSession[]>;
  /** Logs another device of the one that asks out. @returns whether it was logged in */
  logOutDevice(c: Context, id: string): Promise<boolean>;
}

/** Answers with a refusal of the web's own: a browser that asks for the page itself shows the sentence. */
export function refuse(
  c: Context,
  status: 400 | 401 | 403 | 429 | 502,
  code: RefusalCode,
  params: PageProblem["params"] = {},
): Response {
  if (c.req.path.includes("/web/")) return c.json({ code, params } satisfies PageProblem, status);
  const say = translator(nearestLocale(c.req.header("accept-language")));
  return c.text(say(`page.refused.${code}`, params), status);
}

/** Whether a request that changes something comes from another site than the page. */
export function isForeign(c: Context, { publicUrl }: Pick<SurfaceConfig, "publicUrl">): boolean {
  if (c.req.method === "GET" || c.req.method === "HEAD") return false;
  // The page's own origins: where it is reached at directly, and through the operator's proxy.
  const own = [new URL(c.req.url).origin, ...(publicUrl ? [new URL(publicUrl).origin] : [])];
  return !own.includes(c.req.header("origin") ?? "");
}

/** The operators' page: the checks of a request, and the exchange of the login token, or of a link, for a device's own cookie. */
export class OperatorAccess implements PageAccess {
  readonly hasVisitors = false;
  readonly #host: Pick<SurfaceHost, "config" | "log">;
  readonly #login: Login | undefined;
  readonly #cookie: SessionCookie | undefined;
  readonly #sessions: Sessions;
  readonly #operators: Operators;

  /** @param login undefined: nobody else can reach the page */
  constructor(
    host: Pick<SurfaceHost, "config" | "log">,
    login: Login | undefined,
    sessions: Sessions,
    operators: Operators,
  ) {
    this.#host = host;
    this.#login = login;
    this.#sessions = sessions;
    this.#operators = operators;
    const secure = host.config.publicUrl?.startsWith("https:") ?? false;
    // No other site can send it.
    const options = { sameSite: "Strict", secure, path: "/" } as const;
    this.#cookie = login && new SessionCookie(sessions, "reelay", options);
  }

  get hasLogin(): boolean {
    return this.#login !== undefined;
  }

  /**
   * Refuses foreign names for this machine (DNS rebinding) and whatever came through a proxy where no login protects, and
   * what another site sends. Where there is a login, another name has no cookie, and so needs no check.
   */
  readonly sameSite: MiddlewareHandler = async (c, next) => {
    const url = new URL(c.req.url);
    if (!this.#login && !isLoopback(url.hostname)) return refuse(c, 403, "foreign_host");
    if (isForeign(c, this.#host.config)) return refuse(c, 403, "foreign_origin");
    if (!this.#login && isForwarded(c)) return refuse(c, 403, "forwarded", { address: addressSeen(c) });
    return next();
  };

  readonly loggedIn: MiddlewareHandler<PageEnv> = async (c, next) => {
    const operator = await this.operatorOf(c);
    if (!operator) return refuse(c, 401, "login_required");
    c.set("operator", operator);
    c.set("person", personOf(operator.id));
    return next();
  };

  readonly mayMake: MiddlewareHandler<PageEnv> = async (c, next) => {
    if (!this.#makes(c.var.operator)) throw new ReelayError("role_may_not");
    return next();
  };

  maySetUp(c: Context<PageEnv>): boolean {
    const { operator } = c.var;
    return operator !== undefined && this.#operators.may(operator.role, "set-up");
  }

  /** Who asks, as they are now; undefined for whoever is not in, or was removed. */
  async operatorOf(c: Context): Promise<OperatorEntry | undefined> {
    const user = this.#cookie ? (await this.#cookie.current(c))?.user : TERMINAL_OWNER;
    const operator = user && (await this.#operators.find(user));
    if (operator) await this.#operators.seen(operator);
    return operator;
  }

  async isIn(c: Context<PageEnv>): Promise<boolean> {
    const operator = await this.operatorOf(c);
    return operator?.id === c.var.person.user && this.#makes(operator);
  }

  onChange(listener: () => void): () => void {
    return this.#operators.onChange(listener);
  }

  #makes(operator: OperatorEntry | undefined): boolean {
    return operator !== undefined && this.#operators.may(operator.role, "make");
  }

  /** Exchanges the token for a cookie that scripts cannot read and other sites cannot send. */
  async logIn(c: Context, token: string): Promise<Response> {
    const outcome = (await this.#login?.check(token)) ?? "wrong";
    if (outcome !== "right" || !this.#cookie) {
      const device = c.req.header("user-agent")?.slice(0, 200);
      this.#host.log.warn({ outcome, device }, "A login failed");
      return outcome === "paused" ? refuse(c, 429, "login_paused") : refuse(c, 403, "login_wrong");
    }
    await this.#cookie.open(c, OPERATOR.user);
    return c.body(null, 204);
  }

  /**
   * Exchanges a link for a session; whoever used the device before is out.
   * @throws ReelayError as `Operators.enter`
   */
  async enter(c: Context, token: string, name: string | undefined): Promise<Response> {
    if (!this.#cookie) throw new ReelayError("no_login");
    const operator = await this.#operators.enter(token, name);
    const current = await this.#cookie.current(c);
    if (current) await this.#sessions.end(current);
    await this.#cookie.open(c, operator.id);
    return c.body(null, 204);
  }

  /** Logs every device of somebody's out. */
  endSessions(user: UserId): Promise<void> {
    return this.#sessions.endAll(user);
  }

  logOut(c: Context): Promise<Response> {
    return this.#cookie?.end(c) ?? Promise.resolve(c.body(null, 204));
  }

  async devices(c: Context): Promise<readonly DeviceSession[]> {
    return this.#cookie?.devices(c) ?? [];
  }

  async logOutDevice(c: Context, id: string): Promise<boolean> {
    return (await this.#cookie?.endOther(c, id)) ?? false;
  }
}
