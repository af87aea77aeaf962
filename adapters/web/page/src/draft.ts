import { useEffect, useState } from "preact/hooks";
import type { CommandSpec } from "../../../../src/chat/fields.ts";
import type { ChangeDraft } from "./composer.ts";
import type { Draft } from "./context.ts";

const KEPT_AS = "reelay.draft";

/** What the composer holds; a reload of the tab does not lose it. */
export function useDraft(operations: readonly CommandSpec[]): [Draft, ChangeDraft] {
  const [draft, setDraft] = useState<Draft>(() => {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "null") as Draft | null;
    const known = operations.some(({ name }) => name === kept?.operation);
    return kept && known ? kept : { operation: operations[0]?.name ?? "", values: {} };
  });
  useEffect(() => sessionStorage.setItem(KEPT_AS, JSON.stringify(draft)), [draft]);
  return [draft, setDraft];
}
