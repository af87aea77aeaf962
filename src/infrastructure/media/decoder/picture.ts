import sharp, { type Sharp } from "sharp";
import { BUDGET } from "./budget.ts";
import { readHeic } from "./heic.ts";
import { checkSize } from "./size.ts";

/** A picture file, and what it is by its first bytes: its name and announced type are never believed. */
export interface PictureFile {
  readonly path: string;
  /** One of `PICTURE_KINDS`. */
  readonly kind: string;
}

// Every file is read once, from a path that never comes back.
sharp.cache(false);

// What a file is was told by its first bytes: nothing but those kinds is ever tried, whatever else libvips reads.
sharp.block({ operation: ["VipsForeignLoad"] });
sharp.unblock({
  operation: [
    "VipsForeignLoadJpeg",
    "VipsForeignLoadPng",
    "VipsForeignLoadWebp",
    "VipsForeignLoadHeif",
    "VipsForeignLoadNsgif",
  ],
});

/**
 * Opens a picture: upright, its first frame. What its header says is checked before anything is decoded.
 * @returns what begins to read it, as often as it is called
 * @throws ReelayError `media_dimensions`; anything else for what cannot be read
 */
export async function openPicture({ path, kind }: PictureFile): Promise<() => Sharp> {
  if (kind === "HEIC") {
    const { data, ...raw } = await readHeic(path);
    return () => sharp(data, { raw: { ...raw, channels: 4 } });
  }
  checkSize(await sharp(path, { limitInputPixels: false }).metadata(), BUDGET.pixels);
  return () => sharp(path, { limitInputPixels: BUDGET.pixels, failOn: "error" }).autoOrient();
}
