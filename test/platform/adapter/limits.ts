import type { SurfaceLimits } from "../../../src/seam/surface/surface.ts";
import { LIMITS } from "../chat/client.ts";

/** What the platform takes, as the core sees it. */
export const TAKES: SurfaceLimits = {
  maxUploadBytes: LIMITS.upload,
  edit: "yes",
  editIntervalMs: 1_000,
  windowMs: null,
  text: LIMITS.text,
  buttons: null,
  rows: null,
  video: { bytes: LIMITS.upload, codecs: null },
};
