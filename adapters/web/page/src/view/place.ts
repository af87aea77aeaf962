import type { StoredMedia } from "../../../wire.ts";

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
