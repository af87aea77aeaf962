import { ReelayError } from "../../../common/errors.ts";
import type { WrittenContent } from "../files/written.ts";
import { boxAt } from "./boxes.ts";
import { fragmentEnds, usualSizes } from "./film-fragments.ts";
import { type Sample, type ShownTrack, shownTracks } from "./film-tables.ts";
import { NotWhole } from "./reading.ts";

/** The types of films that are ISO media. */
const ISO_TYPES = new Set(["video/mp4", "video/quicktime", "video/3gpp"]);

/** Tables of films of an hour are smaller; larger ones are not looked into. */
const MOST_TABLES_BYTES = 16 * 2 ** 20;

/** How much of a sample is looked at. */
const LOOKED_AT_BYTES = 4096;

/** What is written in these is packed: none of it is empty, or text, as plain pixels may be. */
const PACKED = /^(avc[1-4]|hvc1|hev1|av01|vp0[89]|mp4v)$/;

/** Fewer bytes may look like anything. */
const LEAST_TEXT_BYTES = 64;

/** Names of boxes are printable; QuickTime's own may begin with a copyright sign. */
const NAME = /^[\x20-\x7e\xa9]{4}$/;

/** A box of a film on our disk: where it begins, and where its content lies. */
interface FilmBox {
  readonly type: string;
  readonly at: number;
  readonly content: Sample;
}

/**
 * Looks whether a film on our disk can be played, as far as that can be told without a decoder: it has a track that shows something,
 * what its tables tell of lies in it, and neither its first nor its last picture is a gap or words. What is unusual is let
 * through: formats that are not known here, tables that are very large or compressed, pixels that are not packed.
 * @param type its MIME type, by its first bytes
 * @throws ReelayError `result_late` for one that cannot be played; what reading it throws
 */
export async function checkFilm(film: WrittenContent, type: string): Promise<void> {
  if (!ISO_TYPES.has(type)) return;
  try {
    await checkTracks(film);
  } catch (cause) {
    // Numbers may lead out of a table.
    if (cause instanceof NotWhole || cause instanceof RangeError)
      throw new ReelayError("result_late", {}, { cause });
    throw cause;
  }
}

async function checkTracks(film: WrittenContent): Promise<void> {
  const { bytes: size } = film;
  const { boxes, end } = await boxesOf(film);
  const tables = boxes.find(({ type }) => type === "moov");
  if (!tables || tables.content.bytes > MOST_TABLES_BYTES) return;
  const moov = await bytesAt(film, tables.content);
  const tracks = shownTracks(moov);
  if (tracks?.length === 0) throw new NotWhole("Nothing in it is seen.");
  const fragments = boxes.filter(({ type }) => type === "moof");
  // Writers may leave a tail of their own behind; what is more than that is a part that never came.
  if (fragments.length > 0 && size - end > end / 4) throw new NotWhole("The rest of it is none.");
  const usual = usualSizes(moov);
  for (const track of tracks ?? []) {
    await checkTrack(film, track);
    for (const { at, content } of new Set([...fragments.slice(0, 1), ...fragments.slice(-1)])) {
      const moof = await bytesAt(film, { ...content, bytes: Math.min(content.bytes, MOST_TABLES_BYTES) });
      const ends = fragmentEnds(moof, at, track.id, usual.get(track.id) ?? 0);
      await checkTrack(film, { ...track, ends });
    }
  }
}

/** Its boxes, and where they end: its writer may have left a tail. */
async function boxesOf(film: WrittenContent): Promise<{ boxes: FilmBox[]; end: number }> {
  const { bytes: size } = film;
  const boxes: FilmBox[] = [];
  let at = 0;
  while (size - at >= 8) {
    const { type, head, bytes } = boxAt(await bytesAt(film, { at, bytes: 16 }), size - at);
    if (!NAME.test(type) || bytes < head) break;
    boxes.push({ type, at, content: { at: at + head, bytes: bytes - head } });
    at += bytes;
  }
  return { boxes, end: at };
}

async function checkTrack(film: WrittenContent, track: ShownTrack): Promise<void> {
  if (track.end > film.bytes) throw new NotWhole("Its tables tell of what is not in it.");
  if (!PACKED.test(track.codec)) return;
  for (const { at, bytes } of track.ends) {
    const start = await bytesAt(film, { at, bytes: Math.min(bytes, LOOKED_AT_BYTES) });
    if (start.every((byte) => byte === 0)) throw new NotWhole("A gap is where a picture should be.");
    if (start.length >= LEAST_TEXT_BYTES && start.every(isTyped))
      throw new NotWhole("Words are where a picture should be.");
    if (track.lengthBytes !== undefined && !isDivided(start, bytes, track.lengthBytes))
      throw new NotWhole("What should be a picture is none.");
  }
}

/** Most of what is looked at lies in the beginning of a film, and all of a small one: each read asks another thread. */
async function bytesAt(film: WrittenContent, part: Sample): Promise<Buffer> {
  const end = part.at + part.bytes;
  if (Math.min(end, film.bytes) <= film.start.length) return film.start.subarray(part.at, end);
  return film.read(part.at, part.bytes);
}

const isTyped = (byte: number) => (byte >= 0x20 && byte <= 0x7e) || [0x09, 0x0a, 0x0d].includes(byte);

/** Whether the parts of a sample begin with how long they are, or, as some writers do it, with a mark. */
function isDivided(start: Buffer, bytes: number, lengthBytes: number): boolean {
  if (start.length < lengthBytes) return true;
  const length = start.readUIntBE(0, lengthBytes);
  return length + lengthBytes <= bytes || /^(000001|00000001)/.test(start.toString("hex", 0, 4));
}
