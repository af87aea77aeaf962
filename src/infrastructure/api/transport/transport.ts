import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { Agent, request } from "undici";
import { ReelayError } from "../../../common/errors.ts";
import type { Body } from "./body.ts";
import { CheckedBody, type Checkpoint } from "./checked-body.ts";
import { lost, Network } from "./errors.ts";

/** Time-outs in milliseconds; 0 switches one off. */
export interface TransportOptions {
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

/** The connections of one program to every host, kept alive and shared between users. */
export class Transport {
  readonly #agent: Agent;
  #silentSince: number | undefined;

  constructor(options: TransportOptions = {}) {
    const { connectTimeoutMs = 10_000, headersTimeoutMs = 60_000, bodyTimeoutMs = 60_000 } = options;
    this.#agent = new Agent({
      connect: { timeout: connectTimeoutMs },
      headersTimeout: headersTimeoutMs,
      bodyTimeout: bodyTimeoutMs,
      // Over HTTP/2 one broken connection would leave every submission under way unsure.
      allowH2: false,
    });
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
  async exchange({ method, url, paid, headers, body, checkpoint, signal }: Exchange): Promise<HttpReply> {
    signal?.throwIfAborted();
    const sentId = randomUUID();
    const stream = body?.open();
    const sentAt = Date.now();
    using checked = body && stream && checkpoint && new CheckedBody(stream, body.length, sentId, checkpoint);
    try {
      const answer = await request(url, {
        method,
        dispatcher: this.#agent,
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
      const requestId = String(answer.headers["x-request-id"] ?? sentId);
      return { paid, status: answer.statusCode, headers: answer.headers, body: answer.body, requestId };
    } catch (cause) {
      stream?.destroy();
      if (checked?.refused) throw checked.refused.reason;
      if (cause instanceof ReelayError && !signal?.aborted) throw cause;
      if (!signal?.aborted) this.#silentSince ??= sentAt;
      const failure = { requestId: sentId, cause };
      // undici reads a body only once its connection stands.
      if (paid && stream?.readableDidRead) throw lost(paid, failure);
      signal?.throwIfAborted();
      throw new Network(failure);
    }
  }

  /** Ends every connection; requests under way fail. */
  close(): Promise<void> {
    return this.#agent.destroy();
  }
}
