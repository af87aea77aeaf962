import { NotWhole, type FormatRules } from "./reading.ts";

/** A box of ISO media (ISO/IEC 14496-12, section 4.2). */
interface Box {
  readonly type: string;
  /** Bytes of its content; infinite where it goes on to the end of the file. */
  readonly bytes: number;
}

/** QuickTime may keep its tables compressed. */
const TRACKS = ["trak", "cmov"];

/** Names of boxes are printable; QuickTime's own may begin with a copyright sign. */
const NAME = /^[\x20-\x7e\xa9]{4}$/;

/**
 * ISO media (MP4, MOV, HEIF, AVIF), plain or in fragments: its boxes add up to the file, its tables are there and tell of a
 * track, and so is what they tell of. Whatever brand it is of.
 */
export function* isoMedia(kind: "video" | "image"): FormatRules {
  let tracks = false;
  let items = false;
  let content = false;
  let expected = false;
  for (;;) {
    const box = yield* nextBox();
    if (box === "end") break;
    if (box === "other") {
      // Some writers leave a tail of their own behind what is whole.
      if (content && (tracks || items)) return;
      throw new NotWhole("What should be a box is none.");
    }
    const { type, bytes } = box;
    if (type === "mdat") content ||= bytes > 0;
    // A fragment tells of what follows it.
    if (type === "moof" || type === "mdat") expected = type === "moof";
    items ||= type === "meta";
    if (type === "moov") tracks ||= yield* holds(TRACKS, bytes);
    else if (type === "meta" && kind === "image" && bytes !== Infinity) content ||= yield* holdsItems(bytes);
    else yield bytes === Infinity ? { skip: bytes, orEnd: true } : { skip: bytes };
  }
  if (kind === "image" && items && content) return;
  if (!tracks) throw new NotWhole("No table of a track is in it.");
  if (!content || expected) throw new NotWhole("Nothing is in it that its tables could tell of.");
}

function* nextBox(): FormatRules<Box | "end" | "other"> {
  const header = yield { take: 8, orEnd: true };
  if (header.length < 8) return header.length === 0 ? "end" : "other";
  const size = header.readUInt32BE(0);
  const type = header.toString("latin1", 4);
  if (!NAME.test(type)) return "other";
  if (size === 0) return { type, bytes: Infinity };
  if (size > 1) return size < 8 ? "other" : { type, bytes: size - 8 };
  const large = Number((yield { take: 8 }).readBigUInt64BE(0));
  return large < 16 ? "other" : { type, bytes: large - 16 };
}

/** Reads tables to their end. */
function* holds(types: readonly string[], bytes: number): FormatRules<boolean> {
  let found = false;
  let left = bytes;
  while (left >= 8) {
    const box = yield* nextBox();
    if (typeof box !== "object") throw new NotWhole("Its tables cannot be read.");
    if (box.bytes + 8 > left) throw new NotWhole("Its tables are cut off.");
    found ||= types.includes(box.type);
    yield { skip: box.bytes };
    left -= box.bytes + 8;
  }
  yield { skip: left };
  return found;
}

/** Whether a picture lies among its own tables (ISO/IEC 14496-12, section 8.11.11), and not in a part behind them. */
function* holdsItems(bytes: number): FormatRules<boolean> {
  const version = Math.min(bytes, 4);
  yield { skip: version };
  return yield* holds(["idat"], bytes - version);
}
