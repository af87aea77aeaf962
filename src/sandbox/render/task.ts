import type { Sharp } from "sharp";
import type { Look } from "./drawing/looks.ts";

/** A job's pictures, by the names they have in its folder. */
export const START_PICTURE = "start.jpg";
export const END_PICTURE = "end.jpg";

/** What a result can be: the extension of its file. */
export type ResultFormat = "mp4" | "png" | "jpg";

/** A result's name in its job's folder. */
export function resultName(format: ResultFormat): string {
  return `result.${format}`;
}

/** A clip's name in its job's folder. */
export const RESULT = resultName("mp4");

/** The work that makes one clip: plain data. */
export interface ClipTask {
  readonly kind: "clip";
  /** Absolute path of the folder that gets the result. */
  readonly dir: string;
  /** Paths of the pictures that it shows, one fading into the next; with none, a scene is drawn. */
  readonly stills: readonly string[];
  /** Pixels; even. */
  readonly width: number;
  readonly height: number;
  /** Seconds. */
  readonly duration: number;
  /** Frames per second. */
  readonly fps: number;
  readonly look: Look;
  /** What is written in the corner, and what a scene is drawn from; any text. */
  readonly caption: string;
  /** Another whole number gives another variation of the same look. */
  readonly seed: number;
  /** Encodes with more care. */
  readonly fine: boolean;
  /** A sound track; silent without. */
  readonly sound?: Sound;
}

/** A sound file: its path, and the name of the ffmpeg demuxer that reads it. */
interface SoundFile {
  readonly path: string;
  readonly demuxer: string;
}

/** A clip's sound track: music that follows from the caption and the seed. */
export interface Sound {
  /** Sound files that are played along with it, one after the other. */
  readonly references: readonly SoundFile[];
}

/** The work that makes one picture. */
export interface PictureTask {
  readonly kind: "picture";
  /** Draws it; it is encoded and stored by whoever asks. Rejects when it cannot. */
  draw(): Promise<Sharp>;
}

/** The work that makes one result. */
export type RenderTask = ClipTask | PictureTask;

/**
 * Makes clips: writes {@link RESULT} into the task's folder; a file that is there under that name is always whole.
 * Rejects when it cannot, or when the signal aborts it; then nothing of it may be left running.
 */
export type Renderer = (task: ClipTask, signal: AbortSignal) => Promise<void>;
