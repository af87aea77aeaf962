import { Readable } from "node:stream";
import { ReelayError } from "../../../common/errors.ts";
import {
  asUrlError,
  checkAddress,
  checkedUrl,
  type Guard,
  type GuardedAnswer,
  guardedRequest,
} from "../../net/guarded.ts";
import { timeoutAwake } from "../../../common/time.ts";
import { answered, noteUnfetched } from "../../../common/unfetched.ts";
import { limited } from "./limited.ts";

/** What a person's URL may cost and where it may lead. */
export interface FetchOptions extends Guard {
  /** The largest file taken, in bytes. */
  readonly maxBytes: number;
  /** For everything together, from the first lookup to the last byte, in milliseconds. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

const MAX_REDIRECTS = 3;
const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const HEADERS = { accept: "image/*,*/*;q=0.1" };

/** Looks where a person's URL leads, before anything is fetched. @throws ReelayError `url_refused`, `url_with_password` */
export function checkUserUrl(address: string, guard: Guard): Promise<void> {
  return checkAddress(address, guard);
}

/**
 * Opens what a person's URL leads to: over https, on port 443, at public addresses only, on every step of at
 * most 3 redirects. Hosts of the operator's own network are excepted by `privateHosts`.
 *
 * The stream fails with ReelayError `media_too_large` or `url_failed` when a cap is met on the way.
 * @returns the stream and the type that the host announces, which is not to be believed
 * @throws ReelayError `url_refused`, `url_with_password`, `url_failed`, `media_too_large` with `max` in bytes
 */
export async function fetchUserUrl(
  address: string,
  options: FetchOptions,
): Promise<{ stream: Readable; type: string }> {
  const timeout = timeoutAwake(options.timeoutMs);
  const signal = options.signal ? AbortSignal.any([timeout, options.signal]) : timeout;
  let url = URL.parse(address);
  try {
    url = checkedUrl(address, options.privateHosts);
    for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
      const answer = await guardedRequest(url, { method: "GET", headers: HEADERS, signal }, options);
      const { status, headers } = answer;
      if (status >= 200 && status < 300) {
        if (Number(headers["content-length"]) > options.maxBytes) {
          await answer.end();
          throw new ReelayError("media_too_large", { max: options.maxBytes });
        }
        const stream = Readable.from(contents(answer, url, options.maxBytes), { objectMode: false });
        return { stream, type: headers["content-type"] ?? "application/octet-stream" };
      }
      await answer.end();
      if (!REDIRECTS.has(status)) throw failed(answered(status));
      url = checkedUrl(headers.location ?? "", options.privateHosts, url);
    }
    throw failed("it leads from one address to the next");
  } catch (error) {
    throw url ? noteUnfetched(error, url) : error;
  }
}

const failed = (reason: string) => new ReelayError("url_failed", {}, { cause: new Error(reason) });

async function* contents(answer: GuardedAnswer, url: URL, maxBytes: number): AsyncGenerator<Buffer> {
  try {
    yield* limited(maxBytes)(answer.body);
  } catch (cause) {
    throw noteUnfetched(asUrlError(cause), url);
  } finally {
    await answer.end();
  }
}
