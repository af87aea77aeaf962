import sharp, { type OverlayOptions, type Sharp } from "sharp";
import { chance } from "../../liberties/chance.ts";
import { tone } from "../drawing/tones.ts";
import { treatmentLayers, type Treatment } from "./treatment.ts";

/** A collage of one to five pictures. */
interface Collage {
  /** Paths of the pictures. */
  readonly inputs: readonly string[];
  /** What they lie on: a picture that fills the frame. */
  readonly ground: Buffer;
  /** Pixels of the result. */
  readonly width: number;
  readonly height: number;
  readonly treatment: Treatment;
  readonly caption: string;
  readonly seed: number;
}

/** Part of its cell that a card takes, so that it stays inside when it is turned. */
const CARD = 0.82;
const MOST_TURN = 10;

/** The pictures as cards with a white edge, each turned a little, on a ground. */
export async function drawCollage(collage: Collage): Promise<Sharp> {
  const { inputs, width, height, treatment, caption, seed } = collage;
  const columns = Math.ceil(Math.sqrt((inputs.length * width) / height));
  const rows = Math.ceil(inputs.length / columns);
  const card = async (path: string, index: number): Promise<OverlayOptions> => {
    const row = Math.floor(index / columns);
    const inRow = Math.min(columns, inputs.length - row * columns);
    const [cellWidth, cellHeight] = [width / inRow, height / rows];
    const side = Math.round(Math.min(cellWidth, cellHeight) * CARD);
    const edge = Math.max(2, Math.round(side * 0.03));
    const inner = side - 2 * edge;
    const shown = tone(
      treatment.tone ?? "natural",
      sharp(path).resize(inner, inner, { fit: "cover", position: sharp.strategy.attention }),
    );
    const framed = await shown
      .extend({ top: edge, bottom: edge, left: edge, right: edge, background: "#fbf8f0" })
      .png()
      .toBuffer();
    const { data, info } = await sharp(framed)
      .rotate((chance("turn", seed, index) - 0.5) * MOST_TURN, { background: "#0000" })
      .png()
      .toBuffer({ resolveWithObject: true });
    return {
      input: data,
      left: Math.round(((index % columns) + 0.5) * cellWidth - info.width / 2),
      top: Math.round((row + 0.5) * cellHeight - info.height / 2),
    };
  };
  return sharp(collage.ground).composite([
    ...(await Promise.all(inputs.map(card))),
    ...(await treatmentLayers(width, height, treatment, caption, seed)),
  ]);
}
