import { useLayoutEffect, useState } from "preact/hooks";
import type { CommandSpec, FieldSpec } from "../../../../../src/seam/fields.ts";
import type { Values } from "../../../../../src/seam/values.ts";
import type { ComposerDraft } from "./context.ts";
import type { withoutKeys as LooksForKeys } from "./without-keys.ts";

/** Changes the draft, from what it is by then. */
export type ChangeDraft = (draft: ComposerDraft | ((current: ComposerDraft) => ComposerDraft)) => void;

const KEPT_AS = "reelay.draft";
const OPERATION_KEPT_AS = "reelay.operation";

/** A draft as it is kept: somebody else may use the same tab later. */
interface KeptDraft {
  readonly person: string;
  readonly draft: ComposerDraft;
}

/** What looks for keys in words, once it is there. */
let withoutKeys: typeof LooksForKeys | undefined;

/** What can be kept before that is there. */
function wordless(values: Values, fields: readonly FieldSpec[]): Values {
  const words = new Set(fields.flatMap(({ name, control }) => (control === "text" ? name : [])));
  return Object.fromEntries(Object.entries(values).filter(([name]) => !words.has(name)));
}

async function load() {
  ({ withoutKeys } = await import("./without-keys.ts"));
  return withoutKeys;
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
  // Before anything is painted: whoever reloads at once finds what they changed last.
  useLayoutEffect(() => {
    localStorage.setItem(OPERATION_KEPT_AS, draft.operation);
    let isLatest = true;
    const keep = (kept: ComposerDraft) =>
      sessionStorage.setItem(KEPT_AS, JSON.stringify({ person, draft: kept } satisfies KeptDraft));
    const fields = named(draft.operation)?.fields ?? [];
    // An empty one has no words; a first visit does without what looks at them.
    if (Object.keys(draft.values).length === 0 && !draft.unused) keep(draft);
    else if (withoutKeys) keep(withoutKeys(draft, fields));
    else {
      // What is no words is kept meanwhile.
      keep({ operation: draft.operation, values: wordless(draft.values, fields) });
      load().then((look) => (isLatest ? keep(look(draft, fields)) : undefined), dropKept);
    }
    return () => {
      isLatest = false;
    };
  }, [draft]);
  return [draft, setDraft];
}
