import { readFile } from "node:fs/promises";
import type { Readable } from "node:stream";
import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { MediaRef } from "../../../src/seam/values.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { receiveFile } from "../../../src/infrastructure/media/files/prepared.ts";
import { findFfmpeg } from "../../../src/infrastructure/media/video/ffmpeg.ts";
import { firstFrame } from "../../../src/infrastructure/media/video/frames.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { keepOwn } from "../files/own-files.ts";

/** What people send as a video to chats is smaller, in bytes. */
export const MAX_VIDEO_BYTES = 100 * 2 ** 20;

/** As large as the pictures are that people send, in pixels. */
const SIDE = 2560;

/** The first frame of a video that a person sent, kept as a picture of theirs. Errors as for {@link frameOf}. */
export async function firstFrameOf(context: ChatContext, video: MediaRef): Promise<MediaRef> {
  const frame = await frameOf(context, () => context.openMedia(video));
  return keepOwn(context, context.origin.user, frame);
}

/**
 * The first frame of a video, as PNG.
 * @throws ReelayError `no_ffmpeg` where this installation cannot look into videos, `video_unreadable`,
 * `media_too_large`, `media_gone`, `media_unreached`
 */
export async function frameOf(
  { host }: { readonly host: Pick<SurfaceHost, "config" | "scratch"> },
  open: () => Promise<Readable>,
): Promise<Buffer> {
  const ffmpeg = await findFfmpeg(host.config.ffmpeg);
  if (ffmpeg === undefined) throw new ReelayError("no_ffmpeg");
  await using file = await receiveFile(open, host.scratch, MAX_VIDEO_BYTES);
  const to = file.beside("frame.png");
  if (!(await firstFrame(ffmpeg, { from: file.path, to, side: SIDE })))
    throw new ReelayError("video_unreadable");
  return await readFile(to);
}
