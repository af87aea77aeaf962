import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import sharp from "sharp";
import { moveFilter } from "./drawing/moves.ts";
import { drawOverlay } from "./drawing/overlay.ts";
import { particleOffset, particleSheet } from "./drawing/particles.ts";
import { readStills } from "./stills.ts";
import type { ClipTask } from "./task.ts";

/** Pixels of the largest frame that is drawn, and of all frames together: larger clips are scaled up, so that none is waited for. */
const FRAME_PIXELS = 448 * 448;
const CLIP_PIXELS = 768 * 768 * 8 * 24;
/** Seconds that one still takes at most to fade into the next. */
const MAX_FADE = 2.5;

/** A part of ffmpeg's work: input arguments, and the filters that make one stream of them. */
export interface Stream {
  readonly inputs: readonly string[];
  readonly filters: readonly string[];
}

/**
 * Draws a clip's layers into a folder.
 * @returns inputs for that folder: names only, since ffmpeg reads a `%d` in a path as a pattern; makes the stream `v`
 */
export async function drawLayers(task: ClipTask, scratch: string): Promise<Stream> {
  const { duration, fps, look, seed } = task;
  const { width, height } = drawnSize(task);
  const inputs: string[] = [];
  const filters: string[] = [];

  /**
   * Adds a picture as a stream; decoded and converted once.
   * @param frames how many; endless when omitted
   * @param from the first one's number
   */
  const addLayer = async (
    picture: Buffer,
    format: string,
    filter: string,
    { from = 0, frames }: { readonly from?: number; readonly frames?: number } = {},
  ) => {
    const index = inputs.length / 2;
    const name = `layer-${index}`;
    await writeFile(join(scratch, name), picture);
    inputs.push("-i", name);
    const loop = `loop=loop=${frames === undefined ? -1 : frames - 1}:size=1:start=0`;
    filters.push(`[${index}:v]format=${format},${loop},setpts=(N+${from})/(${fps}*TB)${filter}[l${index}]`);
    return `l${index}`;
  };
  const layOver = (below: string, above: string, place = "x=0:y=0") => {
    filters.push(`[${below}][${above}]overlay=${place}:eof_action=pass[${above}o]`);
    return `${above}o`;
  };

  const frames = duration * fps;
  const stills = await readStills(task, width, height);
  filters.push(`color=black:s=${width}x${height}:r=${fps}:d=${duration}[ground]`);
  let picture = "ground";
  for (const [index, still] of stills.entries()) {
    const { from, to, fade } = timing(index, stills.length, task);
    const fadeIn = index === 0 ? "" : `,fade=t=in:st=${from / fps}:d=${fade / fps}:alpha=1`;
    const move = moveFilter(look.move, seed + index, to - from, fps);
    const format = index === 0 ? "yuv420p" : "yuva420p";
    const filter = `,${move},scale=${width}:${height}${fadeIn}`;
    picture = layOver(picture, await addLayer(still, format, filter, { from, frames: to - from }));
  }
  if (look.particles) {
    const sheet = Buffer.from(particleSheet(look.particles, width, height, seed));
    const layer = await addLayer(await sharp(sheet).png().toBuffer(), "yuva420p", "");
    picture = layOver(picture, layer, `x=0:y='${particleOffset(look.particles)}'`);
  }
  const overlay = await drawOverlay(width, height, task.caption, look.finish);
  picture = layOver(picture, await addLayer(overlay, "yuva420p", ""));
  const grain = look.grain ? ",noise=alls=6:allf=t" : "";
  const enlarge = width === task.width ? "" : `,scale=${task.width}:${task.height}:flags=bilinear,setsar=1`;
  // Cut here, not with `-frames:v`, which would also cut the sound off before its last frames.
  filters.push(`[${picture}]trim=end_frame=${frames},format=yuv420p${grain}${enlarge}[v]`);
  return { inputs, filters };
}

/**
 * When one of several stills is drawn, in frames: only while it is seen, from where it fades in until the next one has
 * faded in.
 */
function timing(index: number, count: number, { duration, fps }: ClipTask) {
  const frames = duration * fps;
  const each = frames / count;
  const fade = Math.min(0.8 * each, MAX_FADE * fps);
  return {
    from: index === 0 ? 0 : Math.round((index - 0.1) * each),
    to: Math.min(frames, Math.ceil((index + 0.9) * each + fade) + 1),
    fade,
  };
}

/** Pixels of the frames that are drawn: those of the clip, where they are not too many. */
function drawnSize({ width, height, duration, fps }: ClipTask) {
  const most = Math.min(FRAME_PIXELS, CLIP_PIXELS / (duration * fps));
  const scale = Math.min(1, Math.sqrt(most / (width * height)));
  const even = (side: number) => Math.max(2, Math.round((side * scale) / 2) * 2);
  return { width: even(width), height: even(height) };
}
