import { useEffect, useState } from "preact/hooks";
import type { Quote } from "../../../../../src/seam/fields.ts";
import type { Values } from "../../../../../src/seam/values.ts";
import type { PageProblem } from "../../../wire.ts";
import { problemOf } from "./api.ts";
import { useChat } from "./context.ts";

/** How long typing must rest before the price is asked for, in milliseconds. */
const REST_MS = 300;

/** What some values will cost, or why they would be refused. */
interface Answer {
  /** The values, as text. */
  readonly of: string;
  readonly quote?: Quote;
  readonly problem?: PageProblem;
}

/** What the composer's values will cost. */
export interface Priced {
  readonly quote?: Quote | undefined;
  readonly problem?: PageProblem | undefined;
  /** Whether the price is still that of earlier values. */
  readonly stale: boolean;
}

/**
 * Follows the price while values change.
 * @param ready false while something required is missing: nothing is asked then
 * @param occasion changes when the balance may have
 */
export function useQuote(operation: string, values: Values, ready: boolean, occasion: unknown): Priced {
  const { api } = useChat();
  const of = JSON.stringify(values);
  const [answer, setAnswer] = useState<Answer>({ of });
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      if (!ready) return setAnswer({ of });
      api.quote(operation, values, abort.signal).then(
        (quote) => setAnswer({ of, quote }),
        (error: unknown) => {
          if (!abort.signal.aborted) setAnswer({ of, problem: problemOf(error) });
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [api, operation, of, ready, occasion]);
  const stale = answer.of !== of;
  return { quote: answer.quote, problem: stale ? undefined : answer.problem, stale };
}
