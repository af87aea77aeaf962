import type { FieldSpec } from "../../../src/seam/fields.ts";
import {
  consistent,
  firstMissing,
  isPicture,
  openPicture,
  roomOf,
  withFile,
  withValue,
  wordsField,
} from "../../../src/seam/forms/filling.ts";
import { readNumber } from "../../../src/seam/forms/numbers.ts";
import { type Sheet, sheetOf } from "../../../src/seam/forms/sheet.ts";
import { isMediaList, mediaIn, type MediaRef, type Value, type Values } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { type Draft, type Screen, withoutProblem } from "./draft.ts";

/** Where a draft stands after a field of it was dealt with; a mask is asked for by itself. */
export function screenAfter(sheet: Sheet, values: Values, field?: FieldSpec): Screen {
  if (field?.advanced) return { show: "more" };
  const missing = firstMissing(sheet.fields, values);
  return missing?.control === "mask" ? { show: "field", field: missing.name } : { show: "main" };
}

/** Changes one value, and leaves out what makes no sense beside it any more. */
export function withField(draft: Draft, sheet: Sheet, field: FieldSpec, value: Value | undefined): Draft {
  const values = consistent(sheet.fields, draft.values, withValue(draft.values, field.name, value));
  return { ...withoutProblem(draft), values, screen: screenAfter(sheet, values, field) };
}

/** Shows something else of a draft. */
export function withScreen(draft: Draft, screen: Screen): Draft {
  return { ...withoutProblem(draft), screen };
}

function openField({ screen }: Draft, { fields }: Sheet): FieldSpec | undefined {
  return screen.show === "field" ? fields.find(({ name }) => name === screen.field) : undefined;
}

/** The field that words go to: the one that is open, if it takes any, else the one for words. */
export function wordsTarget(draft: Draft, sheet: Sheet): FieldSpec | undefined {
  const open = openField(draft, sheet);
  return open && takesWords(open) ? open : wordsField(sheet.fields);
}

const takesWords = ({ control }: FieldSpec) => ["number", "catalogue", "text"].includes(control);

/** Whether a draft asks for something that is to be written: in the field that is open, else in the one that is missing. */
export function asksForWords(draft: Draft, sheet: Sheet): boolean {
  const asked = openField(draft, sheet) ?? firstMissing(sheet.fields, draft.values);
  return asked !== undefined && takesWords(asked);
}

/**
 * What words make of a draft.
 * @throws ReelayError for words that the field does not take
 */
export function withWords(draft: Draft, sheet: Sheet, field: FieldSpec, words: string): Draft {
  const { name, control, maxLength = Infinity } = field;
  if (control === "number") return withField(draft, sheet, field, readNumber(field, words));
  if (control === "catalogue") return withScreen(draft, { show: "field", field: name, words });
  if (words.length > maxLength) throw new ReelayError("field_too_long", { field: name, max: maxLength });
  return withField(draft, sheet, field, words);
}

/**
 * The field that a picture goes to: the one that is open, else the one that is missing.
 * @param isReply whether the draft itself was answered: then the picture is certainly meant for it
 */
export function pictureTarget(draft: Draft, sheet: Sheet, isReply: boolean): FieldSpec | undefined {
  const wanted = [openField(draft, sheet), firstMissing(sheet.fields, draft.values)].find(takesPicture);
  if (wanted || !isReply) return wanted;
  return openPicture(sheet.fields, draft.values) ?? sheet.fields.find(isPicture);
}

const takesPicture = (field: FieldSpec | undefined) =>
  field?.control === "image" || field?.control === "images" || field?.control === "mask";

/**
 * Adds a file; a list that is open stays open for the next one.
 * @throws ReelayError `field_count` where there is no more room
 */
export function withAnother(draft: Draft, sheet: Sheet, field: FieldSpec, file: MediaRef): Draft {
  const { name, control, minItems: min = 1, maxItems } = field;
  const isList = control === "images" || control === "sounds";
  if (isList && mediaIn(draft.values[name]).length >= roomOf(field))
    throw new ReelayError("field_count", { field: name, min, max: maxItems ?? min });
  const changed = withField(draft, sheet, field, withFile(field, draft.values, file)[name]);
  return isList && openField(draft, sheet) === field ? { ...changed, screen: draft.screen } : changed;
}

/**
 * A draft without a file, wherever that is in it.
 * @returns the draft itself where it is not in it; undefined where nothing is left that something could be made of
 */
export function withoutFile(
  { intake }: Pick<ChatContext, "intake">,
  draft: Draft,
  { id }: Pick<MediaRef, "id">,
): Draft | undefined {
  const { given, values } = draft;
  const isIn = (value: Value | undefined) => mediaIn(value).some((file) => file.id === id);
  if (!isIn(given.pictures) && !Object.values(values).some(isIn)) return draft;
  const rest = (value: Value) => mediaIn(value).filter((file) => file.id !== id);
  const pictures = given.pictures.filter((file) => file.id !== id);
  const without = { ...withoutProblem(draft), given: { ...given, pictures } };
  const sheet = sheetOf(draft, intake.commands);
  if (!sheet) return pictures.length + given.sounds.length > 0 ? without : undefined;
  const left = Object.entries(values)
    .filter(([, value]) => isIn(value))
    .reduce(
      (all, [name, value]) => withValue(all, name, isMediaList(value) ? rest(value) : undefined),
      values,
    );
  const fitting = consistent(sheet.fields, values, left);
  return { ...without, values: fitting, screen: screenAfter(sheet, fitting) };
}
