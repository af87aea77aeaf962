import type { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { retryAfterMs } from "../../../infrastructure/api/transport/retry.ts";
import { ReelayError } from "../../../common/errors.ts";
import { limited } from "../../../infrastructure/media/files/limited.ts";
import { guardedRequest } from "../../../infrastructure/net/guarded.ts";
import { scrub } from "../../../infrastructure/telemetry/telemetry.ts";
import { currentTime, sleep } from "../../../common/time.ts";
import { type ModerationAnswer, type ModerationFailure, notTheFormat, readAnswer } from "./answer.ts";
import { type Deadline, within } from "./deadline.ts";
import { Places } from "./places.ts";
import type { ModerationSettings } from "./settings.ts";

/** One thing to look at. OpenAI takes one picture a request ("Number of images (2) exceeds maximum of 1"). */
export type Item =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image_url"; readonly image_url: { readonly url: string } };

/** Requests under way at once. */
const MOST = 4;

/** The pause before the second try, where the endpoint asks for none. */
const PAUSE_MS = 250;

/** An answer is about 2 kB. */
const MAX_ANSWER_BYTES = 1024 * 1024;

/** An endpoint that speaks OpenAI's moderation format. */
export class ModerationEndpoint {
  readonly #settings: ModerationSettings;
  readonly #url: URL;
  readonly #places = new Places(MOST);
  /** How many answers said what is to be known. */
  #answers = 0;

  constructor(settings: ModerationSettings) {
    this.#settings = settings;
    this.#url = new URL(settings.url);
    if (settings.key !== undefined) scrub.register(settings.key);
  }

  /** Asks about something that belongs together; once more where that may help, as it costs nothing. Never throws. */
  async ask(input: readonly Item[], deadline: Deadline): Promise<ModerationAnswer> {
    const body = JSON.stringify({ model: this.#settings.model, input });
    const first = await this.#once(body, deadline);
    const pauseMs = "againInMs" in first ? first.againInMs : undefined;
    if (pauseMs === undefined || currentTime() + pauseMs >= deadline.at) return first;
    try {
      await sleep(pauseMs, deadline.signal);
    } catch {
      return first;
    }
    return this.#once(body, deadline);
  }

  /** One try, when it is its turn. */
  async #once(body: string, deadline: Deadline): Promise<ModerationAnswer> {
    const before = this.#answers;
    try {
      const answer = await within(deadline, () => this.#places.take(() => this.#post(body, deadline.signal)));
      if (answer.kind === "passed" || answer.kind === "flagged") this.#answers += 1;
      return answer;
    } catch {
      const late = down("no answer in time", "Look at the endpoint, or raise REELAY_MODERATION_TIMEOUT_MS.");
      return this.#answers > before ? { ...late, kind: "busy" } : late;
    }
  }

  /** @throws only once the signal has aborted */
  async #post(body: string, signal: AbortSignal): Promise<ModerationAnswer> {
    signal.throwIfAborted();
    const { key } = this.#settings;
    const headers = {
      "content-type": "application/json",
      "user-agent": "Reelay",
      ...(key !== undefined && { authorization: `Bearer ${key}` }),
    };
    // No redirect is followed: the key goes nowhere else. The operator's own address may be a private one.
    const guard = { privateHosts: [this.#url.hostname] };
    try {
      const answer = await guardedRequest(this.#url, { method: "POST", headers, body, signal }, guard);
      try {
        const refusal = refusalOf(answer.status, answer.headers["retry-after"]);
        return refusal ?? readAnswer(await text(capped(answer.body)));
      } finally {
        await answer.end();
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof ReelayError && error.code === "media_too_large")
        return notTheFormat("an answer of more than 1 MiB");
      const advice = "Check REELAY_MODERATION_URL, and whether the endpoint runs.";
      return down(`no connection (${wordFor(error)})`, advice, PAUSE_MS);
    }
  }
}

/** What a status other than success means. */
function refusalOf(status: number, retryAfter: string | undefined): ModerationFailure | undefined {
  if (status >= 200 && status < 300) return undefined;
  const found = `status ${status}`;
  if (status === 401 || status === 403) return down(found, "Check REELAY_MODERATION_KEY.");
  if (status === 404) return down(found, "Check REELAY_MODERATION_URL and REELAY_MODERATION_MODEL.");
  if (status === 429 || status >= 500)
    return down(
      found,
      "The endpoint is overloaded or broken.",
      retryAfterMs(retryAfter, currentTime()) ?? PAUSE_MS,
    );
  // Also 400, for words or a picture that it does not take: nobody may bring about an outage that lets them pass.
  return notTheFormat(found);
}

function down(
  found: string,
  advice: string,
  againInMs?: number,
): ModerationFailure & { readonly kind: "down" } {
  return { kind: "down", found, advice, againInMs };
}

function capped(body: Readable): AsyncIterable<Buffer> {
  return limited(MAX_ANSWER_BYTES)(body);
}

/** What the system calls it, such as `ECONNREFUSED`. */
function wordFor(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return cause?.code ?? code ?? "failed";
}
