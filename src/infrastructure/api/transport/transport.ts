import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { type Dispatcher, request } from "undici";
import { ReelayError } from "../../../common/errors.ts";
import type { Body } from "./body.ts";
import { CheckedBody, type Checkpoint } from "./checked-body.ts";
import { connectionsBy, type Egress } from "./egress.ts";
import { type ApiError, lost, Network } from "./errors.ts";

/** How requests leave. Time-outs are in milliseconds; 0 switches one off. */
export interface TransportOptions {
  /** The addresses that they leave by, at least one. Default: one called `default`, as the machine has it. */
  readonly egresses?: readonly Egress[];
  /** Hears when one of them cannot be left by, and why (an ApiError: by what was answered), and when it can again. */
  readonly onEgress?: (name: string, failure: Error | undefined) => void;
  /** To reach the host and agree on encryption. Default 10 s. */
  readonly connectTimeoutMs?: number;
  /** From the last byte of the request that the network took until the answer begins. Default 60 s. */
  readonly headersTimeoutMs?: number;
  /** Between two pieces of an answer. Default 60 s. */
  readonly bodyTimeoutMs?: number;
}

type Method = "GET" | "POST" | "DELETE";

/** One HTTP request. */
export interface Exchange {
  readonly method: Method;
  readonly url: URL;
  /** The name of the address that it leaves by, whatever happens; left out, it is the first by which connections can be made. */
  readonly egress?: string | undefined;
  /** Whether it costs tokens once it is accepted. */
  readonly paid: boolean;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Body | undefined;
  /** Of what costs tokens: see {@link Checkpoint}. */
  readonly checkpoint?: Checkpoint | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What came back, with the body still to be read (or destroyed). */
export interface HttpReply {
  readonly paid: boolean;
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Readable;
  /** The service's `x-request-id`, else the one that was sent. */
  readonly requestId: string;
}

/** The connections by one address. */
interface Way {
  readonly name: string;
  readonly dispatcher: Dispatcher;
  /** No connection could be made, and nothing was answered since. */
  isUnreached: boolean;
  /** What was answered was not the service's, and nothing was in its own words since. */
  isForeign: boolean;
  readonly isAway: boolean;
}

/** The connections of one program to every host, kept alive and shared between users. */
export class Transport {
  readonly #ways: readonly Way[];
  readonly #onEgress: NonNullable<TransportOptions["onEgress"]>;
  /** What requests failed with that never left. */
  readonly #unreached = new WeakSet<object>();
  #silentSince: number | undefined;

  constructor(options: TransportOptions = {}) {
    const { connectTimeoutMs = 10_000, headersTimeoutMs = 60_000, bodyTimeoutMs = 60_000 } = options;
    const { egresses = [{ name: "default" }], onEgress = () => {} } = options;
    const timeouts = { connectTimeoutMs, headersTimeoutMs, bodyTimeoutMs };
    const unreached = (error: Error) => this.#unreached.add(error);
    this.#onEgress = onEgress;
    this.#ways = egresses.map((egress) => ({
      name: egress.name,
      dispatcher: connectionsBy(egress, timeouts, unreached),
      isUnreached: false,
      isForeign: false,
      get isAway() {
        return this.isUnreached || this.isForeign;
      },
    }));
  }

  /** The addresses that requests leave by, and whether {@link isAway}. */
  get egresses(): readonly Pick<Way, "name" | "isAway">[] {
    return this.#ways;
  }

  /**
   * Whether the last request that was to leave by an address could not, as no connection could be made, or, where there are others, what
   * answered there was last seen not to be the service.
   */
  isAway(egress: string): boolean {
    return this.#way(egress).isAway;
  }

  /** Since when no request was answered, in milliseconds since 1970; undefined where the last one was. */
  get silentSince(): number | undefined {
    return this.#silentSince;
  }

  /**
   * Sends one request, once, following no redirect.
   * @throws Network nothing was sent, or the answer to what costs nothing was lost
   * @throws Unsure the answer to what costs tokens was lost after sending had begun
   * @throws ReelayError what the body's own stream failed with: an incomplete request, never accepted
   * @throws what the checkpoint threw: likewise
   * @throws the signal's reason, when it stopped a request that cannot have been charged
   */
  async exchange({
    method,
    url,
    egress,
    paid,
    headers,
    body,
    checkpoint,
    signal,
  }: Exchange): Promise<HttpReply> {
    signal?.throwIfAborted();
    const way = this.#way(egress);
    const sentId = randomUUID();
    const stream = body?.open();
    const sentAt = Date.now();
    using checked = body && stream && checkpoint && new CheckedBody(stream, body.length, sentId, checkpoint);
    try {
      const answer = await request(url, {
        method,
        dispatcher: way.dispatcher,
        headers: {
          ...headers,
          "x-request-id": sentId,
          ...(body && { "content-type": body.type, "content-length": String(body.length) }),
        },
        // Its types leave iterables out, which undici takes; a Readable made of one would read ahead of what leaves.
        body: (checked as unknown as Readable | undefined) ?? stream ?? null,
        signal: signal ?? null,
      });
      // undici's body fails when it is thrown away unread; whoever reads it still sees every failure.
      answer.body.on("error", () => {});
      this.#silentSince = undefined;
      this.#note(way, { isUnreached: false });
      const requestId = String(answer.headers["x-request-id"] ?? sentId);
      return { paid, status: answer.statusCode, headers: answer.headers, body: answer.body, requestId };
    } catch (cause) {
      stream?.destroy();
      if (checked?.refused) throw checked.refused.reason;
      if (cause instanceof ReelayError && !signal?.aborted) throw cause;
      if (!signal?.aborted) this.#silentSince ??= sentAt;
      // Where one host cannot be reached that nothing is counted at, others may be.
      if (egress !== undefined && cause instanceof Error && this.#unreached.has(cause))
        this.#note(way, { isUnreached: true }, cause);
      const failure = { requestId: sentId, cause };
      // undici reads a body only once its connection stands.
      if (paid && stream?.readableDidRead) throw lost(paid, failure);
      signal?.throwIfAborted();
      throw new Network(failure);
    }
  }

  /**
   * Hears how the answer to a request by an address failed. What is not the service's own counts against the address where there are
   * others, until the service speaks by it: a proxy may answer for everybody, and would leave every job unsure. A 429 is
   * heeded as such, whoever says it.
   */
  noteAnswer(egress: string, failure: ApiError): void {
    const { byService, status } = failure;
    if (byService === undefined || this.#ways.length === 1 || (!byService && status === 429)) return;
    this.#note(this.#way(egress), { isForeign: !byService }, failure);
  }

  /** Ends every connection; requests under way fail. */
  async close(): Promise<void> {
    await Promise.all(this.#ways.map(({ dispatcher }) => dispatcher.destroy()));
  }

  #way(name: string | undefined): Way {
    const way =
      name === undefined
        ? (this.#ways.find(({ isAway }) => !isAway) ?? this.#ways[0])
        : this.#ways.find((one) => one.name === name);
    if (!way) throw new Error(`There is no address called ${name} to leave by`);
    return way;
  }

  #note(way: Way, found: Partial<Pick<Way, "isUnreached" | "isForeign">>, failure?: Error): void {
    const wasAway = way.isAway;
    Object.assign(way, found);
    if (way.isAway !== wasAway) this.#onEgress(way.name, way.isAway ? failure : undefined);
  }
}
