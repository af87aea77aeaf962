import { useEffect, useState } from "preact/hooks";
import type { Quote } from "../../../../src/chat/fields.ts";
import type { Values } from "../../../../src/chat/values.ts";
import type { ProblemBody } from "../../wire.ts";
import { problemOf } from "./api.ts";
import { useChat } from "./context.ts";

/** How long typing must rest before the price is asked for, in milliseconds. */
const REST_MS = 300;

/** What the composer's values will cost, or why the service would refuse them. */
export interface Priced {
  readonly quote?: Quote;
  readonly problem?: ProblemBody;
}

/**
 * Follows the price while values change.
 * @param ready false while something required is missing: nothing is asked then
 * @param occasion changes when the balance may have
 */
export function useQuote(operation: string, values: Values, ready: boolean, occasion: unknown): Priced {
  const { api } = useChat();
  const [priced, setPriced] = useState<Priced>({});
  useEffect(() => {
    const abort = new AbortController();
    const timer = setTimeout(() => {
      if (!ready) return setPriced({});
      api.quote(operation, values, abort.signal).then(
        (quote) => setPriced({ quote }),
        (error: unknown) => {
          if (!abort.signal.aborted) setPriced({ problem: problemOf(error) });
        },
      );
    }, REST_MS);
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [api, operation, JSON.stringify(values), ready, occasion]);
  return priced;
}
