import type { SurfaceLimits } from "../../src/seam/surface/surface.ts";

/** The largest result that is kept for a partner, in bytes. */
export const MAX_RESULT_BYTES = 2 ** 30;

/** What partners' programs take, as the core sees it. */
export const LIMITS: SurfaceLimits = {
  maxUploadBytes: MAX_RESULT_BYTES,
  edit: "yes",
  editIntervalMs: 1_000,
  windowMs: null,
  text: null,
  buttons: null,
  rows: null,
  video: { bytes: MAX_RESULT_BYTES, codecs: null },
};
