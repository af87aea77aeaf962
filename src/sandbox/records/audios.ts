import { parseBuffer, type IFormat } from "music-metadata";
import { VID3_BOUNDS } from "../../common/contract.ts";
import { Refusal } from "./refusal.ts";

const { types, maxBytes, maxSeconds, maxSecondsTogether } = VID3_BOUNDS.audios;
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/** The containers of the published types (section 4.8), as they are found, and ffmpeg's demuxers for them. */
const DEMUXERS: readonly (readonly [container: RegExp, demuxer: string])[] = [
  [/^MPEG$/, "mp3"],
  [/^WAVE$/, "wav"],
  [/^ADTS/, "aac"],
  [/^Ogg$/, "ogg"],
  [/^(M4A|M4B|isom|mp4\d)/, "mov"],
];

/** A sound that was checked. */
export interface Audio {
  readonly bytes: Buffer;
  /** The ffmpeg demuxer that reads it. */
  readonly demuxer: string;
}

/**
 * Reads reference sounds out of a request: base64 or data URIs (section 4.8).
 * @throws Refusal 400 for another type, a video, or more bytes or seconds than are allowed
 */
export async function readAudios(values: readonly string[]): Promise<readonly Audio[]> {
  const audios: Audio[] = [];
  let together = 0;
  for (const [index, value] of values.entries()) {
    const { seconds, ...audio } = await readAudio(`audios.${index}`, value);
    together += seconds;
    audios.push(audio);
  }
  if (together > maxSecondsTogether)
    throw new Refusal(400, `audios: must be at most ${maxSecondsTogether} seconds together`);
  return audios;
}

async function readAudio(field: string, value: string): Promise<Audio & { readonly seconds: number }> {
  const [, type, data = value] = /^data:([\w.+-]+\/[\w.+-]+);base64,(.*)$/s.exec(value) ?? [];
  const wrong = new Refusal(400, `${field}: must be one of ${types.join(", ")}`);
  // What a form cannot name is known by its content.
  if (type !== undefined && type !== "application/octet-stream" && !types.some((known) => known === type))
    throw wrong;
  if (data.length % 4 !== 0 || !BASE64.test(data))
    throw new Refusal(400, `${field}: must be base64 or a data URI of a sound`);
  const bytes = Buffer.from(data, "base64");
  if (bytes.length > maxBytes) throw new Refusal(400, `${field}: must be at most ${maxBytes / 1e6} MB`);
  const { container = "", duration, hasAudio, hasVideo } = await formatOf(field, bytes);
  const demuxer = DEMUXERS.find(([pattern]) => pattern.test(container))?.[1];
  if (hasVideo) throw new Refusal(400, `${field}: must be a sound, not a video`);
  if (demuxer === undefined || !hasAudio) throw wrong;
  if (duration === undefined || duration > maxSeconds)
    throw new Refusal(400, `${field}: must be at most ${maxSeconds} seconds`);
  return { bytes, demuxer, seconds: duration };
}

async function formatOf(field: string, bytes: Buffer): Promise<IFormat> {
  try {
    // Without a stated length the whole file is measured.
    return (await parseBuffer(bytes, undefined, { duration: true, skipCovers: true })).format;
  } catch {
    throw new Refusal(400, `${field}: cannot be decoded as a sound`);
  }
}
