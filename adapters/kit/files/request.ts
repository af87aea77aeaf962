import type { IncomingHttpHeaders } from "node:http";
import { Agent, type Dispatcher, FormData, request } from "undici";

/** What a platform's server answered. */
export interface PlatformAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** To be read to its end or let go of. */
  readonly body: AsyncIterable<Uint8Array> & { text(): Promise<string>; dump(): Promise<void> };
}

/** What a platform is asked. */
export interface PlatformRequest {
  /** Sent as JSON by POST. */
  readonly json?: string;
  /** Sent as a form by POST, field by field; with neither, it is a GET. */
  readonly form?: Readonly<Record<string, string | File>>;
  /** What the request shows whom it is from by. */
  readonly authorization?: string;
  /** How long the server may say nothing, before its answer and in it, in milliseconds. */
  readonly silenceMs?: number;
  /** Also ends the reading of what was answered. */
  readonly signal?: AbortSignal | undefined;
}

/** How long a platform's file server may say nothing, in milliseconds: what else its person does waits meanwhile. */
export const FILE_SILENCE_MS = 10_000;

/** Connections are kept between requests, a request alone on its own; platforms speak HTTP/1.1 to bots as to everybody. */
const agent = new Agent({ allowH2: false });

/**
 * Asks a platform's server once, and follows no redirect: for a third to a sixth of the processor time that `fetch` takes.
 * @throws what broke the connection, with addresses in it; the signal's reason
 */
export async function ask(url: string, asked: PlatformRequest = {}): Promise<PlatformAnswer> {
  const { statusCode, headers, body } = await request(url, {
    dispatcher: agent,
    ...sentOf(asked),
    ...(asked.silenceMs !== undefined && { headersTimeout: asked.silenceMs, bodyTimeout: asked.silenceMs }),
    signal: asked.signal ?? null,
  });
  // It fails when it is thrown away unread; whoever reads it still sees every failure.
  body.on("error", () => {});
  return { status: statusCode, headers, body };
}

/**
 * The same, where the answer is a few words: they are gathered as they come, without a stream to be read.
 * @throws as {@link ask}
 */
export async function askForText(
  url: string,
  asked: PlatformRequest = {},
): Promise<{ readonly status: number; readonly text: string }> {
  const { signal } = asked;
  signal?.throwIfAborted();
  const { origin, pathname, search } = new URL(url);
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; text: string }>();
  const chunks: Buffer[] = [];
  let status = 0;
  let leave = () => reject(signal?.reason);
  const end = () => leave();
  signal?.addEventListener("abort", end, { once: true });
  agent.dispatch(
    { origin, path: pathname + search, ...sentOf(asked) },
    {
      onRequestStart(controller) {
        leave = () => controller.abort(signal?.reason);
        if (signal?.aborted) leave();
      },
      onResponseStart(_, statusCode) {
        status = statusCode;
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        resolve({ status, text: Buffer.concat(chunks).toString("utf8") });
      },
      onResponseError(_, error) {
        reject(error);
      },
    },
  );
  try {
    return await promise;
  } finally {
    signal?.removeEventListener("abort", end);
  }
}

function sentOf({
  json,
  form,
  authorization,
}: PlatformRequest): Pick<Dispatcher.DispatchOptions, "method" | "headers" | "body"> {
  const body = json ?? (form && formOf(form));
  return {
    method: body === undefined ? "GET" : "POST",
    headers: {
      ...(json !== undefined && { "content-type": "application/json" }),
      ...(authorization !== undefined && { authorization }),
    },
    body: body ?? null,
  };
}

function formOf(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

/** Whether an address is on one of these domains, by https. */
export function isOn(url: string, domains: readonly string[]): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === "https:" && domains.some((one) => hostname === one || hostname.endsWith(`.${one}`));
}

/** What an answer means that says nothing else. @param status HTTP's */
export function meaningOfStatus(status: number): "token" | "throughput" | "down" | "refused" {
  if (status === 401) return "token";
  if (status === 429) return "throughput";
  return status >= 500 ? "down" : "refused";
}
