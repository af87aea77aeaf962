import type { Context, MiddlewareHandler } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { secureHeaders } from "hono/secure-headers";
import type { SurfaceConfig } from "../../src/seam/config.ts";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { nearestLocale, translator } from "../../src/common/i18n.ts";
import { addressSeen, isForwarded } from "./forwarded.ts";
import { isLoopback, Login, needsLogin } from "./login.ts";
import { SESSION_MS, Sessions } from "./sessions.ts";
import type { DeviceSession, PageProblem, RefusalCode } from "./wire.ts";

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

/** Answers with a refusal of the web's own: a browser that asks for the page itself shows the sentence. */
function refuse(
  c: Context,
  status: 401 | 403 | 429,
  code: RefusalCode,
  params: PageProblem["params"] = {},
): Response {
  if (c.req.path.startsWith("/web/")) return c.json({ code, params } satisfies PageProblem, status);
  const say = translator(nearestLocale(c.req.header("accept-language")));
  return c.text(say(`page.refused.${code}`, params), status);
}

/** Who may come in: the checks of a request, and the exchange of the login token for a device's own cookie. */
export class PageAccess {
  readonly #config: SurfaceConfig;
  readonly #log: SurfaceHost["log"];
  readonly #login: Login | undefined;
  readonly #sessions: Sessions | undefined;

  constructor({ config, log, memory }: Pick<SurfaceHost, "config" | "log" | "memory">) {
    this.#config = config;
    this.#log = log;
    const login = needsLogin(config) ? new Login(config.data) : undefined;
    this.#login = login;
    this.#sessions = login && new Sessions(memory("web"), () => login.token);
  }

  /** Whether devices log in. */
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
    const safe = c.req.method === "GET" || c.req.method === "HEAD";
    if (!safe && !this.#origins(c).includes(c.req.header("origin") ?? ""))
      return refuse(c, 403, "foreign_origin");
    if (!this.#login && isForwarded(c)) return refuse(c, 403, "forwarded", { address: addressSeen(c) });
    return next();
  };

  /** Refuses whoever has not logged in. */
  readonly loggedIn: MiddlewareHandler = async (c, next) => {
    return (await this.isIn(c)) ? next() : refuse(c, 401, "login_required");
  };

  /** Whether somebody may go on who came in: their device may have been logged out meanwhile. */
  async isIn(c: Context): Promise<boolean> {
    return !this.#login || (await this.#current(c)) !== undefined;
  }

  /** Exchanges the token for a cookie that scripts cannot read and other sites cannot send. */
  async logIn(c: Context, token: string): Promise<Response> {
    const outcome = (await this.#login?.check(token)) ?? "wrong";
    if (outcome !== "right" || !this.#sessions) {
      this.#log.warn({ outcome, device: c.req.header("user-agent")?.slice(0, 200) }, "A login failed");
      return outcome === "paused" ? refuse(c, 429, "login_paused") : refuse(c, 403, "login_wrong");
    }
    const session = await this.#sessions.open(c.req.header("user-agent"), Date.now());
    setCookie(c, COOKIE, session, { ...this.#cookie, maxAge: SESSION_MS / 1000 });
    return c.body(null, 204);
  }

  /** Ends the session of the device that asks. */
  async logOut(c: Context): Promise<Response> {
    const current = await this.#current(c);
    if (current !== undefined) await this.#sessions?.end(current);
    deleteCookie(c, COOKIE, this.#cookie);
    return c.body(null, 204);
  }

  /** Every device that is logged in. */
  async devices(c: Context): Promise<readonly DeviceSession[]> {
    return this.#sessions?.all(await this.#current(c)) ?? [];
  }

  /** Logs another device out. @returns whether it was logged in */
  async logOutDevice(id: string): Promise<boolean> {
    return (await this.#sessions?.end(id)) ?? false;
  }

  async #current(c: Context): Promise<string | undefined> {
    return this.#sessions?.idOf(getCookie(c, COOKIE), Date.now());
  }

  get #cookie() {
    const secure = this.#config.publicUrl?.startsWith("https:") ?? false;
    return { httpOnly: true, sameSite: "Strict", secure, path: "/" } as const;
  }

  /** The page's own origins: where it is reached at directly, and through the operator's proxy. */
  #origins(c: Context): string[] {
    const own = new URL(c.req.url).origin;
    return this.#config.publicUrl ? [own, new URL(this.#config.publicUrl).origin] : [own];
  }
}

const COOKIE = "reelay";
