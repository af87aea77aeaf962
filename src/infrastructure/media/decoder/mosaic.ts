import sharp from "sharp";
import type { Size } from "./size.ts";

/** Pictures that are to be seen in one. */
export interface MosaicOrder {
  /** Files that were prepared. */
  readonly pictures: readonly string[];
  /** Of the longer edge, in pixels. */
  readonly side: number;
  /** A file that is made. */
  readonly to: string;
}

const BACKGROUND = "#808080";

/** Writes a JPEG with pictures in rows from the left, each cut to a square. */
export async function drawMosaic({ pictures, side, to }: MosaicOrder): Promise<Size> {
  const columns = Math.ceil(Math.sqrt(pictures.length));
  const cell = Math.floor(side / columns);
  const [width, height] = [columns * cell, Math.ceil(pictures.length / columns) * cell];
  const squares = await Promise.all(
    pictures.map(async (picture, index) => ({
      input: await sharp(picture).resize(cell, cell, { fit: "cover" }).toBuffer(),
      left: (index % columns) * cell,
      top: Math.floor(index / columns) * cell,
    })),
  );
  await sharp({ create: { width, height, channels: 3, background: BACKGROUND } })
    .composite(squares)
    .jpeg()
    .toFile(to);
  return { width, height };
}
