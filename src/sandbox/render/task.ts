import type { Look } from "./looks.ts";

/** A job's pictures, by the names they have in its folder. */
export const START_PICTURE = "start.jpg";
export const END_PICTURE = "end.jpg";
/** The result's name in the same folder. */
export const RESULT = "result.mp4";
/** Stills are this much larger than the clip, so that zooming in does not blur them. */
export const STILL_SCALE = 1.5;

/** The work that makes one clip: plain data. */
export interface RenderTask {
  /** Absolute path of the folder that holds the pictures and gets the result. */
  readonly dir: string;
  /** Pixels, before upscaling. */
  readonly width: number;
  readonly height: number;
  /** Seconds. */
  readonly duration: number;
  readonly look: Look;
  /** What is written in the corner; any text. */
  readonly caption: string;
  /** Another whole number gives another variation of the same look. */
  readonly seed: number;
  /** Encodes with more care. */
  readonly fine: boolean;
  /** Doubles width and height. */
  readonly upscale: boolean;
}

/**
 * Writes {@link RESULT} into the task's folder; a file that is there under that name is always whole.
 * Rejects when it cannot, or when the signal aborts it; then nothing of it may be left running.
 */
export type Renderer = (task: RenderTask, signal: AbortSignal) => Promise<void>;
