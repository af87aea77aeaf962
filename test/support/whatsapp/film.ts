/** Boxes that hold others on the way to a track's sample descriptions: ISO/IEC 14496-12. */
const ON_THE_WAY = new Set(["moov", "trak", "mdia", "minf", "stbl"]);

/** Which codecs a film has, by the four letters of each track ("avc1", "mp4a"); nothing where it is no MP4. */
function codecsOf(film: Buffer): readonly string[] | undefined {
  if (film.toString("latin1", 4, 8) !== "ftyp") return undefined;
  return [...codecsIn(film)];
}

function* codecsIn(boxes: Buffer): Generator<string> {
  for (let at = 0; at + 8 <= boxes.length;) {
    const type = boxes.toString("latin1", at + 4, at + 8);
    const short = boxes.readUInt32BE(at);
    const size = short === 1 ? Number(boxes.readBigUInt64BE(at + 8)) : short || boxes.length - at;
    const inside = boxes.subarray(at + (short === 1 ? 16 : 8), at + size);
    if (ON_THE_WAY.has(type)) yield* codecsIn(inside);
    // Version and flags, the number of entries, then each entry as a box.
    else if (type === "stsd") yield inside.toString("latin1", 12, 16);
    if (size < 8) return;
    at += size;
  }
}

/** What WhatsApp plays as a video: reference/media, "Only the H.264 video codec and AAC audio codec is supported". */
export function isPlayable(film: Buffer): boolean {
  const codecs = codecsOf(film);
  if (!codecs) return false;
  const isKnown = codecs.every((codec) => /^(?:avc[13]|mp4a)$/.test(codec));
  return (
    isKnown &&
    codecs.some((codec) => codec.startsWith("avc")) &&
    codecs.filter((c) => c === "mp4a").length < 2
  );
}
