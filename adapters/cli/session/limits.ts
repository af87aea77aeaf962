import type { SurfaceLimits } from "../../../src/seam/surface/surface.ts";

/** What the command line takes, as the core sees it. */
export const LIMITS: SurfaceLimits = {
  maxUploadBytes: Number.MAX_SAFE_INTEGER,
  edit: "yes",
  editIntervalMs: 200,
  windowMs: null,
  text: null,
  buttons: null,
  rows: null,
  video: { bytes: Number.MAX_SAFE_INTEGER, codecs: null },
};
