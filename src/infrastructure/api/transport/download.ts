import type { Readable } from "node:stream";
import { readAnswer } from "./answer.ts";
import { ApiError, NotFound, ServiceFailure } from "./errors.ts";
import type { HttpReply } from "./transport.ts";

/** A file on its way, with what is known of it beforehand. */
export interface MediaStream {
  /** Fails when the connection is lost or stalls, or when the signal of its call fires. */
  readonly stream: Readable;
  readonly type: string;
  /** Undefined where the sender did not say. */
  readonly bytes?: number | undefined;
  /** Where it comes from, for a log: its whole address may hold secrets. */
  readonly host?: string;
}

const MAX_REDIRECTS = 5;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);

/**
 * The address of a file, absolute or relative to another.
 * @throws ServiceFailure where it is none that can be fetched
 */
export function fileUrl(address: string, base: string): URL {
  const url = URL.parse(address, base);
  if (url?.protocol !== "https:" && url?.protocol !== "http:") throw new ServiceFailure();
  return url;
}

/**
 * Checks the answer to a download.
 * @param own whether the service itself answered, so that its errors have its meanings
 * @returns a reply that holds the file or redirects to it
 */
export async function openFile(reply: HttpReply, own: boolean, key: string): Promise<HttpReply> {
  const { status, body, requestId } = reply;
  if ((status >= 200 && status < 300) || REDIRECTS.has(status)) return reply;
  // File stores answer 403 to an address that has expired.
  const isGone = [403, 404, 410].includes(status);
  // Throws what the service means by it; behind its address, too, files may be a store's, which says it in no words of its.
  if (own)
    await readAnswer(reply, key).catch((error: unknown) => {
      if (!isGone || !(error instanceof ServiceFailure)) throw error;
    });
  body.destroy();
  throw new (isGone ? NotFound : ServiceFailure)({ status, requestId });
}

/** The file behind an address, after at most 5 redirects. */
export async function followed(start: URL, open: (url: URL) => Promise<HttpReply>): Promise<MediaStream> {
  let url = start;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    const from = url;
    const { status, headers, body } = await open(from).catch((error: unknown) => {
      if (error instanceof ApiError) error.host = from.host;
      throw error;
    });
    if (!REDIRECTS.has(status)) {
      const bytes = headers["content-length"];
      return {
        stream: body,
        type: headers["content-type"] ?? "application/octet-stream",
        bytes: bytes === undefined ? undefined : Number(bytes),
        host: from.host,
      };
    }
    body.destroy();
    url = fileUrl(headers.location ?? "", url.href);
  }
  throw new ServiceFailure();
}
