import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { constants, setPriority } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import sharp from "sharp";
import { moveFilter } from "./moves.ts";
import { drawOverlay } from "./overlay.ts";
import { particleOffset, particleSheet } from "./particles.ts";
import { END_PICTURE, RESULT, START_PICTURE, STILL_SCALE, type Renderer, type RenderTask } from "./task.ts";
import { tone } from "./tones.ts";

const FPS = 24;
const run = promisify(execFile);

/**
 * Renders with an ffmpeg child process: H.264, yuv420p, 24 frames a second, the index in front.
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
async function drawLayers(task: RenderTask, scratch: string): Promise<string[]> {
  const { width, height, look, seed } = task;
  const frames = task.duration * FPS;
  const move = moveFilter(look.move, seed, frames, FPS);
  const inputs: string[] = [];
  const filters: string[] = [];

  /** Adds a picture as an endless stream; decoded and converted once. */
  const addLayer = async (name: string, picture: Buffer, format: string, filter: string) => {
    await writeFile(join(scratch, name), picture);
    inputs.push("-i", name);
    const index = inputs.length / 2 - 1;
    const label = `l${index}`;
    filters.push(
      `[${index}:v]format=${format},loop=loop=-1:size=1:start=0,setpts=N/(${FPS}*TB)${filter}[${label}]`,
    );
    return label;
  };
  const still = (name: string) => {
    const size = [width * STILL_SCALE, height * STILL_SCALE] as const;
    const crop = { fit: "cover", position: sharp.strategy.attention } as const;
    return tone(look.tone ?? "natural", sharp(join(task.dir, name)).resize(...size, crop))
      .jpeg({ quality: 92, chromaSubsampling: "4:4:4" })
      .toBuffer();
  };
  const layOver = (below: string, above: string, place = "x=0:y=0") => {
    filters.push(`[${below}][${above}]overlay=${place}[${above}o]`);
    return `${above}o`;
  };

  const shown = `,${move},scale=${width}:${height}`;
  let picture = await addLayer("start.jpg", await still(START_PICTURE), "yuv420p", shown);
  if (existsSync(join(task.dir, END_PICTURE))) {
    const fade = `,fade=t=in:st=${task.duration * 0.45}:d=${task.duration * 0.4}:alpha=1`;
    picture = layOver(picture, await addLayer("end.jpg", await still(END_PICTURE), "yuva420p", shown + fade));
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
  const upscale = task.upscale ? `,scale=${width * 2}:${height * 2}:flags=lanczos` : "";
  filters.push(`[${picture}]format=yuv420p${grain}${upscale}[v]`);

  const quality = task.fine ? "20" : "24";
  return [
    `-hide_banner -loglevel error -nostdin -y`.split(" "),
    inputs,
    ["-filter_complex", filters.join(";")],
    `-map [v] -an -r ${FPS} -frames:v ${frames} -c:v libx264 -preset veryfast -crf ${quality}`.split(" "),
    `-pix_fmt yuv420p -movflags +faststart`.split(" "),
    [RESULT],
  ].flat();
}
