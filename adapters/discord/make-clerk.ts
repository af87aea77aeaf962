import { telling } from "./command-tell.ts";
import type { Clerk } from "./desk.ts";
import { draftClerk } from "./draft-clerk.ts";
import { goOn } from "./draft-start.ts";
import { formClerk } from "./form-clerk.ts";
import { makeCallOf } from "./make-call.ts";
import { menuClerk, pickClerk } from "./menu-clerk.ts";

/** `/make`. */
const makeClerk: Clerk = async (visit) => {
  const { deed, intake, origin, address, say } = visit;
  const call = makeCallOf(deed, intake.commands, say);
  if (!call) return false;
  const { spec, values, secret } = call;
  await goOn(visit, { id: address.asked.id, owner: origin.user, secret, operation: spec.name, values });
  return true;
};

/** Whoever deals with what people make, in their order. */
export const makeClerks: readonly Clerk[] = [makeClerk, menuClerk, pickClerk, formClerk, draftClerk].map(
  telling,
);
