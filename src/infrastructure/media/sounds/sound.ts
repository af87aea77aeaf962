import { readFile, writeFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { SoundBounds } from "./bounds.ts";
import { ReelayError } from "../../../common/errors.ts";
import { decode } from "../decoder/decoder.ts";
import type { SoundFacts } from "../decoder/sound.ts";
import { prepareFile, type PreparedFile } from "../files/prepared.ts";
import { Remembered } from "../remembered.ts";
import { soundTypeOf } from "../files/sniff.ts";
import { withoutTags } from "./sound-tags.ts";

/** A sound that is ready to be sent, in a file of its own. */
export interface PreparedSound extends PreparedFile {
  /** Its MIME type. */
  readonly type: string;
  readonly seconds: number;
}

/** What a sound may be, and where to work on it. */
export interface SoundOptions {
  /** A folder for temporary files, made where it is missing. */
  readonly dir: string;
  readonly bounds: SoundBounds;
}

const known = new Remembered<SoundFacts>();

/**
 * Checks a sound before it is sent: its type is told by content, its length is counted where the file does not
 * say it. What is said in it about its maker is taken out; the sound is sent as it is, never transcoded.
 * @param open opens the file; what it throws is passed on
 * @throws ReelayError `media_too_large` with `max` in bytes; `media_empty`; `sound_type` with `found` for other sounds, for
 * videos and for everything else that is known by its first bytes; `sound_unreadable` for what is no sound or
 * is damaged; `sound_too_long` with `seconds` and `max`
 */
export function prepareSound(
  open: () => Promise<Readable>,
  { dir, bounds: { types, maxBytes, maxSeconds } }: SoundOptions,
): Promise<PreparedSound> {
  return prepareFile(open, dir, maxBytes, async ({ path: original, kind, digest }, prepared) => {
    if (kind === undefined) throw new ReelayError("sound_unreadable");
    const type = soundTypeOf(kind);
    if (type === undefined || !types.includes(type)) throw new ReelayError("sound_type", { found: kind });
    await writeFile(prepared, withoutTags(kind, await readFile(original)));
    const { hasAudio, hasVideo, seconds } = await known.of(digest, () => factsOf(prepared));
    // The same containers hold videos, which are rejected (section 4.8).
    if (hasVideo) throw new ReelayError("sound_type", { found: `${kind} video` });
    if (!hasAudio || !seconds) throw new ReelayError("sound_unreadable");
    if (seconds > maxSeconds) {
      // Rounded up, so that nobody reads that 10 seconds are longer than 10.
      throw new ReelayError("sound_too_long", { seconds: Math.ceil(seconds * 10) / 10, max: maxSeconds });
    }
    return { type, seconds };
  });
}

function factsOf(path: string): Promise<SoundFacts> {
  return decode("soundFacts", { path }).catch((cause: unknown) => {
    throw cause instanceof ReelayError ? cause : new ReelayError("sound_unreadable", {}, { cause });
  });
}
