import { Boxes } from "./boxes.ts";
import type { Sample } from "./film-tables.ts";

/** What the boxes of a fragment tell only where their flags say so (ISO/IEC 14496-12, sections 8.8.7 and 8.8.8), in bytes. */
const HEADER_FIELDS = [
  [0x1, 8],
  [0x2, 4],
  [0x8, 4],
] as const;
const SAMPLE_FIELDS = [0x100, 0x200, 0x400, 0x800];

/** Sizes of samples where a fragment tells none, by the number of their track. */
export function usualSizes(moov: Buffer): ReadonlyMap<number, number> {
  const defaults = new Boxes(moov).in("mvex").all("trex");
  return new Map(defaults.map((trex) => [trex.readUInt32BE(4), trex.readUInt32BE(16)]));
}

/**
 * The first and the last sample of a track in a fragment that are not empty.
 * @param moof what its box of tables holds
 * @param at where that box begins in its file
 * @param usual size of a sample where it tells none
 * @returns none where the track is not in it, or its samples lie elsewhere than behind it
 */
export function fragmentEnds(moof: Buffer, at: number, track: number, usual: number): readonly Sample[] {
  const part = new Boxes(moof)
    .all("traf")
    .map((content) => new Boxes(content))
    .find((boxes) => boxes.one("tfhd")?.readUInt32BE(4) === track);
  const header = part?.one("tfhd");
  if (!part || !header) return [];
  const flags = header.readUIntBE(1, 3);
  const before = HEADER_FIELDS.reduce((sum, [flag, bytes]) => sum + ((flags & flag) === 0 ? 0 : bytes), 8);
  const base = (flags & 0x1) === 0 ? at : Number(header.readBigUInt64BE(8));
  const same = (flags & 0x10) === 0 ? usual : header.readUInt32BE(before);
  const runs = part.all("trun").map((run) => samplesIn(run, base, same));
  const samples = runs.some((run) => run === undefined) ? [] : runs.flatMap((run) => run ?? []);
  const [first] = samples;
  const last = samples.at(-1);
  return first && last ? [first, last] : [];
}

/** Undefined where it does not tell where they lie. */
function samplesIn(run: Buffer, base: number, same: number): readonly Sample[] | undefined {
  const flags = run.readUIntBE(1, 3);
  if ((flags & 0x1) === 0) return undefined;
  const table = 12 + ((flags & 0x4) === 0 ? 0 : 4);
  const fields = SAMPLE_FIELDS.filter((flag) => (flags & flag) !== 0);
  const place = fields.indexOf(0x200);
  const samples: Sample[] = [];
  let at = base + run.readInt32BE(8);
  // One that tells nothing of each sample may tell of any number of them: they lie in a row.
  const count = Math.min(run.readUInt32BE(4), place < 0 ? 1 : Infinity);
  for (let sample = 0; sample < count; sample++) {
    const bytes = place < 0 ? same : run.readUInt32BE(table + (sample * fields.length + place) * 4);
    if (bytes > 0) samples.push({ at, bytes });
    at += bytes;
  }
  return samples;
}
