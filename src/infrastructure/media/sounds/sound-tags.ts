/**
 * Empties what a sound file tells besides the sound: names, pictures and places, such as the street that a phone
 * calls a recording by. The sound itself is not touched. The comments of Ogg stay: its pages carry checksums.
 * @param kind as `sniff` calls it
 * @param file changed in place
 * @returns the part of it that is to be sent
 */
export function withoutTags(kind: string, file: Buffer): Buffer {
  if (kind === "WAV") emptyChunks(file);
  if (kind === "M4A" || kind === "MP4") emptyBoxes(file);
  return kind === "MP3" ? withoutId3(file) : file;
}

/** What the sound is made of; everything else in a RIFF file is said about it. */
const SOUND_CHUNKS = new Set(["fmt ", "fact", "data"]);
/** RIFF: "RIFF", size, "WAVE"; then chunks of a name, a size and an even number of bytes. */
const RIFF_HEADER = 12;
const CHUNK_HEADER = 8;

function emptyChunks(file: Buffer): void {
  for (let at = RIFF_HEADER; at + CHUNK_HEADER <= file.length;) {
    const size = file.readUInt32LE(at + 4);
    // What is written while it is recorded claims more than there is.
    const next = Math.min(at + CHUNK_HEADER + size + (size % 2), file.length);
    if (!SOUND_CHUNKS.has(nameAt(file, at))) {
      file.write("JUNK", at, "latin1");
      file.fill(0, at + CHUNK_HEADER, next);
    }
    at = next;
  }
}

/** Boxes in ISO media that hold what is said about the sound: at the top, in the film's box and in its tracks'. */
const TAG_BOXES = new Set(["udta", "meta", "uuid"]);
const OUTER_BOXES = ["moov", "trak"] as const;
/** Size and name; sizes include it. */
const BOX_HEADER = 8;

/** Nothing moves, so that the places at which the sound is found in the file stay right. */
function emptyBoxes(
  file: Buffer,
  [outer, ...within]: readonly string[] = OUTER_BOXES,
  start = 0,
  end = file.length,
): void {
  for (let at = start; at + BOX_HEADER <= end;) {
    const size = boxSize(file, at, end);
    if (size < BOX_HEADER) return;
    const next = Math.min(at + size, end);
    const name = nameAt(file, at + 4);
    if (name === outer) emptyBoxes(file, within, at + BOX_HEADER, next);
    if (TAG_BOXES.has(name)) {
      file.write("free", at + 4, "latin1");
      file.fill(0, at + BOX_HEADER, next);
    }
    at = next;
  }
}

/** 0 means up to the end, 1 that 8 bytes for a larger size follow. */
function boxSize(file: Buffer, at: number, end: number): number {
  const size = file.readUInt32BE(at);
  if (size === 0) return end - at;
  return size === 1 && at + 16 <= end ? Number(file.readBigUInt64BE(at + 8)) : size;
}

const ID3_HEADER = 10;
const ID3_HAS_FOOTER = 0x10;
const ID3V1_BYTES = 128;

function withoutId3(file: Buffer): Buffer {
  let start = 0;
  while (nameAt(file, start).startsWith("ID3") && start + ID3_HEADER <= file.length) {
    const footer = file.readUInt8(start + 5) & ID3_HAS_FOOTER ? ID3_HEADER : 0;
    start += ID3_HEADER + footer + syncsafe(file.subarray(start + 6, start + ID3_HEADER));
  }
  const last = file.length - ID3V1_BYTES;
  const end = last > start && nameAt(file, last).startsWith("TAG") ? last : file.length;
  return file.subarray(start, end);
}

/** Seven bits a byte: a size never looks like the start of a frame. */
function syncsafe(bytes: Buffer): number {
  return bytes.reduce((size, byte) => size * 128 + (byte & 0x7f), 0);
}

function nameAt(file: Buffer, at: number): string {
  return file.toString("latin1", at, at + 4);
}
