import { useEffect, useState } from "preact/hooks";
import type { CommandSpec } from "../../../../../src/seam/fields.ts";
import type { ChangeDraft } from "./composer.ts";
import type { ComposerDraft } from "./context.ts";

const KEPT_AS = "reelay.draft";
const OPERATION_KEPT_AS = "reelay.operation";

/** A draft as it is kept: somebody else may use the same tab later. */
interface KeptDraft {
  readonly person: string;
  readonly draft: ComposerDraft;
}

/** What the composer holds; a reload of the tab does not lose it, and a new one begins with what was made last. */
export function useDraft(person: string, operations: readonly CommandSpec[]): [ComposerDraft, ChangeDraft] {
  const [draft, setDraft] = useState<ComposerDraft>(() => {
    const kept = JSON.parse(sessionStorage.getItem(KEPT_AS) ?? "null") as KeptDraft | null;
    const named = (wanted: string | null | undefined) => operations.find(({ name }) => name === wanted);
    if (kept?.person === person && named(kept.draft.operation)) return kept.draft;
    const first = named(localStorage.getItem(OPERATION_KEPT_AS)) ?? operations[0];
    return { operation: first?.name ?? "", values: {} };
  });
  useEffect(() => {
    sessionStorage.setItem(KEPT_AS, JSON.stringify({ person, draft } satisfies KeptDraft));
    localStorage.setItem(OPERATION_KEPT_AS, draft.operation);
  }, [draft]);
  return [draft, setDraft];
}
