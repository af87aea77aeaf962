import sharp from "sharp";
import { Refusal } from "./refusal.ts";

const FORMATS = new Set(["jpeg", "png", "webp", "gif", "heif", "tiff"]);
const BASE64 = /^[A-Za-z0-9+/]+={0,2}$/;

/**
 * Reads a picture out of a request (section 2.1: raw base64 or a data URI): upright, and no larger than needed.
 * @param field the field's name, for the refusal
 * @param width pixels that it has to fill, where it has as many
 * @param height pixels that it has to fill, where it has as many
 * @returns a JPEG, not cropped
 * @throws Refusal 400 when it is no base64 or no whole picture
 */
export async function readPicture(
  field: string,
  value: string,
  width: number,
  height: number,
): Promise<Buffer> {
  const data = value.replace(/^data:image\/[\w.+-]+;base64,/, "");
  if (data.length % 4 !== 0 || !BASE64.test(data))
    throw new Refusal(400, `${field}: must be base64 or a data URI of a picture`);
  try {
    const picture = sharp(Buffer.from(data, "base64"));
    const { format } = await picture.metadata();
    if (!FORMATS.has(format)) throw new Error(format);
    return await picture
      .autoOrient()
      .flatten({ background: "#101014" })
      .resize(width, height, { fit: "outside", withoutEnlargement: true })
      .jpeg({ quality: 92, chromaSubsampling: "4:4:4" })
      .toBuffer();
  } catch {
    throw new Refusal(400, `${field}: cannot be decoded as a picture`);
  }
}
