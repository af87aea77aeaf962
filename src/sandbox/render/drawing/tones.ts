import type { Sharp } from "sharp";

/** Colour treatments of a picture, or of the still that a clip moves over. */
const TONES = {
  natural: (picture) => picture,
  warm: (picture) =>
    picture.recomb([
      [1.08, 0.04, 0],
      [0.02, 1, 0],
      [0, 0.02, 0.84],
    ]),
  golden: (picture) =>
    picture.modulate({ saturation: 1.15, brightness: 1.04 }).recomb([
      [1.12, 0.08, 0],
      [0.04, 1, 0],
      [0, 0.05, 0.68],
    ]),
  cool: (picture) =>
    picture.recomb([
      [0.86, 0.02, 0],
      [0, 0.98, 0.03],
      [0, 0.06, 1.1],
    ]),
  night: (picture) =>
    picture.modulate({ brightness: 0.7, saturation: 0.7 }).recomb([
      [0.72, 0, 0.04],
      [0, 0.86, 0.08],
      [0.04, 0.1, 1.15],
    ]),
  rose: (picture) =>
    picture.modulate({ brightness: 1.03 }).recomb([
      [1.1, 0.03, 0.02],
      [0, 0.9, 0.05],
      [0.03, 0.04, 0.98],
    ]),
  teal: (picture) =>
    picture.modulate({ saturation: 1.2 }).recomb([
      [1.06, 0, -0.04],
      [0, 1, 0.04],
      [-0.08, 0.12, 1.02],
    ]),
  vivid: (picture) => picture.modulate({ saturation: 1.5 }).linear(1.08, -8),
  mono: (picture) => picture.modulate({ saturation: 0 }),
  noir: (picture) => picture.modulate({ saturation: 0 }).linear(1.4, -46),
  vintage: (picture) =>
    picture
      .recomb([
        [0.5, 0.42, 0.12],
        [0.34, 0.46, 0.12],
        [0.26, 0.34, 0.22],
      ])
      .linear(0.92, 18),
  faded: (picture) => picture.modulate({ saturation: 0.6 }).linear(0.8, 38),
  dream: (picture) => picture.modulate({ brightness: 1.08, saturation: 1.1 }).blur(1.6).linear(0.94, 14),
} as const satisfies Record<string, (picture: Sharp) => Sharp>;

/** A colour treatment's name. */
export type ToneName = keyof typeof TONES;

/** Every colour treatment. */
export const TONE_NAMES = Object.keys(TONES) as readonly ToneName[];

/** Treats a picture's colours. */
export function tone(name: ToneName, picture: Sharp): Sharp {
  return TONES[name](picture);
}
