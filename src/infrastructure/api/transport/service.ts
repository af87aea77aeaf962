import type { RateGroup } from "../../../common/contract.ts";
import { type Fields, readAnswer } from "./answer.ts";
import type { Body } from "./body.ts";
import type { Checkpoint } from "./checked-body.ts";
import { followed, type MediaStream, openFile, fileUrl } from "./download.ts";
import { ApiError, type CallFailure, NotFound, Unauthorized } from "./errors.ts";
import { type CallGate, openGate } from "./gate.ts";
import { type RetryOptions, retrying } from "./retry.ts";
import { type Exchange, type HttpReply, Transport } from "./transport.ts";

/** Where the service is, who asks, and how. */
export interface ServiceOptions {
  /** The service's address, ending in `/api`. */
  readonly baseUrl: string;
  /** Sent as `X-API-Key` to the service's own origin, and nowhere else (section 5). */
  readonly key: string;
  /** Default: everything passes. */
  readonly gate?: CallGate | undefined;
  /** Shared connections; without them this client has its own, which `close` ends. */
  readonly transport?: Transport | undefined;
  /** Asked before the first and the last bytes of what costs tokens. */
  readonly checkpoint?: Checkpoint | undefined;
  /** Stops everything that this client does. */
  readonly signal?: AbortSignal | undefined;
  readonly retry?: RetryOptions | undefined;
}

/** What every call may be given. */
export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

/** Values of a URL's query; undefined leaves one out. */
export type Query = Readonly<Record<string, string | number | undefined>>;

/**
 * The service's conventions without its endpoints: the key, the gate before every attempt, what is repeated
 * and what never is. An endpoint is one call of `read`, `post`, `submit`, `remove` or `download`.
 */
export class Service {
  readonly #base: URL;
  readonly #key: string;
  readonly #gate: CallGate;
  readonly #transport: Transport;
  readonly #ownsTransport: boolean;
  readonly #checkpoint: Checkpoint | undefined;
  readonly #signal: AbortSignal | undefined;
  readonly #retry: RetryOptions;
  /** Which address each answer came by. */
  readonly #cameBy = new WeakMap<Fields, string>();

  constructor({ baseUrl, key, gate, transport, checkpoint, signal, retry }: ServiceOptions) {
    this.#base = new URL(baseUrl.replace(/\/+$/, ""));
    this.#key = key;
    this.#gate = gate ?? openGate;
    this.#transport = transport ?? new Transport();
    this.#ownsTransport = transport === undefined;
    this.#checkpoint = checkpoint;
    this.#signal = signal;
    this.#retry = retry ?? {};
  }

  /**
   * A GET, repeated while that can help.
   * @param path below the base address, starting with a slash
   */
  read(group: RateGroup, path: string, query: Query = {}, options: CallOptions = {}): Promise<Fields> {
    const url = this.#url(path);
    for (const [name, value] of Object.entries(query))
      if (value !== undefined) url.searchParams.set(name, String(value));
    const signal = this.#signalOf(options);
    return retrying(
      () => this.#attempt(group, { method: "GET", url, paid: false, signal }),
      this.#retry,
      signal,
    );
  }

