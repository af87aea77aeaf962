import { setTimeout as pause } from "node:timers/promises";
import type { Description } from "./description.ts";
import { type Fault, Faults } from "./faults.ts";
import { RateLimits } from "./rate-limits.ts";
import { internalError, rateLimited, Refusal, unauthorized } from "./refusal.ts";
import type { Handler, RestRequest, Routes } from "./request.ts";
import { applications } from "./routes/applications.ts";
import { attachments } from "./routes/attachments.ts";
import { channels } from "./routes/channels.ts";
import { guilds } from "./routes/guilds.ts";
import { interactions } from "./routes/interactions.ts";
import type { World } from "./world.ts";

/** One call of the bot's, as it was understood. */
export interface Call {
  /** As the official description writes it: "POST /channels/{channel_id}/messages". */
  readonly route: string;
  readonly params: RestRequest["params"];
  /** The JSON; nothing when it could not be read. */
  readonly body: unknown;
  readonly files: readonly { readonly name: string; readonly size: number }[];
  /** When it was answered, in the fake's milliseconds since 1970. */
  readonly at: number;
  readonly result?: unknown;
  readonly error?: Refusal;
}

/** How a call ends on the wire. */
export type Outcome =
  | {
      readonly kind: "answer";
      readonly result: unknown;
      readonly headers: Readonly<Record<string, string>>;
    }
  | {
      readonly kind: "refusal";
      readonly refusal: Refusal;
      readonly headers: Readonly<Record<string, string>>;
    }
  | { readonly kind: "page" }
  | { readonly kind: "reset" };

/** The HTTP API over one world. */
export class RestApi {
  readonly faults = new Faults();
  readonly log: Call[] = [];
  readonly routes: Routes;
  readonly #world: World;
  readonly #token: string;
  readonly #description: Description | undefined;
  readonly #keepsLog: boolean;
  #sending = 0;
  #posting = 0;
  #editing = 0;
  readonly #rateLimits: RateLimits;

  /** @param gatewayBot answers where the gateway is */
  constructor(
    world: World,
    token: string,
    description: Description | undefined,
    keepsLog: boolean,
    gatewayBot: Handler,
  ) {
    this.#world = world;
    this.#token = token;
    this.#description = description;
    this.#keepsLog = keepsLog;
    this.#rateLimits = new RateLimits(world.clock, world.limits);
    this.routes = {
      "GET /gateway/bot": gatewayBot,
      ...applications,
      ...interactions,
      ...channels,
      ...guilds,
      ...attachments,
    };
  }

  /**
   * Handles one call, or lets the fault strike that waits for it.
   * @param read reads it from the wire
   */
  async call(
    route: string,
    authorization: string | undefined,
    read: () => Promise<RestRequest>,
  ): Promise<Outcome> {
    const fault = this.faults.take(route) ?? this.#liberty(route);
    if (fault?.kind === "slow") await pause(this.#world.clock.real(fault.ms));
    if (fault?.kind === "bad gateway") return { kind: "page" };
    if (fault?.kind === "reset before") return { kind: "reset" };
    const headers: Record<string, string> = {};
    let request: RestRequest | undefined;
    let answer: { result: unknown } | { error: Refusal };
    try {
      request = await read();
      if (fault?.kind === "internal") throw internalError();
      if (fault?.kind === "rate limit") throw rateLimited(fault.retryAfter, fault.global ?? false);
      answer = { result: await this.#handle(route, authorization, request, headers) };
    } catch (error) {
      // What is no refusal is a mistake of the fake's own: it shows in the answer, and so in the test.
      const refused =
        error instanceof Refusal ? error : new Refusal(500, 0, `The fake failed: ${String(error)}`);
      answer = { error: refused };
    }
    this.#record(route, request, answer);
    if (fault?.kind === "reset after") return { kind: "reset" };
    if (fault?.kind === "slow after") await pause(this.#world.clock.real(fault.ms));
    return "error" in answer
      ? { kind: "refusal", refusal: answer.error, headers }
      : { kind: "answer", result: answer.result, headers };
  }

  /** What strikes a call where nothing else does. A first answer has three seconds, and is spared. */
  #liberty(route: string): Fault | undefined {
    const { floodEvery, retryAfter, lostEditEvery, lostPostEvery } = this.#world.liberties;
    if (!/^(?:POST|PATCH) .*(?:messages|webhook_token})/.test(route)) return undefined;
    const isEdit = route.startsWith("PATCH");
    this.#sending += 1;
    if (isDue(this.#sending, floodEvery)) return { kind: "rate limit", retryAfter };
    this.#editing += isEdit ? 1 : 0;
    this.#posting += isEdit ? 0 : 1;
    const isLost = isEdit ? isDue(this.#editing, lostEditEvery) : isDue(this.#posting, lostPostEvery);
    return isLost ? { kind: "reset after" } : undefined;
  }

  async #handle(
    route: string,
    authorization: string | undefined,
    request: RestRequest,
    headers: Record<string, string>,
  ): Promise<unknown> {
    const carriesToken = /\/(?:interactions|webhooks)\//.test(route);
    if (!carriesToken && authorization !== `Bot ${this.#token}`) throw unauthorized();
    Object.assign(headers, this.#rateLimits.admit(route, request.params));
    if (request.body !== undefined) this.#description?.checkBody(route, request.body);
    const result: unknown = await this.routes[route]?.(this.#world, request as RestRequest<never>);
    if (result === undefined) return undefined;
    // Later changes to what was answered do not change the log.
    const answer: unknown = JSON.parse(JSON.stringify(result));
    this.#description?.checkAnswer(route, answer);
    return answer;
  }

  #record(
    route: string,
    request: RestRequest | undefined,
    answer: { result: unknown } | { error: Refusal },
  ): void {
    if (this.#keepsLog) {
      const files = (request?.uploads ?? []).map(({ name, bytes }) => ({ name, size: bytes.length }));
      const { params = {}, body } = request ?? {};
      this.log.push({ route, params, body, files, at: this.#world.clock.now(), ...answer });
    }
    this.#world.changes.emit("change");
  }
}

/** Whether it is the turn of the nth of something that befalls every so many; none for 0. */
const isDue = (nth: number, every: number) => every > 0 && nth % every === 0;
