import type { FieldSpec } from "../../../src/seam/fields.ts";
import { priceIn, shortageOf } from "../../../src/seam/forms/price.ts";
import { say as sayMessage, sayProblem } from "../../../src/seam/text/say.ts";
import { shownValue } from "../../../src/seam/forms/shown-value.ts";
import { askFor, fieldPage } from "./page-field.ts";
import { button, type DraftPage, type Format, paragraphs } from "./page-parts.ts";
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
  const reply = format.needsReply(draft) ? format.faint(say("draft.reply")) : "";
  const open = screen.show === "field" ? fields.find(({ name }) => name === screen.field) : undefined;
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
  const isMore = screen.show === "more";
  const rest = isMore ? [] : missing ? [askOf(state, missing)] : [questionOf(state), priceOf(state)];
  const after = [...rest.map(format.plain), reply].filter(Boolean).join("\n");
  return {
    text: paragraphs(limit, head, factsOf(format, state), after),
    rows: isMore ? moreRows(state) : mainRows(format, state),
  };
}

/** What is left of a draft when it is done: one line. */
export function summaryOf({ plain, bold }: Format, { say, draft, sheet, chosen }: DraftState): string {
  const values = sheet.fields
    .filter(
      ({ name, control }) =>
        draft.values[name] !== undefined && (control === "text" || control === "catalogue"),
    )
    .flatMap((field) => shownValue(say, field, draft.values, chosen) ?? []);
  return [bold(sayMessage(say, sheet.title)), ...values.map(plain)].join(" · ");
}

function headOf({ plain, bold }: Format, { say, sheet, draft, problem }: DraftState): string {
  const title = bold(sayMessage(say, sheet.title));
  const told = [
    ...(draft.note ? [plain(sayMessage(say, draft.note))] : []),
    // What is missing is being asked for.
    ...(problem && draft.screen.show !== "key" ? [`⚠️ ${plain(sayProblem(say, problem))}`] : []),
  ];
  return [...told, title].join("\n\n");
}

/** A line for everything that was chosen. */
function factsOf({ plain, faint }: Format, { say, draft, fields, chosen }: DraftState): string[] {
  return fields.flatMap((field) => {
    if (draft.values[field.name] === undefined) return [];
    const value = shownValue(say, field, draft.values, chosen);
    return value === undefined ? [] : `${plain(say(field.label))}: ${faint(value)}`;
  });
}

function askOf({ say, sheet }: DraftState, missing: FieldSpec): string {
  const other = sheet.fields.find(({ name }) => name === missing.unless);
  const ask = `👉 ${askFor(say, missing)}`;
  return other ? `${ask} ${say("draft.or", { field: say(other.label) })}` : ask;
}

function priceOf({ say, sheet, quote, problem }: DraftState): string {
  if (!sheet.costs || (!quote && problem)) return "";
  if (!quote) return say("draft.cost_unknown");
  const { balance } = quote;
  const price = priceIn(say, quote);
  const shortage = shortageOf(quote);
  if (shortage?.code === "tokens_missing") return sayProblem(say, shortage);
  const cost = price === undefined ? unknownPrice(say, quote) : say("draft.cost", { price });
  return [
    ...(shortage ? [sayProblem(say, shortage)] : []),
    ...(shortage && !quote.range ? [] : [cost]),
    ...(balance === null
      ? []
      : [say("draft.balance", { price: say("page.tokens", { count: balance, tokens: balance }) })]),
  ].join(" ");
}
