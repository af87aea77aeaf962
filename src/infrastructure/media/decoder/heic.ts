import { readFile } from "node:fs/promises";
import { BUDGET } from "./budget.ts";
import { checkSize, type Size } from "./size.ts";

/**
 * Decodes a HEIC photo, which sharp's own build cannot. Its rotation is applied; of its metadata nothing is read.
 * @returns four bytes a pixel
 * @throws ReelayError `media_dimensions`; anything else for what cannot be read
 */
export async function readHeic(path: string): Promise<Size & { readonly data: Uint8ClampedArray }> {
  const file = await readFile(path);
  const sizes = sizesIn(file);
  if (sizes.length === 0) throw new Error("A HEIC file without a size");
  for (const size of sizes) checkSize(size, BUDGET.heicPixels);
  // It is large, and most files are something else.
  const { default: heic } = await import("heic-decode");
  const images = await heic.all({ buffer: file });
  try {
    const [first] = images;
    if (!first) throw new Error("A HEIC file without a picture");
    checkSize(first, BUDGET.heicPixels);
    return await first.decode();
  } finally {
    images.dispose();
  }
}

/** Boxes that lead to the sizes of pictures and of the tiles that they are put together of (ISO/IEC 23008-12). */
const WAY = ["meta", "iprp", "ipco"] as const;
/** Size and name; sizes include it. */
const BOX_HEADER = 8;
/** Version and flags, which `meta` and `ispe` begin with. */
const FULL_BOX = 4;

/** Every size that a HEIC file names, before anything of it is decoded. */
function sizesIn(
  file: Buffer,
  [next, ...way]: readonly string[] = WAY,
  start = 0,
  end = file.length,
): readonly Size[] {
  const sizes: Size[] = [];
  for (let at = start; at + BOX_HEADER <= end;) {
    const size = boxSize(file, at, end);
    if (size < BOX_HEADER) break;
    const last = Math.min(at + size, end);
    const name = file.toString("latin1", at + 4, at + BOX_HEADER);
    const inside = at + BOX_HEADER + (name === "meta" ? FULL_BOX : 0);
    if (name === next) sizes.push(...sizesIn(file, way, inside, last));
    const from = at + BOX_HEADER + FULL_BOX;
    if (next === undefined && name === "ispe" && from + 8 <= last)
      sizes.push({ width: file.readUInt32BE(from), height: file.readUInt32BE(from + 4) });
    at = last;
  }
  return sizes;
}

/** 0 means up to the end; a box of four gigabytes and more has no place in a photo. */
function boxSize(file: Buffer, at: number, end: number): number {
  return file.readUInt32BE(at) || end - at;
}
