import type { TakenFile } from "../../../infrastructure/media/files/taken.ts";

/** Who looks at pictures. */
export interface Examiner {
  /** What it is and works with: what it said counts as long as that is the same. */
  readonly name: string;
  /** What is flagged where mature things are made, by its own names. */
  readonly mature: readonly string[];
  /** What becomes of a video that gives no picture to look at: it waits, or passes as while the examiner cannot be asked. */
  readonly unseen: "unchecked" | "passed_by";
  /**
   * Looks at one picture.
   * @returns what it is flagged for, by the examiner's own names; `unchecked` where it could not be asked and nothing passes
   * meanwhile, `passed_by` where it passes then
   * @throws the signal's reason
   */
  look(picture: TakenFile, signal: AbortSignal): Promise<readonly string[] | "unchecked" | "passed_by">;
}
