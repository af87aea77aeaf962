import type { FieldSpec } from "../../../../../src/seam/fields.ts";
import { mayHoldKey } from "../../../../../src/seam/text/key-in-words.ts";
import type { Value } from "../../../../../src/seam/values.ts";
import type { ComposerDraft } from "./context.ts";

/**
 * A draft as it may be kept in the clear: without the words in which a key may stand. Codes and choices are long and mean nothing,
 * too: only words are looked at. This is loaded once there is something to look at.
 * @param fields of its form
 */
export function withoutKeys(draft: ComposerDraft, fields: readonly FieldSpec[]): ComposerDraft {
  const { values, unused } = draft;
  const words = new Set(fields.filter(isForWords).map(({ name }) => name));
  const kept = Object.entries(values).filter(([name, value]) => !words.has(name) || isKept(value));
  const waiting = unused?.values.filter(({ field, value }) => !isForWords(field) || isKept(value)) ?? [];
  return {
    ...draft,
    values: Object.fromEntries(kept),
    ...(unused && { unused: { ...unused, values: waiting } }),
  };
}

const isForWords = ({ control }: FieldSpec) => control === "text";
const isKept = (value: Value | undefined) => typeof value !== "string" || !mayHoldKey(value);
