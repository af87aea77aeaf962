import { NotWhole, type FormatRules } from "./reading.ts";

const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;
const TRACK = 0xae;
const TRACK_TYPE = 0x83;
const VIDEO = 1;
/** What tells of the tracks is smaller, in bytes; a larger one is not looked into. */
const MOST_TRACKS_BYTES = 2 ** 20;

/** A number of variable length, and how many bytes it took. */
interface Varied {
  readonly value: number;
  readonly read: number;
}

/** WebM and Matroska (RFC 8794, RFC 9559): its elements add up, those in its clusters as well, with a track that is seen and some of what is on it. */
export function* matroska(): FormatRules {
  yield* id();
  yield { skip: (yield* size()).value };
  if ((yield* id()).value !== SEGMENT) throw new NotWhole("It has no segment.");
  let { value: left } = yield* size();
  const found = new Set<number>();
  while (left > 0) {
    const [first] = yield { take: 1, orEnd: true };
    if (first === undefined && left !== Infinity) throw new NotWhole("Its segment is cut off.");
    if (first === undefined) break;
    const element = yield* id(first);
    const bytes = yield* size();
    found.add(element.value);
    // Live writers do not know how long it will be: it goes on to the end.
    if (bytes.value === Infinity) {
      yield { skip: Infinity, orEnd: true };
      break;
    }
    if (element.value === TRACKS && bytes.value <= MOST_TRACKS_BYTES) yield* seenTrack(bytes.value);
    else if (element.value === CLUSTER) yield* children(bytes.value);
    else yield { skip: bytes.value };
    left -= element.read + bytes.read + bytes.value;
  }
  if (!found.has(TRACKS) || !found.has(CLUSTER))
    throw new NotWhole("No track with something on it is in it.");
}

/** Follows the elements in one. @param bytes of them all */
function* children(bytes: number, each?: (id: number, bytes: number) => FormatRules): FormatRules {
  let left = bytes;
  while (left > 0) {
    const element = yield* id();
    const { value, read } = yield* size();
    left -= element.read + read + value;
    if (left < 0) throw new NotWhole("What is in it does not fit.");
    if (each) yield* each(element.value, value);
    else yield { skip: value };
  }
}

/** @throws NotWhole where none of its tracks is seen */
function* seenTrack(bytes: number): FormatRules {
  let isSeen = false;
  yield* children(bytes, function* (track, inTrack) {
    if (track === TRACK)
      yield* children(inTrack, function* (field, length) {
        if (field === TRACK_TYPE && length === 1) isSeen ||= (yield { take: 1 })[0] === VIDEO;
        else yield { skip: length };
      });
    else yield { skip: inTrack };
  });
  if (!isSeen) throw new NotWhole("Nothing in it is seen.");
}

/** @param first its first byte, where that was taken already */
function* id(first?: number): FormatRules<Varied> {
  const head = first ?? (yield { take: 1 })[0] ?? 0;
  const read = lengthOf(head, 4);
  const rest = yield { take: read - 1 };
  return { value: rest.reduce((sum, byte) => sum * 256 + byte, head), read };
}

/** Infinite where it is not known. */
function* size(): FormatRules<Varied> {
  const head = (yield { take: 1 })[0] ?? 0;
  const read = lengthOf(head, 8);
  const rest = yield { take: read - 1 };
  const most = 0xff >> read;
  const start = head & most;
  const known = start !== most || rest.some((byte) => byte !== 0xff);
  return { value: known ? rest.reduce((sum, byte) => sum * 256 + byte, start) : Infinity, read };
}

/** The zero bits that a number begins with tell how many bytes follow. */
function lengthOf(head: number, most: number): number {
  const length = Math.clz32(head) - 23;
  if (length > most) throw new NotWhole("What should be an element is none.");
  return length;
}
