import sharp, { type Sharp } from "sharp";
import { chance } from "../liberties/chance.ts";
import { artSvg } from "./pictures/art.ts";
import { paletteForPrompt } from "./pictures/palettes.ts";
import type { SceneName } from "./pictures/scenes.ts";
import type { ClipTask } from "./task.ts";
import { tone } from "./drawing/tones.ts";

/** Stills are this much larger than the frame, so that zooming in does not blur them. */
export const STILL_SCALE = 1.5;

/** Pixels a side, at most, of a picture that is kept to be shown as a still. */
export const STILL_SIDE = 768 * STILL_SCALE;

/** Scenes that suit a text that asks for nothing in particular. */
const SCENES: readonly SceneName[] = ["hills", "waves", "facets", "rays", "planets", "discs"];

/**
 * The pictures that a clip moves over, toned and cropped; a drawn one where it was given none.
 * @param width pixels of the frame
 * @param height pixels of the frame
 */
export function readStills(task: ClipTask, width: number, height: number): Promise<Buffer[]> {
  const size = [Math.round(width * STILL_SCALE), Math.round(height * STILL_SCALE)] as const;
  const crop = { fit: "cover", position: sharp.strategy.attention } as const;
  const pictures =
    task.stills.length > 0
      ? task.stills.map((path) => sharp(path).resize(...size, crop))
      : [drawScene(task, ...size)];
  return Promise.all(
    pictures.map((picture) =>
      tone(task.look.tone ?? "natural", picture)
        .jpeg({ quality: 92, chromaSubsampling: "4:4:4" })
        .toBuffer(),
    ),
  );
}

function drawScene({ caption: prompt, seed }: ClipTask, width: number, height: number): Sharp {
  const scene = SCENES[Math.floor(chance("scene", prompt, seed) * SCENES.length)] ?? "hills";
  const palette = paletteForPrompt(prompt) ?? "dusk";
  return sharp(artSvg({ prompt, seed, scene, palette }, width, height));
}
