import type { JobAccess } from "../../src/seam/access/jobs.ts";
import { unknownOperation } from "../../src/seam/unknown-operation.ts";
import { ReelayError } from "../../src/common/errors.ts";

/** Jobs for programs, of a core that takes none: for tests of platforms that only people use. */
export const noJobs: JobAccess = {
  operation: (name) => {
    throw unknownOperation(name, []);
  },
  check: () => [],
  submit: () => Promise.reject(new ReelayError("internal")),
  find: () => Promise.reject(new ReelayError("not_found")),
  list: async () => [],
  cancel: () => Promise.reject(new ReelayError("not_found")),
  remove: () => Promise.reject(new ReelayError("not_found")),
  usage: async () => [],
  budgets: async () => [],
  left: async () => ({}),
  users: {
    statements: async () => [],
    withdraw: async () => {},
    blockedBy: async () => [],
    block: async () => {},
    unblock: async () => {},
    kept: () => Promise.reject(new ReelayError("internal")),
    forget: async () => 0,
  },
};
