import { execFile } from "node:child_process";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { moveFilter } from "./moves.ts";
import { drawOverlay } from "./overlay.ts";
import { particleOffset, particleSheet } from "./particles.ts";
import { readStills } from "./stills.ts";
import { RESULT, type ClipTask, type Renderer } from "./task.ts";

/** Pixels of the largest frame that is drawn; larger clips are scaled up from it. */
const DRAWN_PIXELS = 768 * 768;
const run = promisify(execFile);

/**
 * Renders with an ffmpeg child process: H.264, yuv420p, the index in front.
 * Text and shapes are drawn beforehand as pictures: nothing that a person wrote reaches ffmpeg's arguments.
 * @param ffmpeg the binary; builds from 2018 on will do
 */
export function ffmpegRenderer(ffmpeg: string): Renderer {
  return async (task, signal) => {
    const scratch = await mkdtemp(join(task.dir, "render-"));
    try {
      const child = run(ffmpeg, await drawLayers(task, scratch), {
        cwd: scratch,
        signal,
        killSignal: "SIGKILL",
      });
      // The process that answers requests goes first.
      if (child.child.pid !== undefined)
        setPriority(child.child.pid, constants.priority.PRIORITY_BELOW_NORMAL);
      await child;
      await rename(join(scratch, RESULT), join(task.dir, RESULT));
    } finally {
      await rm(scratch, { recursive: true, force: true });
    }
  };
}

/**
 * Draws the layers into the scratch folder.
 * @returns ffmpeg's arguments, for that folder: names only, since ffmpeg reads a `%d` in a path as a pattern
 */
async function drawLayers(task: ClipTask, scratch: string): Promise<string[]> {
  const { duration, fps, look, seed } = task;
  const { width, height } = drawnSize(task);
  const frames = duration * fps;
  const inputs: string[] = [];
  const filters: string[] = [];

  /** Adds a picture as an endless stream; decoded and converted once. */
  const addLayer = async (name: string, picture: Buffer, format: string, filter: string) => {
    await writeFile(join(scratch, name), picture);
    inputs.push("-i", name);
    const index = inputs.length / 2 - 1;
    const label = `l${index}`;
    filters.push(
      `[${index}:v]format=${format},loop=loop=-1:size=1:start=0,setpts=N/(${fps}*TB)${filter}[${label}]`,
    );
    return label;
  };
  const layOver = (below: string, above: string, place = "x=0:y=0") => {
    filters.push(`[${below}][${above}]overlay=${place}[${above}o]`);
    return `${above}o`;
  };

  const shown = `,${moveFilter(look.move, seed, frames, fps)},scale=${width}:${height}`;
  const [first, ...others] = await readStills(task, width, height);
  if (!first) throw new Error("nothing to show");
  let picture = await addLayer("still-0.jpg", first, "yuv420p", shown);
  for (const [index, still] of others.entries()) {
    const each = duration / (others.length + 1);
    const fade = `,fade=t=in:st=${(index + 0.9) * each}:d=${0.8 * each}:alpha=1`;
    picture = layOver(picture, await addLayer(`still-${index + 1}.jpg`, still, "yuva420p", shown + fade));
  }
  if (look.particles) {
    const sheet = await sharp(Buffer.from(particleSheet(look.particles, width, height, seed)))
      .png()
      .toBuffer();
    const layer = await addLayer("particles.png", sheet, "yuva420p", "");
    picture = layOver(picture, layer, `x=0:y='${particleOffset(look.particles)}'`);
  }
  const overlay = await drawOverlay(width, height, task.caption, look.finish);
  picture = layOver(picture, await addLayer("overlay.png", overlay, "yuva420p", ""));
  const grain = look.grain ? ",noise=alls=6:allf=t" : "";
  const enlarge = width === task.width ? "" : `,scale=${task.width}:${task.height}:flags=lanczos`;
  filters.push(`[${picture}]format=yuv420p${grain}${enlarge}[v]`);

  const quality = task.fine ? "20" : "24";
  return [
    `-hide_banner -loglevel error -nostdin -y`.split(" "),
    inputs,
    ["-filter_complex", filters.join(";")],
    `-map [v] -an -r ${fps} -frames:v ${frames} -c:v libx264 -preset veryfast -crf ${quality}`.split(" "),
    `-pix_fmt yuv420p -movflags +faststart`.split(" "),
    [RESULT],
  ].flat();
}

/** Pixels of the frames that are drawn: those of the clip, where they are not too many. */
function drawnSize({ width, height }: ClipTask) {
  const scale = Math.min(1, Math.sqrt(DRAWN_PIXELS / (width * height)));
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
