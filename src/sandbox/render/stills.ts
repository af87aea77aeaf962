import { join } from "node:path";
import sharp from "sharp";
import { drawScene } from "./scene.ts";
import type { ClipTask } from "./task.ts";
import { tone } from "./tones.ts";

/** Stills are this much larger than the frame, so that zooming in does not blur them. */
export const STILL_SCALE = 1.5;

/**
 * The pictures that a clip moves over, toned and cropped; one that is drawn where it was given none.
 * @param width pixels of the frame
 * @param height pixels of the frame
 */
export function readStills(task: ClipTask, width: number, height: number): Promise<Buffer[]> {
  const { dir, stills, caption, seed, look } = task;
  const size = [Math.round(width * STILL_SCALE), Math.round(height * STILL_SCALE)] as const;
  const crop = { fit: "cover", position: sharp.strategy.attention } as const;
  const pictures =
    stills.length > 0
      ? stills.map((name) => sharp(join(dir, name)).resize(...size, crop))
      : [drawScene(caption, seed, ...size)];
  return Promise.all(
    pictures.map((picture) =>
      tone(look.tone ?? "natural", picture)
        .jpeg({ quality: 92, chromaSubsampling: "4:4:4" })
        .toBuffer(),
    ),
  );
}
