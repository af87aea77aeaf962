import type { Context, MiddlewareHandler } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { secureHeaders } from "hono/secure-headers";
import type { Config } from "../../src/config.ts";
import { isLoopback, Login, needsLogin } from "./login.ts";
import type { ProblemBody, RefusalCode } from "./wire.ts";

/** A session's length, in seconds: browsers cut at 400 days. */
const SESSION_SECONDS = 30 * 24 * 3600;

const NO_LEAKS = { referrerPolicy: "no-referrer", strictTransportSecurity: false } as const;

/** Only what the page itself brings may run, load or be asked for; nothing inline, nothing from elsewhere. */
export const pageHeaders = secureHeaders({
  ...NO_LEAKS,
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
    frameAncestors: ["'none'"],
  },
});

/** What people gave may do nothing at all, should it ever be opened by itself. */
export const dataHeaders = secureHeaders({
  ...NO_LEAKS,
  contentSecurityPolicy: { defaultSrc: ["'none'"], frameAncestors: ["'none'"], sandbox: [] },
});

/** Answers with a refusal of the web's own. */
function refuse(c: Context, status: 401 | 403 | 429, code: RefusalCode): Response {
  return c.json({ code, params: {} } satisfies ProblemBody, status);
}

/** Who may come in: the checks of a request, and the exchange of the login token for a cookie. */
export class Access {
  readonly #config: Config;
  readonly #login: Login | undefined;

  constructor(config: Config) {
    this.#config = config;
    this.#login = needsLogin(config) ? new Login(config.data) : undefined;
  }

  /**
   * Refuses foreign names for this machine (DNS rebinding) where no login protects, and what another site sends.
   * Where there is a login, another name has no cookie, and so needs no check.
   */
  readonly sameSite: MiddlewareHandler = async (c, next) => {
    const url = new URL(c.req.url);
    if (!this.#login && !isLoopback(url.hostname)) return refuse(c, 403, "foreign_host");
    const safe = c.req.method === "GET" || c.req.method === "HEAD";
    if (!safe && !this.#origins(c).includes(c.req.header("origin") ?? ""))
      return refuse(c, 403, "foreign_origin");
    return next();
  };

  /** Refuses whoever has not logged in. */
  readonly loggedIn: MiddlewareHandler = async (c, next) => {
    if (this.#login && !(await this.#login.isSession(getCookie(c, COOKIE)))) {
      return refuse(c, 401, "login_required");
    }
    return next();
  };

  /** Exchanges the token for a cookie that scripts cannot read and other sites cannot send. */
  async logIn(c: Context, token: string): Promise<Response> {
    const outcome = (await this.#login?.exchange(token)) ?? "wrong";
    if (outcome === "paused") return refuse(c, 429, "login_paused");
    if (outcome === "wrong") return refuse(c, 403, "login_wrong");
    setCookie(c, COOKIE, outcome.session, {
      httpOnly: true,
      sameSite: "Strict",
      secure: this.#config.publicUrl?.startsWith("https:") ?? false,
      path: "/",
      maxAge: SESSION_SECONDS,
    });
    return c.body(null, 204);
  }

  /** The page's own origins: where it is reached at directly, and through the operator's proxy. */
  #origins(c: Context): string[] {
    const own = new URL(c.req.url).origin;
    return this.#config.publicUrl ? [own, new URL(this.#config.publicUrl).origin] : [own];
  }
}

const COOKIE = "reelay";
