import { execFile } from "node:child_process";
import { mkdtemp, rename, rm } from "node:fs/promises";
import { setPriority } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { drawLayers } from "./layers.ts";
import { soundTrack } from "./sound.ts";
import { RESULT, type ClipTask, type Renderer } from "./task.ts";

/** Pixels of all frames together from which on encoding fast counts for more than a small file. */
const MANY_PIXELS = 1024 * 1024 * 30 * 16;
/** A little more than none: the process that answers requests goes first, and a busy machine still draws. */
const NICENESS = 4;
const NO_SPACE = "No space left on device";
const run = promisify(execFile);

/**
 * Renders with an ffmpeg child process: H.264, yuv420p, AAC where there is sound, the index in front.
 * Text and shapes are drawn beforehand as pictures: nothing that a person wrote reaches ffmpeg's arguments.
 * @param ffmpeg the binary; builds from 2018 on will do
 */
export function ffmpegRenderer(ffmpeg: string): Renderer {
  return async (task, signal) => {
    const scratch = await mkdtemp(join(task.dir, "render-"));
    try {
      const child = run(ffmpeg, await argumentsFor(task, scratch), {
        cwd: scratch,
        signal,
        killSignal: "SIGKILL",
        // Nothing of this process's own settings, which may hold keys.
        env: { PATH: process.env["PATH"] ?? "", LD_LIBRARY_PATH: process.env["LD_LIBRARY_PATH"] ?? "" },
      });
      if (child.child.pid !== undefined) setPriority(child.child.pid, NICENESS);
      // Some builds say that they could not write it, and end as if they had.
      const { stderr } = await child;
      if (stderr.includes(NO_SPACE)) throw new Error(stderr);
      await rename(join(scratch, RESULT), join(task.dir, RESULT));
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  };
}

/** ffmpeg's arguments, for the scratch folder. */
async function argumentsFor(task: ClipTask, scratch: string): Promise<string[]> {
  const { width, height, duration, fps, fine } = task;
  const picture = await drawLayers(task, scratch);
  const pictures = picture.inputs.filter((argument) => argument === "-i").length;
  const sound = task.sound && soundTrack(task, task.sound, pictures);
  const preset = width * height * duration * fps > MANY_PIXELS ? "ultrafast" : "superfast";
  return [
    "-hide_banner -loglevel error -nostdin -y".split(" "),
    picture.inputs,
    sound?.inputs ?? [],
    ["-filter_complex", [...picture.filters, ...(sound?.filters ?? [])].join(";")],
    `-map [v] -r ${fps} -c:v libx264 -preset ${preset} -crf ${fine ? 20 : 24}`.split(" "),
    (sound ? "-map [a] -c:a aac -b:a 96k" : "-an").split(" "),
    `-t ${duration} -pix_fmt yuv420p -movflags +faststart`.split(" "),
    [RESULT],
  ].flat();
}
