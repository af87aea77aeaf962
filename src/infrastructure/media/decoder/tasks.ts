import { classify } from "./classify.ts";
import { framePrints } from "./frame-prints.ts";
import { makeImage } from "./image.ts";
import { lookOf } from "./look.ts";
import { makeMask, maskOfHoles } from "./mask.ts";
import { findMask } from "./mask-from.ts";
import { showMask } from "./mask-preview.ts";
import { drawMosaic } from "./mosaic.ts";
import { probeImage, probeVideo } from "./probe.ts";
import { soundFacts } from "./sound.ts";

/** Everything that is done with the content of a file that came from outside. Arguments and results are plain JSON. */
export const TASKS = {
  makeImage,
  makeMask,
  maskOfHoles,
  findMask,
  showMask,
  drawMosaic,
  lookOf,
  classify,
  probeImage,
  probeVideo,
  soundFacts,
  framePrints,
} as const;

/** One of {@link TASKS}. */
export type TaskName = keyof typeof TASKS;
/** What a task works on. */
export type TaskInput<T extends TaskName> = Parameters<(typeof TASKS)[T]>[0];
/** What comes of it. */
export type TaskOutput<T extends TaskName> = Awaited<ReturnType<(typeof TASKS)[T]>>;
