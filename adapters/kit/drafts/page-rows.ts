import type { FieldSpec } from "../../../src/seam/fields.ts";
import { effective, rolesOf, wordsField } from "../../../src/seam/forms/filling.ts";
import { priceIn } from "../../../src/seam/forms/price.ts";
import { say as sayMessage } from "../../../src/seam/text/say.ts";
import { shownValue } from "../../../src/seam/forms/shown-value.ts";
import { type Button, buttonOf, type Rows, step } from "../messages/buttons.ts";
import { button, type Format, inPairs, readable, wideButton } from "./page-parts.ts";
import { isKeyNext, nextOf } from "./next.ts";
import { swapCode } from "./pair.ts";
import { type DraftState, submitMessage } from "./state.ts";
import { submitParts } from "./submit.ts";

const ICONS: Partial<Record<FieldSpec["control"], string>> = {
  image: "🖼 ",
  images: "🖼 ",
  mask: "🖌 ",
  sounds: "🎵 ",
  text: "✏️ ",
  catalogue: "🎨 ",
};

/** What can be done with a draft; what spends comes first. */
export function mainRows({ takesKeys }: Pick<Format, "takesKeys">, state: DraftState): Rows {
  const { say, draft, fields, missing } = state;
  const asked = missing && missing === wordsField(fields);
  const shown = fields.filter(
    (field) => !field.advanced && !(asked && field === missing) && !isSettled(field, state),
  );
  // In a group everybody reads that there is nothing to be chosen now.
  const isOffered = state.isPrivate || !isKeyNext(nextOf(state));
  const { pictures, sounds } = draft.given;
  const canGoBack = isOffered && draft.operation !== undefined && pictures.length + sounds.length > 0;
  return [
    ...nextButtons(state, takesKeys && state.isPrivate).map((next) => [next]),
    ...(isOffered ? fieldRows(state, shown) : []),
    [...(canGoBack ? [button(say("action.back"), "back")] : []), button(say("action.cancel"), "cancel")],
  ];
}

/** What is changed by buttons of its own, and what is behind "More options". */
function fieldRows(state: DraftState, shown: readonly FieldSpec[]): Rows {
  const { say, fields } = state;
  return [
    ...inPairs(shown.map((field) => fieldButton(state, field))),
    ...inPairs(swapButton(state)),
    ...(fields.some(({ advanced }) => advanced) ? [[button(say("draft.more"), "more")]] : []),
  ];
}

/** Whether a field's one picture is there: another photo starts another draft. */
function isSettled(field: FieldSpec, { draft }: DraftState): boolean {
  return rolesOf([field]).length > 0 && draft.values[field.name] !== undefined;
}

/** Two pictures may have come in the wrong order. */
function swapButton({ say, draft, sheet }: DraftState): Button[] {
  const code = swapCode(draft, sheet.fields);
  return code === undefined ? [] : [button(say("draft.swap"), "swap", code)];
}

/** The fields that most people never need. */
export function moreRows(state: DraftState): Rows {
  const { say, fields } = state;
  const advanced = fields.filter((field) => field.advanced);
  return [
    ...inPairs(advanced.map((field) => fieldButton(state, field))),
    [button(say("action.back"), "back")],
  ];
}

/** What goes on, where that is not to change something. */
function nextButtons(state: DraftState, takesKeys: boolean): readonly Button[] {
  const { say } = state;
  const label = { key: "command.connect" } as const;
  const connect = takesKeys
    ? wideButton(say(label.key), "key")
    : ({ ...buttonOf(say, step("connect", label)), style: "primary" } as const);
  const again = wideButton(say("draft.again"), "again");
  switch (nextOf(state)) {
    case "submit":
      return [submitButton(state)];
    case "connect":
      return [connect];
    case "own":
      return [connect, again];
    case "again":
      return [again];
    default:
      return [];
  }
}

/**
 * What pressing it states and costs is said by it, and stands in what it carries: a button that did not say so states nothing,
 * and nobody is charged more than theirs said. Where that would be cut on a phone, it says yes to the statement that stands above it.
 */
function submitButton({ say, sheet, quote }: DraftState): Button {
  const submit = sayMessage(say, submitMessage({ sheet, quote }));
  if (!sheet.costs) return button(submit, "submit");
  const price = quote && priceIn(say, quote);
  const label = (words: string) => (price === undefined ? `✨ ${words}` : `✨ ${words} · ${price}`);
  const brief = say(quote?.asks.length ? "form.generate.agree" : "form.generate");
  return wideButton(readable(label(submit), label(brief)), "submit", ...submitParts({ quote }));
}

/** Opens a field; a switch is switched at once. */
function fieldButton({ say, draft, chosen }: DraftState, field: FieldSpec): Button {
  const { name, label, control } = field;
  if (control === "switch") {
    const isOn = effective(field, draft.values) === true;
    return button(`${isOn ? "✅" : "⬜"} ${say(label)}`, "set", name, isOn ? 0 : 1);
  }
  const value = control === "text" ? undefined : shownValue(say, field, draft.values, chosen);
  return button(
    `${ICONS[control] ?? ""}${say(label)}${value === undefined ? "" : `: ${value}`}`,
    "open",
    name,
  );
}
