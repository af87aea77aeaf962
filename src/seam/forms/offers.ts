import type { CommandSpec } from "../fields.ts";
import { isPicture, roomOf, withFile, withPictures, withValue, wordsField } from "./filling.ts";
import { mediaIn, type MediaRef, type Values } from "../values.ts";

/** What a person gave before it was said what is to be made of it. */
export interface GivenFiles {
  readonly pictures: readonly MediaRef[];
  readonly sounds: readonly MediaRef[];
  readonly words?: string;
}

/** How many pictures an operation is about at most. */
const roomFor = ({ fields }: CommandSpec) =>
  fields.filter(isPicture).reduce((room, field) => room + roomOf(field), 0);

const soundsField = ({ fields }: CommandSpec) => fields.find(({ control }) => control === "sounds");

/**
 * What can be made of the files that somebody sent: every operation that has room for all of the pictures, or the
 * most where none has; with sounds, those that take sounds.
 */
export function offersFor(
  commands: readonly CommandSpec[],
  { pictures, sounds }: GivenFiles,
): readonly CommandSpec[] {
  const operations = commands.filter(
    (spec) => spec.kind === "operation" && roomFor(spec) > 0 && (sounds.length === 0 || soundsField(spec)),
  );
  const wanted = Math.min(Math.max(1, pictures.length), Math.max(...operations.map(roomFor)));
  return operations.filter((spec) => roomFor(spec) >= wanted);
}

/** How many of the pictures can be used. */
export function usable(offers: readonly CommandSpec[], { pictures }: GivenFiles): number {
  return Math.min(pictures.length, Math.max(0, ...offers.map(roomFor)));
}

/** What a person means who only says words to their files: what they used last, else the first that there is. */
export function usualOffer(
  offers: readonly CommandSpec[],
  last: string | undefined,
): CommandSpec | undefined {
  const worded = offers.filter(({ fields }) => wordsField(fields));
  return worded.find(({ name }) => name === last) ?? worded[0];
}

/** Fills in what was sent. */
export function fillIn(spec: CommandSpec, { pictures, sounds, words }: GivenFiles): Values {
  const field = wordsField(spec.fields);
  const heard = soundsField(spec);
  const values = heard
    ? addSounds(heard, withPictures(spec.fields, pictures), sounds)
    : withPictures(spec.fields, pictures);
  return field && words !== undefined ? withValue(values, field.name, words) : values;
}

function addSounds(
  field: CommandSpec["fields"][number],
  values: Values,
  sounds: readonly MediaRef[],
): Values {
  return sounds.reduce(
    (filled, sound) =>
      mediaIn(filled[field.name]).length < roomOf(field) ? withFile(field, filled, sound) : filled,
    values,
  );
}
