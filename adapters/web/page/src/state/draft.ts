import { useEffect, useState } from "preact/hooks";
import type { CommandSpec } from "../../../../../src/seam/fields.ts";
import type { ComposerDraft } from "./context.ts";

/** Changes the draft, from what it is by then. */
export type ChangeDraft = (draft: ComposerDraft | ((current: ComposerDraft) => ComposerDraft)) => void;

const KEPT_AS = "reelay.draft";
const OPERATION_KEPT_AS = "reelay.operation";

/** A draft as it is kept: somebody else may use the same tab later. */
interface KeptDraft {
  readonly person: string;
  readonly draft: ComposerDraft;
}

/** Drops what a reload of the tab would bring back, until the draft changes: for keys that only the server knows. */
export const dropKept = () => sessionStorage.removeItem(KEPT_AS);

/**
 * What the composer holds; a reload of the tab does not lose it, but for words with a key, and a new one begins with what was made
 * last.
 */
export function useDraft(person: string, operations: readonly CommandSpec[]): [ComposerDraft, ChangeDraft] {
  const named = (wanted: string | null | undefined) => operations.find(({ name }) => name === wanted);
  const [draft, setDraft] = useState<ComposerDraft>(() => {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "null") as KeptDraft | null;
    if (kept?.person === person && named(kept.draft.operation)) return kept.draft;
    const first = named(localStorage.getItem(OPERATION_KEPT_AS)) ?? operations[0];
    return { operation: first?.name ?? "", values: {} };
  });
  useEffect(() => {
    localStorage.setItem(OPERATION_KEPT_AS, draft.operation);
    let isLatest = true;
    async function keep() {
      // An empty one has no words; a first visit does without what looks at them.
      const isEmpty = Object.keys(draft.values).length === 0 && !draft.unused;
      const fields = named(draft.operation)?.fields ?? [];
      const kept = isEmpty ? draft : (await import("./without-keys.ts")).withoutKeys(draft, fields);
      if (isLatest)
        sessionStorage.setItem(KEPT_AS, JSON.stringify({ person, draft: kept } satisfies KeptDraft));
    }
    keep().catch(dropKept);
    return () => {
      isLatest = false;
    };
  }, [draft]);
  return [draft, setDraft];
}
