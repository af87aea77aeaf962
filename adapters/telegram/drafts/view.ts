import type { FieldSpec } from "../../../src/chat/fields.ts";
import { priceIn } from "../../../src/chat/price.ts";
import { say as sayMessage, sayProblem } from "../../../src/chat/say.ts";
import { shownValue } from "../../../src/chat/shown-value.ts";
import { bold, faint, type Page, paragraphs } from "./page.ts";
import type { DraftState } from "./state.ts";
import { askFor } from "./ask.ts";
import { fieldPage } from "./view-field.ts";
import { mainRows, moreRows } from "./view-rows.ts";
import { TELEGRAM } from "../api/limits.ts";
import { escapeHtml } from "../messages/render.ts";

/** What a draft's message shows. */
export function draftPage(state: DraftState): Page {
  const { draft, fields, missing } = state;
  const { screen, receipt } = draft;
  const limit = receipt.form === "media" ? TELEGRAM.caption : TELEGRAM.text;
  const open = screen.show === "field" ? fields.find(({ name }) => name === screen.field) : undefined;
  if (open && screen.show === "field") {
    const { lines, rows } = fieldPage(state, open, screen);
    return { text: paragraphs(limit, headOf(state), lines, replyHere(state)), rows };
  }
  const isMore = screen.show === "more";
  const rest = isMore ? [] : missing ? [askOf(state, missing)] : [questionOf(state), priceOf(state)];
  return {
    text: paragraphs(
      limit,
      headOf(state),
      factsOf(state),
      [...rest.map(escapeHtml), replyHere(state)].filter(Boolean).join("\n"),
    ),
    rows: isMore ? moreRows(state) : mainRows(state),
  };
}

/** What is left of a draft when it is done: one line. */
export function summaryOf({ say, draft, sheet, chosen }: DraftState): string {
  const values = sheet.fields
    .filter(
      ({ name, control }) =>
        draft.values[name] !== undefined && (control === "text" || control === "catalogue"),
    )
    .flatMap((field) => shownValue(say, field, draft.values, chosen) ?? []);
  return [bold(sayMessage(say, sheet.title)), ...values.map(escapeHtml)].join(" · ");
}

function headOf({ say, sheet, problem }: DraftState): string {
  const title = bold(sayMessage(say, sheet.title));
  return problem ? `⚠️ ${escapeHtml(sayProblem(say, problem))}\n\n${title}` : title;
}

/** A line for everything that was chosen. */
function factsOf({ say, draft, fields, chosen }: DraftState): string[] {
  return fields.flatMap((field) => {
    if (draft.values[field.name] === undefined) return [];
    const value = shownValue(say, field, draft.values, chosen);
    return value === undefined ? [] : `${escapeHtml(say(field.label))}: ${faint(value)}`;
  });
}

function askOf({ say, sheet }: DraftState, missing: FieldSpec): string {
  const other = sheet.fields.find(({ name }) => name === missing.unless);
  const ask = `👉 ${askFor(say, missing)}`;
  return other ? `${ask} ${say("telegram.draft.or", { field: say(other.label) })}` : ask;
}

/** What the button that starts it answers. */
function questionOf({ say, sheet }: DraftState): string {
  return sheet.agreement ? say(`statement.${sheet.agreement}`) : "";
}

function priceOf({ say, sheet, quote, problem }: DraftState): string {
  if (!sheet.costs || (!quote && problem)) return "";
  if (!quote || quote.tokens === null) return say("telegram.draft.cost_unknown");
  const { tokens, balance } = quote;
  const cost = say("telegram.draft.cost", { price: priceIn(say, quote) ?? "" });
  if (balance === null) return cost;
  if (balance < tokens)
    return say("error.tokens_missing", { needed: tokens, balance, missing: tokens - balance });
  return `${cost} ${say("telegram.draft.balance", { price: say("page.tokens", { count: balance, tokens: balance }) })}`;
}

/** In a group only replies reach the bot. */
function replyHere({ say, draft }: DraftState): string {
  return draft.receipt.chat < 0 ? faint(say("telegram.draft.reply")) : "";
}
