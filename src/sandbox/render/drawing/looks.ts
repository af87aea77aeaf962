import { MOVE_NAMES, type MoveName } from "./moves.ts";
import type { ParticlesName } from "./particles.ts";
import type { ToneName } from "./tones.ts";

/** What is laid over the whole frame, in the order in which the eye meets it. */
export type Finish = "vignette" | "letterbox" | "border";

/** How a clip looks: a camera move, and what is done to the picture. */
export interface Look {
  readonly move: MoveName;
  readonly tone?: ToneName;
  readonly finish?: Finish;
  readonly particles?: ParticlesName;
  readonly grain?: boolean;
}

/** The look of a clip that has only a prompt: the move that the prompt names, else a slow zoom. */
export function lookForPrompt(prompt: string): Look {
  const words = `-${prompt.toLowerCase().replaceAll(/[^a-z]+/g, "-")}-`;
  return { move: MOVE_NAMES.find((move) => words.includes(`-${move}-`)) ?? "zoom-in" };
}
