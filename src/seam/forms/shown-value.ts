import { cut } from "../text/cut.ts";
import type { FieldSpec, Suggestion } from "../fields.ts";
import { mediaIn, type Values } from "../values.ts";
import type { Translate } from "../../common/i18n.ts";
import { effective } from "./filling.ts";

/** Characters of a person's words that are shown of them. */
const WORDS = 160;

/** As much of a person's words as is shown, as they can stand among those of others. */
export const shownWords = (words: string) => cut(amongOthers(words), WORDS);

/** Entries of catalogues that were chosen, by field. */
export type Chosen = Readonly<Record<string, Suggestion | undefined>>;

/** What a field comes to, as people read it; undefined where nothing was chosen and nothing is usual. */
export function shownValue(
  say: Translate,
  field: FieldSpec,
  values: Values,
  chosen: Chosen,
): string | undefined {
  const value = effective(field, values);
  if (value === undefined) return undefined;
  if (typeof value === "object") return shownFiles(say, field, mediaIn(value).length);
  const choice = field.choices?.find((one) => one.value === value);
  switch (field.control) {
    case "switch":
      return say(value ? "value.on" : "value.off");
    case "catalogue":
      return chosen[field.name]?.title ?? String(value);
    case "text":
      return say("value.quoted", { words: shownWords(String(value)) });
    case "secret":
      return "•••";
    default:
      return choice?.label ? say(choice.label) : String(value);
  }
}

function shownFiles(say: Translate, { control }: FieldSpec, count: number): string {
  if (control === "images") return say("value.pictures", { count });
  return control === "sounds" ? say("value.sounds", { count }) : "✓";
}

/** What turns the words after it around (Unicode, "Explicit Directional"), and what is no sign at all, but the end of a line. */
const TURNING = /[\u202A-\u202E\u2066-\u2069]|(?!\n)[\p{Cc}\p{Zl}\p{Zp}]/gu;

/** Somebody's words as they can stand among those of others: nothing in them turns what follows around. */
const amongOthers = (words: string) =>
  words.replaceAll(TURNING, (sign) => (/[\u202A-\u2069]/u.test(sign) ? "" : " "));