  /** A DELETE, repeated while that can help: what a repetition does not find any more has been deleted. */
  remove(group: RateGroup, path: string, options: CallOptions = {}): Promise<void> {
    const signal = this.#signalOf(options);
    const call = { method: "DELETE", url: this.#url(path), paid: false, signal } as const;
    return retrying(
      async (number) => {
        try {
          await this.#attempt(group, call);
        } catch (error) {
          if (number === 1 || !(error instanceof NotFound)) throw error;
        }
      },
      this.#retry,
      signal,
    );
  }

  /** A POST of what costs tokens: sent once and never repeated (the service knows no idempotency key). */
  submit(group: RateGroup, path: string, body: Body, options: CallOptions = {}): Promise<Fields> {
    const signal = this.#signalOf(options);
    const call = { method: "POST", url: this.#url(path), paid: true, body, signal } as const;
    return this.#attempt(group, { ...call, checkpoint: this.#checkpoint });
  }

  /**
   * A POST of what costs nothing and does the same when it is done twice: repeated while that can help.
   * @param maxStringBytes longer strings of the answer are emptied; 256 KiB unless given
   */
  post(
    group: RateGroup,
    path: string,
    body: Body,
    options: CallOptions = {},
    maxStringBytes?: number,
  ): Promise<Fields> {
    const signal = this.#signalOf(options);
    const call = { method: "POST", url: this.#url(path), paid: false, body, signal } as const;
    return retrying(() => this.#attempt(group, call, maxStringBytes), this.#retry, signal);
  }

  /**
   * The absolute address of an endpoint. It holds no key.
   * @param path below the base address, starting with a slash
   */
  address(path: string): string {
    return this.#url(path).href;
  }

  /**
   * Opens a result file, following redirects; repeated until its stream begins.
   * @param address absolute, or relative to the service's origin
   */
  async download(address: string, options: CallOptions = {}): Promise<MediaStream> {
    const signal = this.#signalOf(options);
    const start = fileUrl(address, this.#base.origin);
    return retrying(() => followed(start, (url) => this.#openFile(url, signal)), this.#retry, signal);
  }

  /** What an answer comes to that holds nothing of what the service would have said: it counts against the address that it came by. */
  unknown(answer: Fields, failure: new (failure: CallFailure) => ApiError): ApiError {
    const error = new failure({ status: 200, byService: false });
    const egress = this.#cameBy.get(answer);
    if (egress !== undefined) this.#transport.noteAnswer(egress, error);
    return error;
  }

  /** Ends the connections that only this client uses. */
  async close(): Promise<void> {
    if (this.#ownsTransport) await this.#transport.close();
  }

  #attempt(group: RateGroup, call: Exchange, maxStringBytes?: number): Promise<Fields> {
    const { method, paid, signal } = call;
    return this.#gate({ group, method, paid, signal }, async (egress) => {
      const reply = await this.#exchange({ ...call, egress }, "application/json");
      try {
        const answer = await readAnswer(reply, this.#key, maxStringBytes);
        if (egress !== undefined) this.#cameBy.set(answer, egress);
        return answer;
      } catch (error) {
        if (egress !== undefined && error instanceof ApiError) this.#transport.noteAnswer(egress, error);
        throw error;
      }
    });
  }

  async #openFile(url: URL, signal: AbortSignal | undefined): Promise<HttpReply> {
    const call = { method: "GET", url, paid: false, signal } as const;
    const send = async (egress?: string) =>
      openFile(await this.#exchange({ ...call, egress }, "*/*"), this.#isOwn(url), this.#key);
    // Files outside the API are under no published limit (section 8.1).
    const limited = this.#isOwn(url) && url.pathname.startsWith(`${this.#base.pathname}/`);
    return limited ? this.#gate({ group: "status", method: "GET", paid: false, signal }, send) : send();
  }

  #exchange(call: Exchange, accept: string): Promise<HttpReply> {
    if (!this.#isOwn(call.url)) return this.#transport.exchange(call);
    // What no header can carry is no key; the HTTP client would quote it.
    if (!/^[\x21-\x7e]+$/.test(this.#key)) throw new Unauthorized();
    return this.#transport.exchange({ ...call, headers: { accept, "x-api-key": this.#key } });
  }

  #isOwn(url: URL): boolean {
    return url.origin === this.#base.origin;
  }

  #url(path: string): URL {
    return new URL(this.#base.href + path);
  }

  #signalOf({ signal }: CallOptions): AbortSignal | undefined {
    const signals = [this.#signal, signal].filter((one) => one !== undefined);
    return signals.length > 1 ? AbortSignal.any(signals) : signals[0];
  }
}
