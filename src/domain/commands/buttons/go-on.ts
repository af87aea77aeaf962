import { createReadStream } from "node:fs";
import type { Readable } from "node:stream";
import type { MediaRef } from "../../../seam/values.ts";
import { ReelayError } from "../../../common/errors.ts";
import { fileName } from "../../../infrastructure/media/files/file-name.ts";
import type { ResultMedia } from "../../../infrastructure/media/files/result-media.ts";
import { takeFiles, type TakenFiles } from "../../../infrastructure/media/files/taken.ts";
import { findFfmpeg } from "../../../infrastructure/media/video/ffmpeg.ts";
import { lastFrame } from "../../../infrastructure/media/video/frames.ts";
import { mediaOf } from "../../jobs/delivery/result-media.ts";
import type { Job } from "../../jobs/job.ts";
import { video } from "../../operations/video.ts";
import type { Context } from "../command.ts";
import { formOf, renewButton } from "./job-buttons.ts";

/** As large as the pictures are that people send, in pixels. */
const SIDE = 2560;

/** How long somebody waits for a file that is asked for once more, in milliseconds. */
const FETCH_MS = 2 * 60_000;

/** A film of what was made: of the picture, or one that goes on where the film ends. Its form is asked with that filled in. */
export const goOn = renewButton(
  "go-on",
  "action.go_on",
  async (context, job) => {
    const image = await pictureOf(context, job);
    await context.ask(formOf(video, { image }));
  },
  { takesWords: true },
);

/**
 * What a finished job leaves for the next: its picture, or its film's last frame.
 * @throws ReelayError `result_gone` where it has no file, `no_ffmpeg`, `video_unreadable`, `network`; what the service says
 */
async function pictureOf(context: Context, job: Job): Promise<MediaRef> {
  const { accounts, origin, scratch, surfaces } = context;
  const [made] = mediaOf(job, accounts);
  if (!made) throw new ReelayError("result_gone");
  await using taken = await fetched(made, scratch);
  const { stream, type } = await pictureIn(taken, made, context);
  const name = fileName({ ...made, kind: "image" }, type);
  return await surfaces.of(origin.platform).keepPicture(origin, { name, type, content: stream });
}

async function fetched(made: ResultMedia, dir: string): Promise<TakenFiles> {
  const signal = AbortSignal.timeout(FETCH_MS);
  try {
    return await takeFiles([made], { dir, signal });
  } catch (cause) {
    throw signal.aborted ? new ReelayError("network", {}, { cause }) : cause;
  }
}

async function pictureIn(
  { files: [file], media: [one], beside }: TakenFiles,
  { kind }: ResultMedia,
  { ffmpeg: setting }: Pick<Context, "ffmpeg">,
): Promise<{ readonly stream: Readable; readonly type: string }> {
  if (!file || !one) throw new ReelayError("result_gone");
  if (kind === "image") return one.open();
  const ffmpeg = await findFfmpeg(setting);
  if (ffmpeg === undefined) throw new ReelayError("no_ffmpeg");
  const to = beside(file, "end.png");
  if (!(await lastFrame(ffmpeg, { from: file.path, to, side: SIDE })))
    throw new ReelayError("video_unreadable");
  return { stream: createReadStream(to), type: "image/png" };
}
