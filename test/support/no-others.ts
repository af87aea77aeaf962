import type { RunnerWatch } from "../../src/seam/surface/surface.ts";

/** The only process that there is: all others are gone. */
export const noOthers: RunnerWatch = { id: "this", goneAmong: async (ids) => ids };
