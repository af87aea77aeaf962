import { useState } from "preact/hooks";
import type { KeyCard } from "../../../../../../src/seam/access/key-pool.ts";
import type { KeyRefused } from "../../../../console/wire.ts";
import type { PageProblem } from "../../../../wire.ts";
import { problemOf } from "../../../src/state/api.ts";
import { useDesk } from "../../state/context.ts";
import { useChange } from "../../state/useChange.ts";
import { operatorText } from "../words.ts";
import { standingText } from "./key-words.ts";

/** What is asked of the server about a key. */
interface KeyRequest {
  readonly method: "POST" | "PUT" | "DELETE";
  /** Behind the key's own path. */
  readonly path?: string;
  readonly body?: object;
  /** The version that whoever asks saw. */
  readonly seen: string;
}

/** Changes a key as it was seen; where it is another by now, it is said how it is. */
export function useKeyChange(name: string, onChanged: () => void) {
  const desk = useDesk();
  const { ask, say } = desk;
  const { busy, change, outcome } = useChange(onChanged);
  const [stale, setStale] = useState<string>();

  /** @param onKnown is given the key as it is afterwards, whether this was done or somebody else was faster */
  const put = (request: KeyRequest, onKnown: (card: KeyCard) => void = () => {}) => {
    setStale(undefined);
    change(async () => {
      const { method, path = "", body, seen } = request;
      try {
        const card = await ask<KeyCard | null>(`keys/${encodeURIComponent(name)}${path}`, {
          method,
          headers: { "content-type": "application/json", "if-match": `"${seen}"` },
          ...(method !== "DELETE" && { body: JSON.stringify(body ?? {}) }),
        });
        if (card) onKnown(card);
      } catch (error) {
        const { card }: PageProblem & Partial<Pick<KeyRefused, "card">> = problemOf(error);
        if (card) {
          const by = operatorText(desk, card.changed?.by ?? null);
          setStale(say("console.keys.stale", { by, now: standingText(say, card) }));
          onKnown(card);
        }
        throw error;
      }
    });
  };
  return { busy, put, outcome: stale === undefined ? outcome : { done: undefined }, stale };
}
