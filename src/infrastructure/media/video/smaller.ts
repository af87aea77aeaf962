import { createReadStream } from "node:fs";
import { extname, join } from "node:path";
import { findFfmpeg } from "./ffmpeg.ts";
import { prepareImage } from "../pictures/image.ts";
import type { ResultFile } from "../files/result-file.ts";
import { shrinkVideo } from "./shrink.ts";

/** How far a finished file is made smaller. */
export interface SmallerOptions {
  readonly maxBytes: number;
  /** `REELAY_FFMPEG`. */
  readonly ffmpeg: string | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * A video encoded again so that it fits, beside the one that it was made of.
 * @returns undefined where there is no ffmpeg, or it cannot be made to fit and still be watched
 * @throws the signal's reason
 */
export async function smallerVideo(
  file: ResultFile,
  { maxBytes, ffmpeg: setting, signal }: SmallerOptions,
): Promise<ResultFile | undefined> {
  const ffmpeg = await findFfmpeg(setting);
  if (ffmpeg === undefined) return undefined;
  const path = join(file.folder, "smaller.mp4");
  const bytes = await shrinkVideo(ffmpeg, { from: file.path, to: path, maxBytes, signal });
  return bytes === undefined ? undefined : { ...file, path, bytes, type: "video/mp4" };
}

/**
 * A picture that fits, as JPEG, beside the one that it was made of.
 * @returns undefined where it cannot be made to fit, or is no picture
 */
export async function smallerPicture(file: ResultFile, maxBytes: number): Promise<ResultFile | undefined> {
  const { folder, bytes: most, name } = file;
  const bounds = { dir: folder, maxBytes: most, maxFileBytes: maxBytes };
  return prepareImage(async () => createReadStream(file.path), bounds).then(
    ({ path, bytes }) => ({
      ...file,
      path,
      bytes,
      name: `${name.slice(0, name.length - extname(name).length)}.jpg`,
      type: "image/jpeg",
    }),
    () => undefined,
  );
}
