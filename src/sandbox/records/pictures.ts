import sharp, { type Sharp } from "sharp";
import { Refusal } from "./refusal.ts";

const FORMATS = new Set(["jpeg", "png", "webp", "gif", "heif", "tiff"]);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;
/**
 * What is decoded at all, by what a picture's header says: pixels, and the longer side by the shorter. The contract shows
 * no bounds; a line of a million pixels took gigabytes.
 */
const MOST = { pixels: 120_000_000, aspect: 20 } as const;
/** The most that is worked on without loss, in pixels; the contract shows no bound. */
const MAX_EXACT_SIDE = 4096;

/**
 * Reads a picture out of a request (section 2.1: raw base64 or a data URI): upright, and no larger than needed.
 * @param field the field's name, for the refusal
 * @param width pixels that it has to fill, where it has as many
 * @param height pixels that it has to fill, where it has as many
 * @returns a JPEG, not cropped
 * @throws Refusal 400 when it is no base64 or no whole picture, or beyond {@link MOST}
 */
export async function readPicture(
  field: string,
  value: string,
  width: number,
  height: number,
): Promise<Buffer> {
  return convert(field, bytesOf(field, value), (picture) =>
    picture
      .flatten({ background: "#101014" })
      .resize(width, height, { fit: "outside", withoutEnlargement: true })
      .jpeg({ quality: 92, chromaSubsampling: "4:4:4" }),
  );
}

/**
 * Reads a picture without loss: upright, 8 bits a channel.
 * @returns a PNG
 * @throws Refusal 400 as {@link readPicture}, and when it is larger than {@link MAX_EXACT_SIDE}
 */
export async function readExactPicture(field: string, value: string): Promise<Buffer> {
  return convert(
    field,
    bytesOf(field, value),
    (picture) => picture.toColourspace("srgb").png({ compressionLevel: 2 }),
    ({ width, height }) => {
      if (Math.max(width, height) > MAX_EXACT_SIDE)
        throw new Refusal(400, `${field}: must be at most ${MAX_EXACT_SIDE} pixels a side`);
    },
  );
}

/** Pixels a side. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A picture as it was sent, and what it is; its size is that of the upright picture. */
export interface DescribedPicture extends Size {
  /** Without the data URI's head. */
  readonly base64: string;
  readonly mime: string;
}

/**
 * Says what a picture is.
 * @throws Refusal 400 as {@link readPicture}
 */
export async function describePicture(field: string, value: string): Promise<DescribedPicture> {
  const bytes = bytesOf(field, value);
  // Decoding all of it is what tells a whole picture from one that breaks off.
  await convert(field, bytes, (picture) => picture.resize(1, 1).raw());
  const { format, mediaType = `image/${format}`, autoOrient } = await sharp(bytes).metadata();
  return { base64: bytes.toString("base64"), mime: mediaType, ...autoOrient };
}

/** The size of a picture that {@link readPicture} returned. */
export async function sizeOf(picture: Buffer): Promise<Size> {
  const { width, height } = await sharp(picture).metadata();
  return { width, height };
}

function bytesOf(field: string, value: string): Buffer {
  const data = value.replace(/^data:image\/[\w.+-]+;base64,/, "");
  if (data.length % 4 !== 0 || !BASE64.test(data))
    throw new Refusal(400, `${field}: must be base64 or a data URI of a picture`);
  return Buffer.from(data, "base64");
}

async function convert(
  field: string,
  bytes: Buffer,
  to: (picture: Sharp) => Sharp,
  check: (size: Size) => void = () => {},
): Promise<Buffer> {
  try {
    const { format, width, height } = await sharp(bytes, { limitInputPixels: false }).metadata();
    if (!FORMATS.has(format)) throw new Error(format);
    check({ width, height });
    checkSize(field, { width, height });
    return await to(sharp(bytes, { limitInputPixels: MOST.pixels }).autoOrient()).toBuffer();
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(400, `${field}: cannot be decoded as a picture`);
  }
}

function checkSize(field: string, { width, height }: Size): void {
  const { pixels, aspect } = MOST;
  if (width * height <= pixels && Math.max(width, height) <= aspect * Math.min(width, height)) return;
  const wanted = `at most ${pixels / 1e6} megapixels, and one side at most ${aspect} times the other`;
  throw new Refusal(400, `${field}: must have ${wanted}`);
}
