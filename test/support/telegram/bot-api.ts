import { setTimeout as pause } from "node:timers/promises";
import { readParams, type RawCall } from "./check.ts";
import type { ApiDescription } from "./description.ts";
import { type Fault, Faults } from "./faults.ts";
import { answering } from "./methods/answering.ts";
import { chats } from "./methods/chats.ts";
import { editing } from "./methods/editing.ts";
import { profiling } from "./methods/profiling.ts";
import { reacting } from "./methods/reacting.ts";
import { sending } from "./methods/sending.ts";
import { updating } from "./methods/updating.ts";
import { Refusal, tooManyRequests } from "./refusal.ts";
import type { Upload } from "./upload.ts";
import { Webhook } from "./webhook.ts";
import type { World } from "./world.ts";

/** One call of the bot's, as it was understood. */
export interface Call {
  readonly method: string;
  /** Decoded: numbers, objects and `Upload`s rather than texts. Empty when they could not be read. */
  readonly params: Readonly<Record<string, unknown>>;
  /** When it was answered, in the fake's milliseconds since 1970. */
  readonly at: number;
  readonly result?: unknown;
  readonly error?: Refusal;
}

/** Handlers read what the description has checked, each by its own type of parameters. */
type Handler = (
  world: World,
  params: never,
  request: { readonly files: ReadonlyMap<string, Upload>; readonly gone: AbortSignal },
) => unknown;

/** How a call ends on the wire. */
export type Outcome =
  | { readonly kind: "result"; readonly result: unknown }
  | { readonly kind: "refusal"; readonly refusal: Refusal }
  | { readonly kind: "page" }
  | { readonly kind: "reset" };

const internal = () => new Refusal(500, "Internal Server Error");

/** The methods of the Bot API over one world. */
export class BotApi {
  readonly faults = new Faults();
  readonly log: Call[] = [];
  readonly webhook: Webhook;
  readonly #world: World;
  readonly #api: ApiDescription;
  readonly #keepsLog: boolean;
  #posting = 0;
  #editing = 0;
  readonly #handlers: Readonly<Record<string, Handler>>;

  constructor(world: World, api: ApiDescription, keepsLog: boolean) {
    this.#world = world;
    this.#api = api;
    this.#keepsLog = keepsLog;
    this.webhook = new Webhook(world.inbox, world.clock, (reply) => this.#afterWebhook(reply));
    this.#handlers = {
      ...sending,
      ...editing,
      ...answering,
      ...profiling,
      ...reacting,
      ...chats,
      ...updating(this.webhook),
    };
  }

  /**
   * Handles one call, or lets the fault strike that waits for it.
   * @param read reads the parameters from the wire
   * @param gone aborted when the caller hangs up
   */
  async call(method: string, read: () => Promise<RawCall>, gone: AbortSignal): Promise<Outcome> {
    const fault = this.faults.take(method) ?? this.#liberty(method);
    if (fault?.kind === "slow") await pause(this.#world.clock.real(fault.ms));
    if (fault?.kind === "bad gateway") return { kind: "page" };
    if (fault?.kind === "reset before") return { kind: "reset" };
    const struck =
      fault?.kind === "flood"
        ? tooManyRequests(fault.retryAfter * 1000)
        : fault?.kind === "internal"
          ? internal()
          : undefined;
    const call = await this.#handle(method, read, gone, struck);
    this.#record(call);
    if (fault?.kind === "reset after") return { kind: "reset" };
    return call.error ? { kind: "refusal", refusal: call.error } : { kind: "result", result: call.result };
  }

  /** What strikes a call where nothing else does. */
  #liberty(method: string): Fault | undefined {
    const { floodEvery, lostEditEvery } = this.#world.liberties;
    if (!/^(?:send|edit)/.test(method)) return undefined;
    this.#posting += 1;
    if (floodEvery > 0 && this.#posting % floodEvery === 0) return { kind: "flood", retryAfter: 1 };
    if (!method.startsWith("edit")) return undefined;
    this.#editing += 1;
    return lostEditEvery > 0 && this.#editing % lostEditEvery === 0 ? { kind: "reset after" } : undefined;
  }

  async #handle(
    method: string,
    read: () => Promise<RawCall>,
    gone: AbortSignal,
    struck: Refusal | undefined,
  ): Promise<Call> {
    let params: Record<string, unknown> = {};
    const answered = () => ({ method, params, at: this.#world.clock.now() });
    try {
      const raw = await read();
      const handler = this.#handlers[method];
      if (!handler || !this.#api.methods[method]) throw new Refusal(404, "Not Found: method not found");
      params = readParams(this.#api, method, raw);
      if (struck) throw struck;
      const result = await handler(this.#world, params as never, { files: raw.files, gone });
      return { ...answered(), result };
    } catch (error) {
      // What is no refusal is a mistake of the fake's own: it shows in the answer, and so in the test.
      const refusal =
        error instanceof Refusal ? error : new Refusal(500, `The fake failed: ${String(error)}`);
      return { ...answered(), error: refusal };
    }
  }

  #record(call: Call): void {
    if (this.#keepsLog && call.method !== "getUpdates") this.log.push(call);
    this.#world.changes.emit("change");
  }

  /** The answer to a webhook may hold a call; the bot never hears how that went. */
  async #afterWebhook(reply: unknown): Promise<void> {
    if (typeof reply === "object" && reply !== null && "method" in reply) {
      const { method, ...values } = reply;
      const read = async () => ({ values, files: new Map<string, Upload>() });
      await this.call(String(method), read, new AbortController().signal);
    }
    this.#world.changes.emit("change");
  }
}
