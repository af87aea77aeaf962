import { LISTED_TYPES, RATE_WINDOW_MS } from "../../../src/common/contract.ts";

/** A kind of job: how many are ordered in a minute, and between which durations it ends. */
interface Kind {
  readonly operation: string;
  readonly type: string;
  readonly perMinute: number;
  readonly seconds: readonly [least: number, most: number];
}

/** Every group at its published limit (section 8.1), but image pro, whose limit is not shown. */
const KINDS: readonly Kind[] = [
  { operation: "video", type: "video", perMinute: 20, seconds: [50, 70] },
  { operation: "video-audio", type: "video_audio", perMinute: 30, seconds: [60, 120] },
  { operation: "h3-text", type: "vendor_h3", perMinute: 30, seconds: [80, 160] },
  { operation: "vid3", type: "vid3", perMinute: 30, seconds: [60, 180] },
  { operation: "image", type: "image", perMinute: 15, seconds: [5, 15] },
  { operation: "image-edit", type: "image_edit", perMinute: 15, seconds: [8, 20] },
  { operation: "faceswap", type: "faceswap", perMinute: 20, seconds: [10, 30] },
];

/** One job of the mix. Times in milliseconds from the first order on. */
export interface MixOrder {
  readonly id: string;
  readonly kind: Kind;
  readonly key: string;
  readonly listed: boolean;
  readonly acceptedAt: number;
  readonly endsAt: number;
}

/** Orders over so many minutes by as many keys, always the same ones for a seed. */
export function mixedOrders(minutes: number, keys: number, seed: number): readonly MixOrder[] {
  const random = seeded(seed);
  const orders = KINDS.flatMap((kind) =>
    Array.from({ length: minutes * kind.perMinute }, (_, nth): MixOrder => {
      const [least, most] = kind.seconds;
      const acceptedAt = Math.round(((nth + random()) * RATE_WINDOW_MS) / kind.perMinute);
      return {
        id: `${kind.operation}-${nth}`,
        kind,
        key: `key-${Math.floor(random() * keys)}`,
        listed: LISTED_TYPES.some((type) => type === kind.type),
        acceptedAt,
        endsAt: acceptedAt + Math.round((least + random() * (most - least)) * 1000),
      };
    }),
  );
  return orders.toSorted((a, b) => a.acceptedAt - b.acceptedAt);
}

/** Numbers from 0 to 1 that are the same in every run (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
