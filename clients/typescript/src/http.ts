import { Refused, refusedBy, Unreachable } from "./errors.ts";

/** Where Reelay is, and who calls it. */
export interface Connection {
  /** Without `/v1`. */
  readonly url: string;
  readonly token: string;
  /** How often a request is sent at most, where repeating it is safe. Default: 6. */
  readonly attempts?: number;
  /** The language of sentences, as in `Accept-Language`. Default: English. */
  readonly language?: string;
  readonly fetch?: typeof fetch;
}

/** What is asked for. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: RequestInit["body"] | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** Longer than this nobody is kept waiting for a request to be sent again, in seconds: a daily cap is told at once. */
const LONGEST_S = 60;

/** Calls Reelay, again where the line broke or it was told to. */
export class Http {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  /**
   * Sends a request. It is repeated where that is safe: without a body, or with an `idempotency-key`.
   * @param path below the address of Reelay, or an address of its own, which is sent no token
   * @param read takes the answer in; where the line breaks meanwhile, the request is repeated as well
   * @throws Refused, Unreachable, or the reason of the signal
   */
  async send<T>(path: string, asked: Asked, read: (response: Response) => T | Promise<T>): Promise<T> {
    const { attempts = 6 } = this.#connection;
    const { method = "GET", headers = {}, signal } = asked;
    const isSafe = method === "GET" || "idempotency-key" in headers;
    for (let attempt = 1; ; attempt++) {
      const error = await this.#once(path, asked, read);
      if (!(error instanceof Error)) return error.value;
      signal?.throwIfAborted();
      const { retryable, retryAfter } =
        error instanceof Refused ? error : { retryable: true, retryAfter: undefined };
      const wait = retryAfter ?? 2 ** attempt / 4;
      if (!isSafe || !retryable || attempt >= attempts || wait > LONGEST_S) throw error;
      await pause(wait * 1000, signal);
    }
  }

  async #once<T>(
    path: string,
    { method = "GET", headers, body, signal }: Asked,
    read: (response: Response) => T | Promise<T>,
  ): Promise<{ readonly value: T } | Refused | Unreachable> {
    const { url, token, language, fetch: send = fetch } = this.#connection;
    const own = {
      authorization: `Bearer ${token}`,
      ...(language !== undefined && { "accept-language": language }),
    };
    const isOwn = path.startsWith("/");
    try {
      const response = await send(isOwn ? url.replace(/\/$/, "") + path : path, {
        method,
        headers: { ...(isOwn && own), ...headers },
        ...(body !== undefined && { body }),
        ...(signal && { signal }),
      });
      return response.ok ? { value: await read(response) } : await refusedBy(response);
    } catch (error) {
      return new Unreachable("Reelay could not be reached.", { cause: error });
    }
  }
}

/** @param ms milliseconds; cut short by the signal, which is then thrown */
export async function pause(ms: number, signal?: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal?.addEventListener("abort", () => (clearTimeout(timer), resolve()), { once: true });
  });
  signal?.throwIfAborted();
}
