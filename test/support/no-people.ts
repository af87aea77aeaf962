import { ReelayError } from "../../src/common/errors.ts";
import type { PeopleDesk } from "../../src/seam/access/people-desk.ts";

/** What nobody decides about: for tests of platforms that have no desk for it. */
export const noPeople: PeopleDesk = {
  reports: async () => [],
  decide: () => Promise.reject(new ReelayError("stale_button")),
  person: () => Promise.reject(new ReelayError("internal")),
};
