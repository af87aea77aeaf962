import * as oauth from "oauth4webapi";
import { z } from "zod";
import type { DiscordSignInConfig } from "../../src/seam/config.ts";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { type Proof, studioAddress } from "../../src/seam/surface/sign-in.ts";
import type { RefusalCode } from "./wire.ts";
import { currentTime } from "../../src/common/time.ts";

type Reason = Extract<RefusalCode, `sign_in_${string}`>;

/** Where Discord asks somebody, and its API (topics/oauth2, "OAuth2 URLs"; reference, "Base URL"). */
const ISSUER = "https://discord.com";
const AUTHORIZE = `${ISSUER}/oauth2/authorize`;
const API_ROOT = `${ISSUER}/api`;

/** How long Discord may take to answer, in milliseconds. */
const ANSWER_MS = 10_000;

const person = z.object({ id: z.string().regex(/^\d+$/) });

/** A sign-in that was begun. */
export interface BegunSignIn {
  /** Where Discord asks the person. */
  readonly address: string;
  /** What their browser keeps meanwhile: only it can end what it began. */
  readonly secret: string;
}

/**
 * Signing in by Discord itself: the authorization code flow with state and PKCE, for nobody's name or mail, only for who it
 * is. The token that comes of it is used once, and kept nowhere.
 */
export class DiscordSignIn {
  readonly #log: SurfaceHost["log"];
  readonly #client: oauth.Client;
  readonly #proof: oauth.ClientAuth;
  readonly #redirect: string;
  readonly #server: oauth.AuthorizationServer;
  readonly #api: string;

  /** @returns undefined where the operator has not set it up */
  static of(host: Pick<SurfaceHost, "config" | "log">): DiscordSignIn | undefined {
    const redirect = studioAddress(host.config);
    const { discordSignIn } = host.config;
    return discordSignIn && redirect !== undefined
      ? new DiscordSignIn(host, discordSignIn, redirect)
      : undefined;
  }

  private constructor(
    { log }: Pick<SurfaceHost, "log">,
    { clientId, clientSecret, apiRoot = API_ROOT }: DiscordSignInConfig,
    redirect: string,
  ) {
    this.#log = log;
    this.#client = { client_id: clientId };
    this.#proof = oauth.ClientSecretPost(clientSecret);
    this.#redirect = redirect;
    this.#api = `${apiRoot}/v10`;
    this.#server = { issuer: ISSUER, token_endpoint: `${this.#api}/oauth2/token` };
  }

  async begin(): Promise<BegunSignIn> {
    const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
    const address = new URL(AUTHORIZE);
    address.search = new URLSearchParams({
      response_type: "code",
      client_id: this.#client.client_id,
      scope: "identify",
      redirect_uri: this.#redirect,
      state,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      // Whoever has agreed before is not asked again.
      prompt: "none",
    }).toString();
    return { address: address.href, secret: `${state}.${verifier}` };
  }

  /**
   * Who somebody is that came back from Discord.
   * @param secret what their browser kept; undefined: it began nothing, or too long ago
   * @param query what stands in the address that Discord led them to
   * @returns or why that is not known
   */
  async end(secret: string | undefined, query: string): Promise<Proof | Reason> {
    const [state, verifier] = secret?.split(".") ?? [];
    if (!state || !verifier) return "sign_in_stale";
    const given = this.#givenBy(query, state);
    if (typeof given === "string") return given;
    try {
      const id = await this.#personOf(await this.#tokenFor(given, verifier));
      return { user: `discord:${id}`, id: `discord:${state}`, at: currentTime() };
    } catch (error) {
      const said = error instanceof oauth.ResponseBodyError ? error.error : undefined;
      // The code was used already, or waited for too long.
      if (said === "invalid_grant") return "sign_in_stale";
      return this.#unavailable(error, said);
    }
  }

  /** What Discord gave somebody to come back with, if they did so from what was begun here. */
  #givenBy(query: string, state: string): URLSearchParams | Reason {
    try {
      const given = oauth.validateAuthResponse(this.#server, this.#client, new URLSearchParams(query), state);
      return given.has("code") ? given : "sign_in_forged";
    } catch (error) {
      if (!(error instanceof oauth.AuthorizationResponseError)) return "sign_in_forged";
      return error.error === "access_denied" ? "sign_in_declined" : this.#unavailable(error, error.error);
    }
  }

  async #tokenFor(given: URLSearchParams, verifier: string): Promise<string> {
    const answer = await oauth.authorizationCodeGrantRequest(
      this.#server,
      this.#client,
      this.#proof,
      given,
      this.#redirect,
      verifier,
      this.#options(),
    );
    return (await oauth.processAuthorizationCodeResponse(this.#server, this.#client, answer)).access_token;
  }

  async #personOf(token: string): Promise<string> {
    const me = new URL(`${this.#api}/users/@me`);
    const answer = await oauth.protectedResourceRequest(
      token,
      "GET",
      me,
      undefined,
      undefined,
      this.#options(),
    );
    return person.parse(await answer.json()).id;
  }

  /** An API server of the operator's own may be in their own network. */
  #options() {
    return {
      signal: AbortSignal.timeout(ANSWER_MS),
      [oauth.allowInsecureRequests]: this.#api.startsWith("http:"),
    };
  }
  #unavailable(error: unknown, said: string | undefined): Reason {
    const found = error instanceof Error ? error.message : String(error);
    this.#log.error({ found, said }, "Discord signed nobody in: see DISCORD_CLIENT_ID and _SECRET");
    return "sign_in_unavailable";
  }
}
