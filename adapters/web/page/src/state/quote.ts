import { useEffect, useRef, useState } from "preact/hooks";
import type { Quote } from "../../../../../src/seam/fields.ts";
import type { Values } from "../../../../../src/seam/values.ts";
import type { PageProblem } from "../../../wire.ts";
import { AskRefused, problemOf } from "./api.ts";
import { useChat } from "./context.ts";

/** How long typing must rest before the price is asked for anew, in milliseconds. The first one is asked for at once. */
const REST_MS = 300;

/** What some values will cost, or why they would be refused; neither where it was not asked. */
interface Answer {
  /** The values, and what is made of them, as text. */
  readonly of: string;
  readonly quote?: Quote;
  readonly problem?: PageProblem;
}

const isLost = ({ problem }: Pick<Answer, "problem">) => problem?.code === "quote_lost";

/** What the composer's values will cost. */
export interface Priced {
  readonly quote?: Quote | undefined;
  readonly problem?: PageProblem | undefined;
  /** Whether the price is still that of earlier values. */
  readonly stale: boolean;
  /** What the values of this moment cost, asked for where it is not known. @throws AskRefused `quote_lost` where nothing answers */
  readonly current: () => Promise<Quote | undefined>;
}

/**
 * Follows the price while values change.
 * @param ready false while something required is missing: nothing is asked then
 * @param occasion changes when the balance may have
 */
export function useQuote(operation: string, values: Values, ready: boolean, occasion: unknown): Priced {
  const { api } = useChat();
  const of = JSON.stringify([operation, values]);
  const latest = useRef(of);
  latest.current = of;
  const [answer, setAnswer] = useState<Answer>({ of });

  async function ask(signal?: AbortSignal): Promise<Answer> {
    const told = await api.quote(operation, values, signal).then(
      (quote) => ({ of, quote }),
      (error: unknown) => ({ of, problem: problemOf(error) }),
    );
    if (!signal?.aborted && latest.current === of) setAnswer(told);
    return told;
  }

  async function current(): Promise<Quote | undefined> {
    const isKnown = answer.of === of && (answer.quote ?? answer.problem) !== undefined;
    const { quote, problem }: Answer = isKnown && !isLost(answer) ? answer : await ask();
    // What else is wrong with them is told by whoever is to make it.
    if (problem && isLost({ problem })) throw new AskRefused(problem);
    return quote;
  }

  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(
      () => {
        if (ready) void ask(abort.signal);
        else setAnswer({ of });
      },
      answer.quote ? REST_MS : 0,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [api, of, ready, occasion]);
  const stale = answer.of !== of;
  return { quote: answer.quote, problem: stale ? undefined : answer.problem, stale, current };
}
