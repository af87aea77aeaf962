import { dataUri, padded, wav } from "./media.ts";
import type { Field } from "./table.ts";

/** A value of one field on trial. */
export interface Trial {
  readonly why: string;
  readonly value: unknown;
  readonly accepted: boolean;
  /** Set where only the service can tell, because it takes a look into a file. */
  readonly serviceOnly?: true;
}

/** Files that trials are made of. */
export interface Files {
  readonly pictures: Readonly<Record<"jpeg" | "png" | "webp", Buffer>>;
  /** A second of sound, by MIME type. */
  readonly sounds: ReadonlyMap<string, Buffer>;
}

/** What a field's row in the table allows and forbids, as values. */
export function trialsOf(field: Field, sample: unknown, files: Files): readonly Trial[] {
  return [
    { why: "an example", value: sample, accepted: true },
    { why: "another type", value: wrongType(field), accepted: false },
    ...(field.type === "bool" ? [{ why: "false", value: false, accepted: true }] : []),
    ...(field.type === "date" ? [{ why: "no date", value: "1 June", accepted: false }] : []),
    ...(field.type === "int" ? [{ why: "a fraction", value: Number(sample) + 0.5, accepted: false }] : []),
    ...(field.pattern ? [{ why: "another form", value: "9:16", accepted: false }] : []),
    ...choicesOf(field),
    ...boundsOf(field),
    ...countsOf(field, sample),
    ...(field.type === "audios" ? soundsOf(field, files) : picturesOf(field, files)),
  ];
}

function wrongType({ type }: Field): unknown {
  return type === "string" || type === "date" || type === "image" ? 5 : "x";
}

function choicesOf({ choices, type }: Field): readonly Trial[] {
  if (!choices) return [];
  const none = type === "int" ? Math.max(...choices.map(Number)) + 1 : "no-such-choice";
  return [
    ...choices.map((value) => ({ why: `its choice ${value}`, value, accepted: true })),
    { why: "none of its choices", value: none, accepted: false },
  ];
}

/** At the bounds and just beyond them; where the contract says "about", well beyond. */
function boundsOf({ type, min, max, about, multipleOf = 1 }: Field): readonly Trial[] {
  const trial = (size: number, accepted: boolean): Trial =>
    type === "string"
      ? { why: `${size} characters`, value: "a".repeat(size), accepted }
      : { why: `${size}`, value: size, accepted };
  const trials: Trial[] = [];
  if (min !== undefined) trials.push(trial(min, true), trial(min - multipleOf, false));
  if (max !== undefined) trials.push(trial(max, true), trial(about ? 1.5 * max : max + multipleOf, false));
  if (min !== undefined && multipleOf > 1)
    trials.push(trial(min + multipleOf, true), trial(min + multipleOf / 2, false));
  return trials;
}

function countsOf({ count }: Field, sample: unknown): readonly Trial[] {
  if (!count || !Array.isArray(sample)) return [];
  const trial = (length: number, accepted: boolean): Trial => ({
    why: `${length} of them`,
    value: Array.from({ length }, () => sample[0]),
    accepted,
  });
  const { min, max } = count;
  return [trial(min, true), trial(min - 1, false), trial(max, true), trial(max + 1, false)];
}

/** A megabyte may be counted either way: tried is what is within both, and what is beyond both. */
const MB = { least: 1_000_000, most: 1_048_576 };

/** A list of one file of a type. */
function single(type: string, file: Buffer, accepted: boolean, why = type): Trial {
  return { why, value: [dataUri(type, file)], accepted };
}

function picturesOf({ each: { types, maxMb } = {} }: Field, { pictures }: Files): readonly Trial[] {
  const trials: Trial[] = [];
  for (const [format, file] of Object.entries(pictures))
    if (types) trials.push(single(`image/${format}`, file, types.includes(`image/${format}`)));
  if (maxMb !== undefined) {
    const sized = (bytes: number) => padded(pictures.jpeg, bytes);
    trials.push(single("image/jpeg", sized(maxMb * MB.least), true, `${maxMb} MB`));
    trials.push(single("image/jpeg", sized(maxMb * MB.most + 1), false, `over ${maxMb} MB`));
  }
  return trials;
}

function soundsOf(
  { each: { types = [], maxMb = 0, maxSeconds = 0 } = {}, maxSecondsTogether = 0 }: Field,
  { sounds }: Files,
): readonly Trial[] {
  const half = maxSecondsTogether / 2;
  return [
    ...types.map((type) => single(type, soundOf(sounds, type), true)),
    single("video/mp4", soundOf(sounds, "audio/mp4"), false),
    single("audio/wav", sizedSound(maxMb * MB.least), true, `${maxMb} MB`),
    single("audio/wav", sizedSound(maxMb * MB.most + 1), false, `over ${maxMb} MB`),
    lasting([maxSeconds], true),
    lasting([maxSeconds + 0.5], false),
    lasting([half, half], true),
    lasting([half + 0.5, half + 0.5], false),
  ];
}

function soundOf(sounds: Files["sounds"], type: string): Buffer {
  const sound = sounds.get(type);
  if (!sound) throw new Error(`There is no sound of ${type}.`);
  return sound;
}

/** Sounds of so many seconds each. */
function lasting(seconds: readonly number[], accepted: boolean): Trial {
  const value = seconds.map((one) => dataUri("audio/wav", wav(one)));
  return { why: `${seconds.join(" s and ")} s`, value, accepted, serviceOnly: true };
}

/** Nine seconds in so many bytes. */
function sizedSound(bytes: number): Buffer {
  return padded(wav(9, 4 * Math.floor((bytes - 44) / 36)), bytes);
}
