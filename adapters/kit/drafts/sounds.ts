import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { SoundBounds } from "../../../src/infrastructure/media/sounds/bounds.ts";
import { mediaIn, type MediaRef } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Draft } from "./draft.ts";

/** A sound that somebody sent, with what the platform says of it. */
export interface Sound {
  readonly file: MediaRef;
  /** Its MIME type, by any of its names. */
  readonly type: string | undefined;
  /** Left out where the platform did not look into it. */
  readonly seconds: number | undefined;
}

/** Other names of the same types. */
const SAME_TYPES: ReadonlyMap<string, string> = new Map([
  ["audio/m4a", "audio/mp4"],
  ["audio/mp3", "audio/mpeg"],
  ["audio/wave", "audio/wav"],
  ["audio/vnd.wave", "audio/wav"],
  ["audio/opus", "audio/ogg"],
]);

/** A MIME type without what senders call it differently. */
function typeOf({ type }: Sound): string | undefined {
  const plain = type?.toLowerCase().replace("/x-", "/");
  return plain && (SAME_TYPES.get(plain) ?? plain);
}

/** How long a sound is, by its id. */
export const secondsOf = ({ file, seconds }: Sound): Draft["seconds"] =>
  seconds === undefined ? {} : { [file.id]: seconds };

/**
 * Holds a sound against what a field takes, before anything of it is fetched.
 * @throws ReelayError `sound_type`, `media_too_large` or `sound_too_long`
 */
export function checkSound(sound: Sound, { types, maxBytes, maxSeconds }: SoundBounds): void {
  const { file, seconds = 0 } = sound;
  const type = typeOf(sound);
  if (type !== undefined && !types.includes(type))
    throw new ReelayError("sound_type", { found: type.replace(/^audio\//, "").toUpperCase() });
  if ((file.bytes ?? 0) > maxBytes) throw new ReelayError("media_too_large", { max: maxBytes });
  if (seconds > maxSeconds) throw new ReelayError("sound_too_long", { seconds, max: maxSeconds });
}

/**
 * Holds all sounds of a field together against what it takes.
 * @throws ReelayError `sounds_too_long`
 */
export function checkTogether({ values, seconds = {} }: Draft, { name, sounds }: FieldSpec): void {
  const all = mediaIn(values[name]).reduce((sum, { id }) => sum + (seconds[id] ?? 0), 0);
  if (sounds && all > sounds.maxSecondsTogether)
    throw new ReelayError("sounds_too_long", { seconds: all, max: sounds.maxSecondsTogether });
}
