import type { FieldSpec } from "../../../src/seam/fields.ts";
import { missingFields, takesFiles } from "../../../src/seam/forms/filling.ts";
import { priceIn } from "../../../src/seam/forms/price.ts";
import type { Sheet } from "../../../src/seam/forms/sheet.ts";
import { shownValue } from "../../../src/seam/forms/shown-value.ts";
import { ownAction, ownToken } from "../../../src/seam/text/actions.ts";
import { say as sayMessage } from "../../../src/seam/text/say.ts";
import type { Action, Message, NoticeView, Problem, ProblemView } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import type { Draft } from "../../kit/drafts/draft.ts";
import { DRAFT } from "../../kit/drafts/page-parts.ts";
import { pairOf, swapCode } from "../../kit/drafts/pair.ts";
import { isKeyNext, type Settling } from "../../kit/drafts/next.ts";
import { type DraftState, questionOf, submitMessage, unknownPrice } from "../../kit/drafts/state.ts";
import { submitParts } from "../../kit/drafts/submit.ts";
import { FORM } from "../context/interaction.ts";
import { type PageName, pagesOf } from "./modal-page.ts";

/** How many fields a button names of those that it leads to: more than two are not read. */
const NAMED = 2;

const PLACES = ["discord.draft.picture_first", "discord.draft.picture_second"] as const;

type Facts = NonNullable<NoticeView["facts"]>;

/** Stands for the page that asks for a key. */
export const KEY_PAGE = "key";

/** The id of a modal and of what opens it. */
export const pageId = ({ id }: Pick<Draft, "id">, page: PageName | typeof KEY_PAGE) =>
  ownToken(FORM, `${id}:${page}`);

/**
 * What a draft comes to, and what it costs, before it is made.
 * @param hasPictures whether its pictures are shown below, where there are several
 */
export function offerView(state: DraftState, hasPictures: boolean): NoticeView {
  const { draft, sheet } = state;
  const text = sheet.costs ? costOf(state) : sheet.title;
  const swaps = hasPictures ? swapActions(draft, sheet) : [];
  const actions = [submitAction(state), ...swaps, ...changesOf(state.say, draft, sheet)];
  const facts = [...factsOf(state, hasPictures ? pairOf(draft, sheet.fields) : []), ...balanceOf(state)];
  return { kind: "notice", text: withQuestion(state, text), facts, actions };
}

/** The same for what costs tokens, where it begins: what is left then is told with the result. */
export function beginningView(state: DraftState): NoticeView {
  const { say, sheet, quote } = state;
  const price = quote && priceIn(say, quote);
  const text: Message =
    price === undefined
      ? { key: "discord.draft.begins_unknown", params: { operation: sheet.name } }
      : { key: "discord.draft.begins", params: { operation: sheet.name, price } };
  return { kind: "notice", text, facts: factsOf(state) };
}

/** What was wrong with a draft, which can be changed and tried again; its files and words stay in sight. */
export function problemView(
  say: Translate,
  draft: Draft,
  sheet: Sheet,
  { code, params }: Problem,
  settling: Settling,
): ProblemView {
  const actions = [...nextOf(draft, sheet, settling), ...changesOf(say, draft, sheet)];
  const fields = sheet.fields.filter((field) => takesFiles(field) || field.control === "text");
  const facts = factsOf({ say, draft, sheet: { fields }, chosen: {} });
  return { kind: "problem", problem: { code, params }, facts, charged: 0, actions };
}

/** What goes on, where that is not to change something. */
function nextOf(draft: Draft, sheet: Sheet, settling: Settling): Action[] {
  // It was not said what it costs: that comes first.
  const again = (style: Action["style"]) =>
    ownAction(DRAFT, `show:${draft.id}`, { key: "discord.draft.retry" }, style);
  // They may have connected one elsewhere.
  if (isKeyNext(settling))
    return [pageAction(draft, KEY_PAGE, { key: "command.connect" }, "primary"), again("secondary")];
  if (!isComplete(draft, sheet)) return [fillIn(draft, "missing")];
  return settling === "again" ? [again("primary")] : [];
}

