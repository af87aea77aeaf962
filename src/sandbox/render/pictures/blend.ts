import sharp, { type Sharp } from "sharp";
import { chance } from "../../liberties/chance.ts";
import { tone } from "../drawing/tones.ts";
import { treatmentLayers, type Treatment } from "./treatment.ts";

/** A blend of one to three pictures. */
interface Blend {
  /** Paths of the pictures, the main one first. */
  readonly inputs: readonly string[];
  /** Pixels of the result. */
  readonly width: number;
  readonly height: number;
  readonly treatment: Treatment;
  readonly caption: string;
  readonly seed: number;
  /** Works out details. */
  readonly fine: boolean;
}

/** The main picture treated, the others faded in over a part of it each. */
export async function drawBlend(blend: Blend): Promise<Sharp> {
  const { width, height, treatment, caption, seed, fine } = blend;
  const fill = (path: string) => {
    const filled = sharp(path).resize(width, height, { fit: "cover", position: sharp.strategy.attention });
    return fine ? filled.sharpen({ sigma: 1.2 }) : filled;
  };
  const [main = "", ...others] = blend.inputs;
  const base = await tone(treatment.tone ?? "natural", fill(main))
    .removeAlpha()
    .png()
    .toBuffer();
  const faded = await Promise.all(
    others.map(async (path, index) => ({
      input: await fill(path)
        .ensureAlpha()
        .composite([{ input: softMask(width, height, index, seed), blend: "dest-in" }])
        .png()
        .toBuffer(),
    })),
  );
  return sharp(base).composite([
    ...faded,
    ...(await treatmentLayers(width, height, treatment, caption, seed)),
  ]);
}

/** Where a further picture shows: the second over one side of the frame, the third in a corner above. */
function softMask(width: number, height: number, index: number, seed: number): Buffer {
  const [left, tilt] = [chance("side", seed) < 0.5, Math.round(chance("tilt", seed) * 30 - 15)];
  const stops = `<stop offset="0.4" stop-opacity="0"/><stop offset="0.62" stop-color="#fff"/>`;
  const side = `<linearGradient id="m" gradientTransform="rotate(${tilt + (left ? 180 : 0)} 0.5 0.5)">${stops}</linearGradient>`;
  const corner = `<radialGradient id="m" cx="${left ? 0.8 : 0.2}" cy="0.2" r="0.34"><stop offset="0.6" stop-color="#fff"/><stop offset="1" stop-opacity="0"/></radialGradient>`;
  return Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs>${index === 0 ? side : corner}</defs><rect width="${width}" height="${height}" fill="url(#m)"/></svg>`,
  );
}
