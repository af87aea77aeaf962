import type { SurfaceLimits } from "../../src/seam/surface/surface.ts";
import { DISCORD } from "./api/limits.ts";

/** The least time between two edits of a job's message, in milliseconds: a token takes five calls in two seconds. */
const EDIT_INTERVAL_MS = 2_500;

/** What Discord takes, as the core sees it. */
export const LIMITS: SurfaceLimits = {
  maxUploadBytes: DISCORD.file,
  edit: "yes",
  editIntervalMs: EDIT_INTERVAL_MS,
  windowMs: null,
  text: DISCORD.text,
  buttons: DISCORD.rows * DISCORD.rowButtons,
  rows: DISCORD.selectOptions,
  video: { bytes: DISCORD.file, codecs: null },
};
