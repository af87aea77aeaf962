import type { SurfaceLimits } from "../../src/seam/surface/surface.ts";
import { MAX_RESULT_BYTES } from "./store.ts";

/** What the page takes, as the core sees it. */
export const LIMITS: SurfaceLimits = {
  maxUploadBytes: MAX_RESULT_BYTES,
  edit: "yes",
  editIntervalMs: 250,
  windowMs: null,
  text: null,
  buttons: null,
  rows: null,
  video: { bytes: MAX_RESULT_BYTES, codecs: null },
};
