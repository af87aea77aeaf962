import sharp, { type OverlayOptions } from "sharp";
import { chance } from "../../liberties/chance.ts";
import type { Look } from "../drawing/looks.ts";
import { drawOverlay } from "../drawing/overlay.ts";
import { PARTICLE_NAMES, particleSheet } from "../drawing/particles.ts";
import { TONE_NAMES } from "../drawing/tones.ts";

/** What is done to a picture: a look without its camera move. */
export type Treatment = Pick<Look, "tone" | "finish" | "particles">;

/** The treatment that a prompt names (`golden`, `snow`), else one that follows from its words. */
export function treatmentForPrompt(prompt: string): Treatment {
  const words = new Set(prompt.toLowerCase().split(/[^a-z]+/));
  const particles = PARTICLE_NAMES.find((name) => words.has(name));
  const others = TONE_NAMES.filter((name) => name !== "natural");
  const tone =
    TONE_NAMES.find((name) => words.has(name)) ?? others[Math.floor(chance("tone", prompt) * others.length)];
  return { ...(tone && { tone }), ...(particles && { particles }) };
}

/**
 * What lies over a treated picture: particles, the finish, and the caption in the lower left corner.
 * @param seed another one scatters the particles differently
 */
export async function treatmentLayers(
  width: number,
  height: number,
  { particles, finish }: Treatment,
  caption: string,
  seed: number,
): Promise<OverlayOptions[]> {
  const overlay = { input: await drawOverlay(width, height, caption, finish) };
  if (!particles) return [overlay];
  const sheet = await sharp(Buffer.from(particleSheet(particles, width, height, seed)))
    .extract({ left: 0, top: 0, width, height })
    .png()
    .toBuffer();
  return [{ input: sheet }, overlay];
}
