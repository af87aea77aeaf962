/** What may be given as a sound: pure. */
import type { FieldSpec } from "../../../../../src/seam/fields.ts";
import type { PageProblem } from "../../../wire.ts";
import { roomOf } from "../../../../../src/seam/forms/filling.ts";
import { countFault } from "./fields.ts";

/** Browsers name these types in many ways, or not at all. */
const TYPES: Readonly<Record<string, string>> = {
  mp3: "audio/mpeg",
  wav: "audio/wav",
  m4a: "audio/mp4",
  aac: "audio/aac",
  ogg: "audio/ogg",
  oga: "audio/ogg",
};

/** The MIME type of a file by its name, else as the browser says. */
export function soundTypeOf({ name, type }: { readonly name: string; readonly type: string }): string {
  return TYPES[name.split(".").at(-1)?.toLowerCase() ?? ""] ?? type;
}

/** What a picker offers for a field. */
export function acceptedSounds({ sounds }: FieldSpec): string {
  const types = sounds?.types ?? [];
  const endings = Object.keys(TYPES).filter((ending) => types.includes(TYPES[ending] ?? ""));
  return [...types, ...endings.map((ending) => `.${ending}`)].join(",");
}

/** What is known of a sound; seconds are NaN where the browser cannot read it, and the server has to judge. */
interface Sound {
  readonly type: string;
  readonly bytes: number;
  readonly seconds: number;
}

/**
 * Why a sound cannot be added to a field.
 * @param others the length in seconds of each that is there
 */
export function soundFault(
  field: FieldSpec,
  { type, bytes, seconds }: Sound,
  others: readonly number[],
): PageProblem | undefined {
  const { name, sounds: bounds } = field;
  if (others.length >= roomOf(field)) return countFault(field);
  if (!bounds) return undefined;
  if (!bounds.types.includes(type))
    return { code: "sound_type", params: { found: type || "?" }, field: name };
  if (bytes > bounds.maxBytes)
    return { code: "media_too_large", params: { bytes, max: bounds.maxBytes }, field: name };
  if (seconds > bounds.maxSeconds)
    return {
      code: "sound_too_long",
      params: { seconds: tenths(seconds), max: bounds.maxSeconds },
      field: name,
    };
  const together = [...others, seconds].reduce((sum, one) => sum + (one || 0), 0);
  return together > bounds.maxSecondsTogether
    ? {
        code: "sounds_too_long",
        params: { seconds: tenths(together), max: bounds.maxSecondsTogether },
        field: name,
      }
    : undefined;
}

/** Rounded up, so that nobody reads that 10 seconds are longer than 10. */
function tenths(seconds: number): number {
  return Math.ceil(seconds * 10) / 10;
}
