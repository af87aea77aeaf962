import type { Partners } from "../../src/chat/partners.ts";

/** For adapters that have nothing to do with partners. */
export const noPartners: Partners = { authenticate: async () => undefined };
