import type { FieldSpec, Proposal, Suggestion } from "../../../src/seam/fields.ts";
import { applicable, firstMissing } from "../../../src/seam/forms/filling.ts";
import type { Sheet } from "../../../src/seam/forms/sheet.ts";
import type { Chosen } from "../../../src/seam/forms/shown-value.ts";
import type { Message, Problem } from "../../../src/seam/views.ts";
import { asReelayError } from "../../../src/common/errors.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { type Draft, originFor, sheetFor } from "./draft.ts";

/** A draft with everything that is shown of it. */
export interface DraftState {
  readonly say: Translate;
  readonly draft: Draft;
  /** Whether nobody else reads what is said where it stands. */
  readonly isPrivate: boolean;
  readonly sheet: Sheet;
  /** The fields that can be filled in now. */
  readonly fields: readonly FieldSpec[];
  /** The first that has to be. */
  readonly missing: FieldSpec | undefined;
  /** What it costs, once nothing is missing. */
  readonly quote: Proposal | undefined;
  /** The entries that were chosen from catalogues. */
  readonly chosen: Chosen;
  /** Of the catalogue that is open. */
  readonly entries: readonly Suggestion[];
  readonly problem: Problem | undefined;
  /** Why the core cannot tell what it costs: then it cannot begin either. */
  readonly obstacle: Problem | undefined;
}

/** What the button that starts it answers: everything that is stated by pressing it. */
export function questionOf({ say, quote }: Pick<DraftState, "say" | "quote">): string {
  const asked = (quote?.asks ?? []).map(({ name, url }) =>
    [say(`statement.${name}`), ...(url === undefined ? [] : [`${say("fact.own_terms")}: ${url}`])].join(" "),
  );
  return asked.join("\n");
}

/** What the button that starts it says, besides the price. */
export function submitMessage({ sheet, quote }: Pick<DraftState, "sheet" | "quote">): Message {
  const isAsked = (quote?.asks ?? []).length > 0;
  return isAsked && sheet.agreement === undefined ? { key: "form.generate.agree" } : sheet.submit;
}

/** What is said instead of a price that nobody knows: so much, and what the like of it cost here. */
export function unknownPrice(say: Translate, { range }: Pick<Proposal, "range">): string {
  if (!range) return say("draft.cost_unknown");
  const { least, most } = range;
  const params = { least, count: most, tokens: most };
  const cost = say(least === most ? "page.tokens" : "draft.range", params);
  return `${say("draft.cost_unknown")} ${say("draft.cost_here", { range: cost })}`;
}

/**
 * Asks the core for everything that is shown of a draft. What it cannot tell becomes the problem that is shown.
 * @throws ReelayError `stale_button` for an operation that there is no more
 */
export async function stateOf(context: ChatContext, draft: Draft): Promise<DraftState> {
  const { intake, origin, say } = context;
  const { values, screen } = draft;
  const sheet = sheetFor(context, draft);
  let obstacle: Problem | undefined;
  const told = async <T>(asked: Promise<T>): Promise<T | undefined> => {
    try {
      return await asked;
    } catch (error) {
      const { code, params } = asReelayError(error);
      obstacle ??= { code, params };
      return undefined;
    }
  };
  const entriesOf = (field: FieldSpec, words = "") =>
    told(intake.suggest(origin, sheet.name, field.name, words, values));
  const isChosen = ({ name, catalogue }: FieldSpec) => catalogue !== undefined && values[name] !== undefined;
  const chosen = Object.fromEntries(
    await Promise.all(
      sheet.fields.filter(isChosen).map(async (field) => {
        const entries = await entriesOf(field);
        return [field.name, entries?.find(({ value }) => value === values[field.name])] as const;
      }),
    ),
  );
  const open = screen.show === "field" ? screen : undefined;
  const field = sheet.fields.find(({ name }) => name === open?.field);
  const entries = field?.catalogue === undefined ? [] : await entriesOf(field, open?.words);
  const missing = firstMissing(sheet.fields, values);
  const there = originFor(context, draft);
  // What cannot begin there at all is said before anything more is filled in.
  if (missing && sheet.costs) await told(intake.admit(there, sheet.name));
  const isAsked = !missing && sheet.costs;
  const quote = isAsked ? await told(intake.quote(there, sheet.name, values)) : undefined;
  return {
    say,
    draft,
    isPrivate: origin.audience === "private",
    sheet,
    // A template without variants has none to choose from.
    fields: applicable(sheet.fields, values).filter(
      ({ within }) => within === undefined || chosen[within]?.variants !== 0,
    ),
    missing,
    quote,
    chosen,
    entries: entries ?? [],
    problem: draft.problem ?? obstacle,
    obstacle,
  };
}
