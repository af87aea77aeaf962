/**
 * What decoding one file may take. What it says of itself is looked at before anything is decoded; the rest is watched
 * while it is.
 */
export const BUDGET = {
  /** Room for the 108 megapixels of a phone. With {@link BUDGET.aspect} no side is longer than 49,000. */
  pixels: 120_000_000,
  /** HEIC is decoded whole, in memory: room for the 48 megapixels of a phone. */
  heicPixels: 50_000_000,
  /** The longer side by the shorter: more than any panorama or long screenshot. */
  aspect: 20,
  /** Of a processor, in milliseconds: it does not pass while others are at work. */
  cpuMs: 20_000,
  /** In all, in milliseconds: for what hangs without working. What its process stands still, or waits for a processor, does not count. */
  wallMs: 60_000,
  /** That a process holds, in bytes. */
  memory: 1_200 * 2 ** 20,
} as const;
