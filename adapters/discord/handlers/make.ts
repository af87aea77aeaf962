import { telling } from "./telling.ts";
import type { Clerk } from "../context/context.ts";
import { draftClerk } from "./drafts.ts";
import { goOn } from "../drafts/start.ts";
import { formClerk } from "./forms.ts";
import { makeCallOf } from "../commands/make-call.ts";
import { menuClerk, pickClerk } from "./menus.ts";

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