/** What is asked for where no modal could be opened at once. */
export function askingView(say: Translate, draft: Draft, sheet: Sheet, page: PageName): NoticeView {
  const fields = missingFields(sheet.fields, draft.values).map(({ label }) => say(label));
  const text: Message =
    fields.length > 0 ? { key: "discord.form.missing", params: { fields: fields.join(", ") } } : sheet.title;
  return { kind: "notice", text, actions: [fillIn(draft, page), cancelAction(draft)] };
}

/** What was chosen. @param below the pictures that are shown below, in their order */
function factsOf(
  {
    say,
    draft: { values },
    sheet,
    chosen,
  }: Pick<DraftState, "say" | "draft" | "chosen"> & { readonly sheet: Pick<Sheet, "fields"> },
  below: ReturnType<typeof pairOf> = [],
): Facts {
  return sheet.fields
    .filter((field) => values[field.name] !== undefined && values[field.name] !== field.default)
    .map((field) => {
      const place = below.findIndex((one) => one.field === field);
      if (place >= 0) return { label: field.label, value: { key: PLACES[place === 0 ? 0 : 1] } };
      return { label: field.label, value: words(shownValue(say, field, values, chosen) ?? "") };
    });
}

/** What there is to spend. */
function balanceOf({ quote }: DraftState): Facts {
  const tokens = quote?.balance ?? null;
  return tokens === null
    ? []
    : [{ label: "fact.balance", value: { key: "fact.tokens", params: { tokens } } }];
}

/** What the button that starts it answers comes last. */
function withQuestion(state: DraftState, text: Message): Message {
  const question = questionOf(state);
  return question ? words([sayMessage(state.say, text), question].join("\n")) : text;
}

function costOf({ say, sheet, quote }: DraftState): Message {
  const price = quote && priceIn(say, quote);
  return price === undefined
    ? words(`${sayMessage(say, sheet.title)}. ${unknownPrice(say, quote ?? {})}`)
    : { key: "discord.draft.cost", params: { operation: sheet.name, price } };
}

const isComplete = ({ values }: Draft, { fields }: Sheet) => missingFields(fields, values).length === 0;

/** Everything that can be changed, a modal at a time; then the way out. */
function changesOf(say: Translate, draft: Draft, { fields }: Sheet): Action[] {
  const pages = pagesOf(fields, draft.values);
  return [
    ...pages.map((asked, page) => pageAction(draft, page, pageLabel(say, asked, pages.length))),
    cancelAction(draft),
  ];
}

/** The one that spends says what, what its press states and what it costs; that stands in what it carries, too. */
function submitAction(state: DraftState): Action {
  const what = ["go", state.draft.id, ...submitParts(state)].join(":");
  return ownAction(DRAFT, what, submitLabel(state), "primary");
}

function submitLabel({ say, sheet, quote }: DraftState): Message {
  if (!sheet.costs) return sheet.submit;
  const price = quote && priceIn(say, quote);
  if (sheet.agreement || quote?.asks.length) {
    const submit = sayMessage(say, submitMessage({ sheet, quote }));
    return words([submit, ...(price === undefined ? [] : [price])].join(" · "));
  }
  return price === undefined
    ? { key: "discord.draft.make" }
    : { key: "discord.draft.make_for", params: { price } };
}

/** What is behind it: where there are several, what each begins with. */
function pageLabel(say: Translate, asked: readonly FieldSpec[], pages: number): Message {
  if (pages === 1) return { key: "discord.draft.options" };
  const names = asked.slice(0, NAMED).map(({ label }) => say(label));
  return words(asked.length > NAMED ? `${names.join(", ")}, …` : names.join(", "));
}

const pageAction = (
  { id }: Draft,
  page: PageName | typeof KEY_PAGE,
  label: Message,
  style?: Action["style"],
) => ownAction(FORM, `${id}:${page}`, label, style);

function swapActions(draft: Draft, { fields }: Sheet): Action[] {
  const code = swapCode(draft, fields);
  return code === undefined ? [] : [ownAction(DRAFT, `swap:${draft.id}:${code}`, { key: "draft.swap" })];
}

const fillIn = (draft: Draft, page: PageName) =>
  pageAction(draft, page, { key: "discord.form.fill" }, "primary");

const cancelAction = ({ id }: Draft) => ownAction(DRAFT, `cancel:${id}`, { key: "action.cancel" });

const words = (text: string): Message => ({ key: "fact.text", params: { text } });
