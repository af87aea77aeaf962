import type { KeyWatch } from "../../src/seam/access/keys.ts";

/** Nobody writes keys here. */
export const noKeys: KeyWatch = {
  find: async () => undefined,
  findInName: async () => undefined,
  behind: async () => undefined,
  findIn: async () => undefined,
  refuseKnown: async () => undefined,
};
