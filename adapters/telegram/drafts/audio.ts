import type { Message } from "telegraf/types";
import type { FieldSpec, SoundBounds } from "../../../src/chat/fields.ts";
import { mediaIn, type MediaRef } from "../../../src/chat/values.ts";
import { ReelayError } from "../../../src/errors.ts";
import type { Draft } from "./draft.ts";
import { mediaRef } from "../media/photo.ts";

/** A sound that a message brings, with what Telegram says of it. */
export interface Sound {
  readonly file: MediaRef;
  /** Its MIME type, without what senders call it differently. */
  readonly type: string | undefined;
  /** Left out for files: Telegram does not look into them. */
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

/** The sound in a message: recorded, as music, or as a file. */
export function soundIn(message: Message): Sound | undefined {
  if ("voice" in message) return sound(message.voice, message.voice.duration);
  if ("audio" in message) return sound(message.audio, message.audio.duration);
  if ("document" in message && message.document.mime_type?.startsWith("audio/"))
    return sound(message.document, undefined);
  return undefined;
}

function sound(
  file: Parameters<typeof mediaRef>[0] & { readonly mime_type?: string },
  seconds: number | undefined,
): Sound {
  const plain = file.mime_type?.toLowerCase().replace("/x-", "/");
  return { file: mediaRef(file), type: plain && (SAME_TYPES.get(plain) ?? plain), seconds };
}

/**
 * Holds a sound against what a field takes, before anything of it is fetched.
 * @throws ReelayError `sound_type`, `media_too_large` or `sound_too_long`
 */
export function checkSound(
  { file, type, seconds = 0 }: Sound,
  { types, maxBytes, maxSeconds }: SoundBounds,
): void {
  if (type !== undefined && !types.includes(type))
    throw new ReelayError("sound_type", { found: type.replace(/^audio\//, "").toUpperCase() });
  if ((file.bytes ?? 0) > maxBytes) throw new ReelayError("media_too_large", { max: maxBytes });
  if (seconds > maxSeconds) throw new ReelayError("sound_too_long", { seconds, max: maxSeconds });
}

/**
 * Holds all sounds of a field together against what it takes.
 * @throws ReelayError `sounds_too_long`
 */
export function checkTogether({ values, seconds }: Draft, { name, sounds }: FieldSpec): void {
  const all = mediaIn(values[name]).reduce((sum, { id }) => sum + (seconds[id] ?? 0), 0);
  if (sounds && all > sounds.maxSecondsTogether)
    throw new ReelayError("sounds_too_long", { seconds: all, max: sounds.maxSecondsTogether });
}
