import { mkdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { findFfmpeg } from "../../src/infrastructure/media/video/ffmpeg.ts";
import { videoThumbnail } from "../../src/infrastructure/media/video/thumbnail.ts";

/** As wide as the column of the conversation, in pixels. */
const SIDE = 640;

/**
 * A picture of what a film shows, which the page has in its place until somebody looks there: a JPEG.
 * @returns undefined where there is no ffmpeg, or it can make none
 */
export async function posterOf(
  { config, scratch }: Pick<SurfaceHost, "config" | "scratch">,
  from: string,
): Promise<Buffer | undefined> {
  const ffmpeg = await findFfmpeg(config.ffmpeg);
  if (ffmpeg === undefined) return undefined;
  await mkdir(scratch, { recursive: true });
  const to = join(scratch, `poster-${crypto.randomUUID()}.jpg`);
  try {
    const bytes = await videoThumbnail(ffmpeg, { from, to, side: SIDE });
    return bytes === undefined ? undefined : await readFile(to);
  } finally {
    await rm(to, { force: true });
  }
}
