/** How likely a picture is of each class, from 0 to 1. @param pixels three bytes each, {@link SIDE} a side */
export type Classify = (pixels: Uint8Array) => Promise<Readonly<Record<string, number>>>;

/** What every model of the kind takes, in pixels. */
export const SIDE = 224;
