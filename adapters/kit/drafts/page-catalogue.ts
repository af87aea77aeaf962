import { pageOf } from "../../../src/seam/browse/pager.ts";
import { codeOf, titleOf } from "../../../src/seam/browse/catalogues.ts";
import type { FieldSpec, Suggestion } from "../../../src/seam/fields.ts";
import type { Button, Rows } from "../messages/buttons.ts";
import type { FieldScreen } from "./draft.ts";
import { button, inPairs } from "./page-parts.ts";
import type { DraftState } from "./state.ts";

/** Stands for every category. */
const ALL = "";

/** Looks through a field's catalogue: its categories first, where there are several; then page by page. */
export function catalogueRows(state: DraftState, field: FieldSpec, screen: FieldScreen): Rows {
  const { category, words } = screen;
  const categories = Map.groupBy(state.entries, (entry) => entry.category);
  if (categories.size > 1 && category === undefined && words === undefined)
    return categoryRows(state, field, categories);
  const entries = state.entries.filter((entry) => !category || isIn(entry, category));
  const { items, page, pages } = pageOf(entries, screen.page ?? 0);
  const rows = items.map((entry) => [entryButton(state, field, entry)]);
  if (pages === 1) return rows;
  const turn = (to: number, label: string) =>
    to >= 0 && to < pages ? [button(label, "page", field.name, to)] : [];
  const here = button(`${page + 1}/${pages}`, "page", field.name, page);
  return [...rows, [...turn(page - 1, "‹"), here, ...turn(page + 1, "›")]];
}

function categoryRows(
  { say, entries }: DraftState,
  { name }: FieldSpec,
  categories: ReadonlyMap<string | undefined, readonly Suggestion[]>,
): Rows {
  const all = button(say("browse.all", { count: entries.length }), "category", name, ALL);
  const each = [...categories].flatMap(([category, members]) =>
    category === undefined
      ? []
      : button(`${category} (${members.length})`, "category", name, codeOf(category)),
  );
  return [[all], ...inPairs(each)];
}

function entryButton({ draft }: DraftState, { name }: FieldSpec, entry: Suggestion): Button {
  const isNow = draft.values[name] === entry.value;
  return button(`${isNow ? "✓ " : ""}${titleOf(entry)}`, "choose", name, codeOf(entry.value));
}

/** Whether an entry is of the category with this code. */
function isIn({ category }: Suggestion, code: string): boolean {
  return category !== undefined && codeOf(category) === code;
}
