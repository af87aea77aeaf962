import type { SubmitterParts } from "../../src/domain/jobs/submission/submit.ts";

/** Each job leaves under the key that it was asked for with, as where people pay for themselves. */
export const OWN_KEY_ALONE: SubmitterParts["keys"] = {
  keysFor: async ({ keyId }) => [keyId],
  lineFor: async ({ keyId }) => keyId,
  inOrder: async (_, keys) => keys,
  goesBack: async () => false,
  forget() {},
};
