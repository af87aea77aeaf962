import { parseFile } from "music-metadata";
import sharp from "sharp";
import type { Size } from "./size.ts";

/** What a player wants to know of a video before it has it. */
export interface VideoFacts extends Size {
  readonly seconds: number;
  /** What its tracks are coded in, as the file calls that. */
  readonly codecs: readonly string[];
}

/** Size and length of a video; null for one that does not say. @throws for what is none, or is damaged */
export async function probeVideo({ path }: { readonly path: string }): Promise<VideoFacts | null> {
  const { format } = await parseFile(path, { skipCovers: true });
  const track = format.trackInfo.find(({ video }) => video?.pixelWidth && video.pixelHeight);
  // The whole file's length is told of those with sound only.
  const seconds = track?.duration ?? format.duration;
  if (!track?.video?.pixelWidth || !track.video.pixelHeight || !seconds) return null;
  const codecs = format.trackInfo.flatMap(({ codecId }) => codecId ?? []);
  return { width: track.video.pixelWidth, height: track.video.pixelHeight, seconds, codecs };
}

/** Size of a picture. @throws for what is none */
export async function probeImage({ path }: { readonly path: string }): Promise<Size> {
  const { width, height } = (await sharp(path).metadata()).autoOrient;
  return { width, height };
}
