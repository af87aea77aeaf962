import sharp, { type Sharp } from "sharp";
import { chance } from "../../liberties/chance.ts";
import { palette, type PaletteName } from "./palettes.ts";
import { sceneSvg, type SceneName } from "./scenes.ts";
import { treatmentLayers } from "./treatment.ts";

/** A picture that is drawn out of nothing. */
export interface Art {
  /** Any text; it takes part in every choice. */
  readonly prompt: string;
  /** Another whole number gives another variation. */
  readonly seed: number;
  readonly scene: SceneName;
  readonly palette: PaletteName;
}

/**
 * Draws a picture: the same description and size give the same one.
 * @returns an SVG of that size in pixels, without any text in it
 */
export function artSvg({ prompt, seed, scene, palette: name }: Art, width: number, height: number): Buffer {
  const draw = (label: string, index = 0) => chance(prompt, seed, label, index);
  return Buffer.from(sceneSvg(scene, { width, height, colours: palette(name), draw }));
}

/** The picture with its caption. */
export async function drawArt(art: Art, width: number, height: number, caption: string): Promise<Sharp> {
  const layers = await treatmentLayers(width, height, {}, caption, art.seed);
  return sharp(artSvg(art, width, height)).composite(layers);
}
