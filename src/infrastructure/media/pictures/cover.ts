import sharp from "sharp";

/** Says nothing of what is behind it, on light and on dark. */
const GREY = "#808080";

/**
 * Draws what stands where a picture or a video is not to be seen.
 * @param side of the square, in pixels
 * @returns a JPEG
 */
export function drawCover(side: number): Promise<Buffer> {
  return sharp({ create: { width: side, height: side, channels: 3, background: GREY } })
    .jpeg()
    .toBuffer();
}
