import { randomUUID } from "node:crypto";
import { timeoutAwake } from "../../common/time.ts";
import { ECHO_PATH, type Finding } from "../../seam/surface/setup.ts";

/** How long the way through somebody's proxy may take, in milliseconds. */
const TIMEOUT_MS = 10_000;

/** What this process asks itself from outside. */
export class Echo {
  readonly #answers = new Map<string, string>();

  /** The answer to a question that was asked and not answered yet. */
  answerTo(question: string): string | undefined {
    return this.#answers.get(question);
  }

  /** Asks this process by the address that people are to reach it at: nothing else can know the answer. */
  async ask(url: string): Promise<Finding> {
    const [question, answer] = [randomUUID(), randomUUID()];
    this.#answers.set(question, answer);
    try {
      const signal = timeoutAwake(TIMEOUT_MS);
      const response = await fetch(`${url}${ECHO_PATH}/${question}`, { redirect: "manual", signal });
      const isOurs = response.ok && (await response.text()) === answer;
      return isOurs ? reached(url) : away(url, { key: "setup.public.other", params: { url } });
    } catch (error) {
      const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
      const reason = cause instanceof Error ? cause.message : String(cause);
      return away(url, { key: "setup.public.away", params: { url, reason } });
    } finally {
      this.#answers.delete(question);
    }
  }
}

const reached = (url: string): Finding => ({
  check: { name: "public", ok: true, found: `${url} leads here` },
  said: { key: "setup.public.reached", params: { url } },
  stops: false,
});

const away = (url: string, said: Finding["said"]): Finding => ({
  check: { name: "public", ok: false, found: `${url} does not lead here, as far as this machine can tell` },
  said,
  stops: true,
});
