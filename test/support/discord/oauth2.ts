import { createHash, randomBytes } from "node:crypto";
import { Hono } from "hono";
import { serve } from "@hono/node-server";
import type { AddressInfo } from "node:net";

/** What an application registered for itself in Discord's developer portal. */
export interface Registered {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly redirect: string;
}

/** What a person agreed to. */
interface Grant {
  readonly user: string;
  readonly challenge: string;
  readonly redirect: string;
}

/** Discord's OAuth2, as topics/oauth2 tells of it: what the real one refuses it refuses. `await using` stops it. */
export class FakeOAuth2 implements AsyncDisposable {
  readonly url: string;
  /** What answers instead of it. */
  trouble: "down" | "nonsense" | undefined;
  /** Tokens that it gave out. */
  readonly tokens = new Map<string, string>();
  readonly #registered: Registered;
  readonly #grants = new Map<string, Grant>();
  readonly #server: ReturnType<typeof serve>;

  private constructor(registered: Registered, app: Hono, server: ReturnType<typeof serve>) {
    this.#registered = registered;
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api`;
    this.#route(app);
  }

  static async start(registered: Registered): Promise<FakeOAuth2> {
    const app = new Hono();
    return new Promise((resolve) => {
      const server = serve({ fetch: app.fetch, port: 0, hostname: "127.0.0.1" }, () =>
        resolve(new FakeOAuth2(registered, app, server)),
      );
    });
  }

  /** Where Discord leads a person who agrees to be known. @throws Error where it would show them an error instead */
  agree(address: string, user: string): URL {
    const { redirect, state, challenge } = this.#asked(address);
    const code = randomBytes(15).toString("base64url");
    this.#grants.set(code, { user, challenge, redirect });
    return back(redirect, { code, state });
  }

  /** Where Discord leads a person who does not. */
  decline(address: string): URL {
    const { redirect, state } = this.#asked(address);
    return back(redirect, { error: "access_denied", error_description: "The resource owner denied", state });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if ("closeAllConnections" in this.#server) this.#server.closeAllConnections();
    await new Promise((resolve) => this.#server.close(resolve));
  }

  #asked(address: string) {
    const { origin, pathname, searchParams: asked } = new URL(address);
    const { clientId, redirect } = this.#registered;
    if (origin + pathname !== "https://discord.com/oauth2/authorize") throw new Error("No such page.");
    if (asked.get("client_id") !== clientId) throw new Error("Unknown Application");
    if (asked.get("redirect_uri") !== redirect) throw new Error("Invalid OAuth2 redirect_uri");
    if (asked.get("response_type") !== "code" || asked.get("scope") !== "identify")
      throw new Error("Invalid Form Body");
    if (asked.get("code_challenge_method") !== "S256") throw new Error("Invalid code_challenge_method");
    return { redirect, state: asked.get("state") ?? "", challenge: asked.get("code_challenge") ?? "" };
  }

  #route(app: Hono): void {
    app.use(async (c, next) => {
      if (this.trouble === "down") return c.text("upstream connect error", 503);
      if (this.trouble === "nonsense") return c.html("<h1>Just a moment…</h1>");
      return next();
    });
    app.post("/api/v10/oauth2/token", async (c) => {
      const type = c.req.header("content-type") ?? "";
      if (!type.startsWith("application/x-www-form-urlencoded"))
        return c.json({ error: "unsupported_grant_type" }, 400);
      const form = new URLSearchParams(await c.req.text());
      const { clientId, clientSecret } = this.#registered;
      if (form.get("client_id") !== clientId || form.get("client_secret") !== clientSecret)
        return c.json({ error: "invalid_client" }, 401);
      if (form.get("grant_type") !== "authorization_code")
        return c.json({ error: "unsupported_grant_type" }, 400);
      const code = form.get("code") ?? "";
      const grant = this.#grants.get(code);
      this.#grants.delete(code);
      const verifier = form.get("code_verifier") ?? "";
      const fits =
        grant?.redirect === form.get("redirect_uri") &&
        grant?.challenge === createHash("sha256").update(verifier).digest("base64url");
      if (!grant || !fits)
        return c.json({ error: "invalid_grant", error_description: 'Invalid "code" in request.' }, 400);
      const token = randomBytes(20).toString("base64url");
      this.tokens.set(token, grant.user);
      return c.json({ access_token: token, token_type: "Bearer", expires_in: 604_800, scope: "identify" });
    });
    app.get("/api/v10/users/@me", (c) => {
      const user = this.tokens.get(c.req.header("authorization")?.replace(/^Bearer /i, "") ?? "");
      return user === undefined
        ? c.json({ message: "401: Unauthorized", code: 0 }, 401)
        : c.json({ id: user, username: "ann", discriminator: "0", global_name: null, avatar: null });
    });
  }
}

function back(redirect: string, given: Readonly<Record<string, string>>): URL {
  const url = new URL(redirect);
  for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value);
  return url;
}
