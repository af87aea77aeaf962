import { ReelayError } from "../../src/errors.ts";
import type { Clerk } from "./desk.ts";
import { deliver } from "./post.ts";

/** A clerk that tells people what is wrong with what they asked for. */
export function telling(clerk: Clerk): Clerk {
  return async (visit) => {
    try {
      return await clerk(visit);
    } catch (error) {
      if (!(error instanceof ReelayError)) throw error;
      const { code, params } = error;
      await deliver(visit, visit.address, { kind: "problem", problem: { code, params }, charged: 0 });
      return true;
    }
  };
}
