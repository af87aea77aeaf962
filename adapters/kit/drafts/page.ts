import type { FieldSpec } from "../../../src/seam/fields.ts";
import { priceIn, shortageOf } from "../../../src/seam/forms/price.ts";
import type { Problem } from "../../../src/seam/views.ts";
import { unsaid } from "../../../src/seam/text/notices.ts";
import { say as sayMessage, sayProblem } from "../../../src/seam/text/say.ts";
import { shownValue } from "../../../src/seam/forms/shown-value.ts";
import { askFor, fieldPage } from "./page-field.ts";
import { whichOf } from "./pair.ts";
import { button, type DraftPage, type Format, paragraphs, valueIn } from "./page-parts.ts";
import { mainRows, moreRows } from "./page-rows.ts";
import { type DraftState, questionOf, unknownPrice } from "./state.ts";

/** What a draft's message shows. Where what is stated by pressing finds no room in it, the core asks for that afterwards. */
export function draftPage(format: Format, state: DraftState): DraftPage {
  const page = wholePage(format, state);
  if (!state.quote || page.text.length <= format.limitOf(state.draft)) return page;
  return wholePage(format, { ...state, quote: { ...state.quote, asks: [] } });
}

function wholePage(format: Format, state: DraftState): DraftPage {
  const { say, draft, fields, missing } = state;
  const { screen } = draft;
  const limit = format.limitOf(draft);
  const head = headOf(format, state);
  const open = screen.show === "field" ? fields.find(({ name }) => name === screen.field) : undefined;
  const isMore = screen.show === "more";
  const isAsking = open !== undefined || (missing !== undefined && !isMore);
  const reply = format.needsReply && !state.isPrivate && isAsking ? format.faint(say("draft.reply")) : "";
  if (open && screen.show === "field") {
    const { lines, rows } = fieldPage(format, state, open, screen);
    return { text: paragraphs(limit, head, lines, reply), rows };
  }
  if (screen.show === "key") {
    const ask = format.plain(`👉 ${say("draft.ask.key")}`);
    return {
      text: paragraphs(limit, head, factsOf(format, state), ask),
      rows: [[button(say("action.back"), "back")]],
    };
  }
  const rest = isMore ? [] : missing ? [askOf(state, missing)] : [questionOf(state), priceOf(state)];
  const after = [...rest.map(format.plain), reply].filter(Boolean).join("\n");
  return {
    text: paragraphs(limit, head, factsOf(format, state), after),
    rows: isMore ? moreRows(state) : mainRows(format, state),
  };
}

/** What is left of a draft when it is done: one line. */
export function summaryOf(
  { plain, bold, own }: Format,
  { say, draft, sheet, chosen, isPrivate }: DraftState,
): string {
  const values = sheet.fields
    .filter(
      ({ name, control }) =>
        draft.values[name] !== undefined && (control === "text" || control === "catalogue"),
    )
    .flatMap((field) => {
      const value = shownValue(say, field, draft.values, chosen);
      if (value === undefined) return [];
      return [field.control === "text" ? own(value, isPrivate) : plain(value)];
    });
  return [bold(sayMessage(say, sheet.title)), ...values].join(" · ");
}

/** A problem, as far as others may read of it. */
const sayThere = ({ say, isPrivate }: DraftState, problem: Problem) =>
  sayProblem(say, isPrivate ? problem : unsaid(problem));

function headOf({ plain, bold }: Format, state: DraftState): string {
  const { say, sheet, draft, problem } = state;
  const title = bold(sayMessage(say, sheet.title));
  const told = [
    ...(draft.note ? [plain(sayMessage(say, draft.note))] : []),
    // What is missing is being asked for.
    ...(problem && draft.screen.show !== "key" ? [`⚠️ ${plain(sayThere(state, problem))}`] : []),
  ];
  return [...told, title].join("\n\n");
}

/** A line for everything that was chosen. */
function factsOf(format: Format, { say, draft, sheet, fields, chosen, isPrivate }: DraftState): string[] {
  return fields.flatMap((field) => {
    if (draft.values[field.name] === undefined) return [];
    const which = whichOf(draft, sheet.fields, field);
    const value = which ? say(which) : shownValue(say, field, draft.values, chosen);
    return value === undefined
      ? []
      : `${format.plain(say(field.label))}: ${valueIn(format, field, value, isPrivate)}`;
  });
}

function askOf({ say, sheet }: DraftState, missing: FieldSpec): string {
  const other = sheet.fields.find(({ name }) => name === missing.unless);
  const ask = `👉 ${askFor(say, missing)}`;
  return other ? `${ask} ${say("draft.or", { field: say(other.label) })}` : ask;
}

function priceOf(state: DraftState): string {
  const { say, sheet, quote, problem, isPrivate } = state;
  if (!sheet.costs || (!quote && problem)) return "";
  if (!quote) return say("draft.cost_unknown");
  const { balance } = quote;
  const price = priceIn(say, quote);
  const shortage = shortageOf(quote);
  if (shortage?.code === "tokens_missing") return sayThere(state, shortage);
  const cost = price === undefined ? unknownPrice(say, quote) : say("draft.cost", { price });
  return [
    ...(shortage ? [sayThere(state, shortage)] : []),
    ...(shortage && !quote.range ? [] : [cost]),
    ...(balance === null || !isPrivate
      ? []
      : [say("draft.balance", { price: say("page.tokens", { count: balance, tokens: balance }) })]),
  ].join(" ");
}
