import { parseFile } from "music-metadata";
import sharp from "sharp";

/** How large a picture is, in pixels, as it is shown. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** What a player wants to know of a video before it has it. */
export interface VideoFacts extends Size {
  readonly seconds: number;
}

/** Size and length of a video; undefined for what is none, is damaged, or does not say. */
export async function probeVideo(path: string): Promise<VideoFacts | undefined> {
  const format = await parseFile(path, { skipCovers: true }).then(
    (parsed) => parsed.format,
    () => undefined,
  );
  const track = format?.trackInfo.find(({ video }) => video?.pixelWidth && video.pixelHeight);
  // The whole file's length is told of those with sound only.
  const seconds = track?.duration ?? format?.duration;
  if (!track?.video?.pixelWidth || !track.video.pixelHeight || !seconds) return undefined;
  return { width: track.video.pixelWidth, height: track.video.pixelHeight, seconds };
}

/** Size of a picture; undefined for what is none. */
export async function probeImage(path: string): Promise<Size | undefined> {
  const { autoOrient } = await sharp(path)
    .metadata()
    .catch(() => ({ autoOrient: undefined }));
  return autoOrient;
}
