import { Boxes } from "./boxes.ts";
import { NotWhole } from "./reading.ts";

/** Where a sample lies in its file, in bytes. */
export interface Sample {
  readonly at: number;
  readonly bytes: number;
}

/** A track that shows something. */
export interface ShownTrack {
  readonly id: number;
  /** What its samples are written in, as `avc1`. */
  readonly codec: string;
  /** Bytes of the numbers that begin each part of a sample, where its codec has them. */
  readonly lengthBytes: number | undefined;
  /** The first and the last that are not empty; none where fragments tell of them. */
  readonly ends: readonly Sample[];
  /** Where what its tables tell of ends. */
  readonly end: number;
}

/** Handlers of tracks that are seen: films, and pictures one after the other. */
const SHOWN = new Set(["vide", "pict"]);

/** More than films of an hour have; tables that tell of more are not followed. */
const MOST_SAMPLES = 2_000_000;

/**
 * The tracks that show something, by the tables of a film (ISO/IEC 14496-12, section 8).
 * @param moov what its box of tables holds
 * @returns undefined where they are compressed, as QuickTime may have them
 * @throws NotWhole for tables that cannot be read
 */
export function shownTracks(moov: Buffer): readonly ShownTrack[] | undefined {
  const tables = new Boxes(moov);
  if (tables.one("cmov")) return undefined;
  return tables.all("trak").flatMap((content) => {
    const track = new Boxes(content);
    const media = track.in("mdia");
    const handler = media.one("hdlr")?.toString("latin1", 8, 12);
    if (handler === undefined || !SHOWN.has(handler)) return [];
    return [shownTrack(track.one("tkhd"), media.in("minf").in("stbl"))];
  });
}

function shownTrack(header: Buffer | undefined, tables: Boxes): ShownTrack {
  const description = tables.one("stsd");
  if (!header || !description) throw new NotWhole("Its tables cannot be read.");
  const codec = description.toString("latin1", 12, 16);
  const id = header.readUInt32BE(header[0] === 1 ? 20 : 12);
  return { id, codec, lengthBytes: lengthBytesOf(codec, description), ...samplesOf(tables) };
}

/** AVC and HEVC begin each part with how long it is (ISO/IEC 14496-15, sections 5.3.3 and 8.3.3). */
function lengthBytesOf(codec: string, description: Buffer): number | undefined {
  const [name, at] = /^avc[1-4]$/.test(codec) ? ["avcC", 4] : ["hvcC", 21];
  if (name === "hvcC" && !/^h[ve][vc]1$/.test(codec)) return undefined;
  // Behind the entry's 78 bytes about how it looks there are boxes.
  const size = description.readUInt32BE(8);
  const flags = new Boxes(description.subarray(8 + 8 + 78, 8 + size)).one(name)?.[at];
  return flags === undefined ? undefined : (flags & 3) + 1;
}

/** Follows its tables chunk by chunk (sections 8.7.3 to 8.7.5). */
function samplesOf(tables: Boxes): Pick<ShownTrack, "ends" | "end"> {
  const sizes = sizesOf(tables);
  const chunks = chunksOf(tables);
  const runs = runsOf(tables.one("stsc"));
  let first: Sample | undefined;
  let last: Sample | undefined;
  let end = 0;
  let sample = 0;
  let run = 0;
  if (sizes.count > MOST_SAMPLES) return { ends: [], end };
  for (const [chunk, start] of chunks.entries()) {
    while ((runs[run + 1]?.chunk ?? Infinity) <= chunk + 1) run++;
    const until = Math.min(sizes.count, sample + (runs[run]?.samples ?? 0));
    for (let at = start; sample < until; sample++) {
      const bytes = sizes.of(sample);
      if (bytes > 0) last = { at, bytes };
      first ??= last;
      at += bytes;
      end = Math.max(end, at);
    }
  }
  return { ends: first && last ? [first, last] : [], end };
}

function sizesOf(tables: Boxes): { readonly count: number; of(sample: number): number } {
  const small = tables.one("stz2");
  const table = tables.one("stsz") ?? small;
  if (!table) return { count: 0, of: () => 0 };
  const same = small ? 0 : table.readUInt32BE(4);
  const count = table.readUInt32BE(8);
  const bits = small ? (table[7] ?? 0) : 32;
  if (same === 0 && 12 + (count * bits) / 8 > table.length) throw new NotWhole("Its tables are cut off.");
  const of = (sample: number) => {
    if (same > 0) return same;
    if (bits >= 8) return table.readUIntBE(12 + (sample * bits) / 8, bits / 8);
    const two = table[12 + (sample >> 1)] ?? 0;
    return sample % 2 === 0 ? two >> 4 : two & 15;
  };
  return { count, of };
}

/** Where each chunk begins. */
function chunksOf(tables: Boxes): readonly number[] {
  const large = tables.one("co64");
  const table = large ?? tables.one("stco");
  const count = table?.readUInt32BE(4) ?? 0;
  const bytes = large ? 8 : 4;
  if (table && 8 + count * bytes > table.length) throw new NotWhole("Its tables are cut off.");
  return Array.from({ length: count }, (_, index) => {
    const at = 8 + index * bytes;
    return Number(large ? large.readBigUInt64BE(at) : table?.readUInt32BE(at));
  });
}

/** From which chunk on there are how many samples in each. */
function runsOf(table: Buffer | undefined): readonly { readonly chunk: number; readonly samples: number }[] {
  if (!table) return [];
  const count = table.readUInt32BE(4);
  if (8 + count * 12 > table.length) return [];
  return Array.from({ length: count }, (_, index) => {
    const at = 8 + index * 12;
    return { chunk: table.readUInt32BE(at), samples: table.readUInt32BE(at + 4) };
  });
}
