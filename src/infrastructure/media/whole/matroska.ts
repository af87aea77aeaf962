import { NotWhole, type FormatRules } from "./reading.ts";

const SEGMENT = 0x18538067;
const TRACKS = 0x1654ae6b;
const CLUSTER = 0x1f43b675;

/** A number of variable length, and how many bytes it took. */
interface Varied {
  readonly value: number;
  readonly read: number;
}

/** WebM and Matroska (RFC 8794, RFC 9559): its elements add up, with a track and some of what is on it. */
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
    yield { skip: bytes.value };
    left -= element.read + bytes.read + bytes.value;
  }
  if (!found.has(TRACKS) || !found.has(CLUSTER))
    throw new NotWhole("No track with something on it is in it.");
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
