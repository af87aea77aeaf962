import { Hono, type Context } from "hono";
import { secureHeaders } from "hono/secure-headers";
import type { Caller, Scope } from "../../../src/seam/access/partners.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import type { PartnerHost, SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { SurfaceConfig } from "../../../src/seam/config.ts";
import { asReelayError, ReelayError } from "../../../src/common/errors.ts";
import { type Locale, nearestLocale } from "../../../src/common/i18n.ts";
import { tellFailure } from "../../../src/infrastructure/telemetry/access-log.ts";
import type { ProblemBody } from "../resources/problem.ts";
import { problemBody } from "./problem.ts";
import { withoutKeys } from "./refuse-keys.ts";
import { bearerOf, MODE_HEADER, withTestTokens } from "./test-tokens.ts";
import { RateLimit } from "../../../src/common/rate-limit.ts";
import { retryAfter } from "./retry-after.ts";
import { type ProblemStatus, STATUS_OF } from "./status.ts";

/** Says to a browser that it may let a page read the answer. */
const ALLOW_ORIGIN = "access-control-allow-origin";

/** Says to a browser whose pages may show the answer without reading it (Fetch, section 3.7). */
export const SHOWN_BY = "cross-origin-resource-policy";

/** What requests are let in with. */
interface AccessParts {
  readonly host: SurfaceHost;
  readonly forPartners: PartnerHost;
  /** The core, once there is one. */
  readonly intake: () => Pick<Intake, "keys">;
}

/** Where partners' requests come in: whoever they are, they are counted together. */
export class Access {
  readonly #parts: AccessParts;
  readonly #limit = new RateLimit("partner");

  constructor(parts: AccessParts) {
    this.#parts = parts;
  }

  /**
   * Routes in which every request is refused alike.
   * @param refuse left out: with a problem (RFC 9457)
   */
  open(refuse = (c: Context, thrown: unknown) => this.refuse(c, thrown)): Hono {
    const app = new Hono();
    app.use(async (c, next) => {
      c.header(MODE_HEADER, this.#parts.forPartners.mode);
      await next();
    });
    app.use(withTestTokens(this.#parts.forPartners));
    app.use(
      secureHeaders({
        referrerPolicy: "no-referrer",
        strictTransportSecurity: false,
        crossOriginResourcePolicy: false,
      }),
    );
    app.use(async (c, next) => {
      await next();
      // Unless a route says more.
      if (!c.res.headers.has(SHOWN_BY)) c.header(SHOWN_BY, "same-origin");
    });
    app.use(async (c, next) => {
      c.header("Cache-Control", "private, no-store");
      await next();
    });
    app.onError((thrown, c) => refuse(c, thrown));
    return app;
  }

  /**
   * Whose token a request came with, provided that they may do this now.
   * @param scope what the token must be good for; undefined: anything
   * @throws ReelayError `token_missing`, `token_invalid`, `too_many_requests`, `origin_refused`, `scope_missing`
   */
  async admit(c: Context, scope?: Scope): Promise<Caller> {
    const token = bearerOf(c);
    if (token === undefined) throw new ReelayError("token_missing");
    const caller = await this.#parts.forPartners.partners.authenticate(token);
    if (!caller) throw new ReelayError("token_invalid");
    const { id, requestsPerMinute: max } = caller.partner;
    c.set("partner", id);
    const { refusedForMs, headers } = this.#limit.take(id, max);
    for (const [name, value] of Object.entries(headers)) c.header(name, value);
    if (refusedForMs !== undefined) throw new ReelayError("too_many_requests", { max, ms: refusedForMs });
    const origin = c.req.header("origin");
    // A page of another partner's: the browser let it call, because it asks before there is a token.
    if (origin !== undefined && c.res.headers.get(ALLOW_ORIGIN) === origin)
      if (!caller.partner.origins?.includes(origin)) throw new ReelayError("origin_refused");
    if (scope && !caller.token.scopes.includes(scope)) throw new ReelayError("scope_missing", { scope });
    return caller;
  }

  /** Says what is wrong with a request. */
  async refuse(c: Context, thrown: unknown): Promise<Response> {
    const { body, status } = await this.refusal(c, thrown);
    return c.json(body, status, { "Content-Type": "application/problem+json" });
  }

  /** What is to be told of a request that is refused, as the body of an answer of which all else is said. */
  async refusal(
    c: Context,
    thrown: unknown,
  ): Promise<{ readonly body: ProblemBody; readonly status: ProblemStatus }> {
    const error = await withoutKeys(this.#parts.intake, asReelayError(thrown));
    c.set("refused", error.code);
    if (error.code === "internal")
      tellFailure(this.#parts.host.log, c, thrown, "A request of a partner failed");
    const status = STATUS_OF[error.code];
    if (status === 401) c.header("WWW-Authenticate", 'Bearer realm="reelay"');
    if (status === 405) c.header("Allow", String(error.params["allowed"]));
    const seconds = retryAfter(error);
    if (seconds !== undefined) c.header("Retry-After", String(seconds));
    const isRead = c.req.method === "GET" || c.req.method === "HEAD";
    return { body: problemBody(error, c.get("request"), this.localeOf(c), isRead), status };
  }

  /** The first language that is asked for, and known. */
  localeOf(c: Context): Locale {
    return nearestLocale(c.req.header("accept-language"), this.#parts.host.config.locale);
  }
}

/** Where a request reached Reelay, without a slash at its end. */
export function baseOf(c: Context, { publicUrl }: Pick<SurfaceConfig, "publicUrl">): string {
  return publicUrl ?? new URL(c.req.url).origin;
}
