import type { PageMessageBody, StoredMedia } from "../../../wire.ts";

type MediaSize = StoredMedia["size"];

/** Whether a picture or a film gets a narrow bubble: a portrait or a square. One that does not say gets a wide one. */
export function isTall(size: MediaSize): boolean {
  return size !== undefined && size.height >= size.width;
}

/** Attributes that keep the place of a picture or a film free before it is there: see `.media` in conversation.css. */
export function placeOf(size: MediaSize) {
  if (!size) return {};
  const { width, height } = size;
  return { width, height, style: { "--width": `${width}px`, "--ratio": width / height } };
}

/** How high a message is beside what it shows, and one of words alone, in pixels: a guess. */
const AROUND = 130;
/** How wide a film or a picture is at the most, and how high: see `.media` in conversation.css. */
const WIDEST = 608;
const highest = () => Math.min(0.6 * innerHeight, 544);

/** How high a message will be, in pixels: about, so that little moves when it is shown. */
export function heightOf(body: PageMessageBody): number {
  if (body.kind !== "result") return AROUND;
  const heights = body.media.map(({ size }) =>
    size ? Math.min(highest(), (WIDEST * size.height) / size.width) : highest(),
  );
  return heights.reduce((sum, height) => sum + height, AROUND);
}
