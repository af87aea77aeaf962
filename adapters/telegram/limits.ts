import type { SurfaceLimits } from "../../src/seam/surface/surface.ts";
import { TELEGRAM } from "./api/limits.ts";

/**
 * The least time between two edits of a job's message, in milliseconds. Half of the 30 calls a second are for such
 * edits: 45 people see theirs move that often, more of them less often.
 */
const EDIT_INTERVAL_MS = 3_000;

/** What Telegram takes, as the core sees it. */
export const LIMITS: SurfaceLimits = {
  maxUploadBytes: TELEGRAM.upload,
  edit: "yes",
  editIntervalMs: EDIT_INTERVAL_MS,
  windowMs: null,
  text: TELEGRAM.text,
  buttons: 100,
  rows: null,
  video: { bytes: TELEGRAM.upload, codecs: null },
};
