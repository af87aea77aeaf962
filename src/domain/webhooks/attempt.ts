import type { Readable } from "node:stream";
import { checkedUrl, type GuardedAgent } from "../../infrastructure/net/guarded.ts";
import { within } from "../../common/time.ts";
import type { AttemptOutcome } from "./schedule.ts";

/** How much of an answer is read, and how long, before it is cut off: it is thrown away anyway. Bytes, milliseconds. */
const MOST_READ = { bytes: 64 * 1024, ms: 1_000 } as const;

/** One try to send a message. */
export interface Try {
  readonly url: string;
  readonly body: string;
  /** Those that sign it. */
  readonly headers: Readonly<Record<string, string>>;
  /** `REELAY_PRIVATE_HOSTS`. */
  readonly privateHosts: readonly string[];
  /** What it is sent by. */
  readonly agent: GuardedAgent;
  /** For everything together, in milliseconds. */
  readonly timeoutMs: number;
  /** Ends it before that, as a time-out. */
  readonly givenUp: AbortSignal;
  readonly signal: AbortSignal;
}

/** What a try came to, and in a word why nothing was answered. */
export interface Tried extends AttemptOutcome {
  readonly error: string | null;
}

/**
 * Sends a message once. What is answered counts as soon as its head is there.
 * @throws the signal's reason
 */
export async function attempt(message: Try): Promise<Tried> {
  let isOver = false;
  const send = async (signal: AbortSignal) => {
    signal.addEventListener("abort", () => (isOver = true));
    const answer = await message.agent.request(checkedUrl(message.url, message.privateHosts), {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": "Reelay", ...message.headers },
      body: message.body,
      signal,
    });
    await waste(answer.body);
    await answer.end();
    return { status: answer.status, retryAfter: answer.headers["retry-after"], error: null };
  };
  try {
    return await within(message.timeoutMs, send, message.givenUp, message.signal);
  } catch (error) {
    message.signal.throwIfAborted();
    return { status: null, error: isOver || message.givenUp.aborted ? "timeout" : wordFor(error) };
  }
}

/** Reads a little of an answer, so that whoever gives it may finish; how that ends does not matter. */
export async function waste(body: Readable): Promise<void> {
  const enough = setTimeout(() => body.destroy(), MOST_READ.ms);
  let read = 0;
  try {
    for await (const chunk of body) {
      read += (chunk as Buffer).length;
      if (read >= MOST_READ.bytes) return;
    }
  } catch {
    // Broken off, or too slow.
  } finally {
    clearTimeout(enough);
  }
}

/** `url_refused`, or what the system calls it, such as `ECONNREFUSED`. */
function wordFor(error: unknown): string {
  const { code, cause } = error as { code?: string; cause?: { code?: string } };
  return cause?.code ?? code ?? "failed";
}
