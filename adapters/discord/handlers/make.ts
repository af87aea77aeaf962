import { telling } from "./platform.ts";
import type { Handler } from "../context/context.ts";
import { draftHandler, formHandler } from "./drafts.ts";
import { BLANK } from "../../kit/drafts/draft.ts";
import { newDraft } from "../drafts/ask.ts";
import { goOn } from "../drafts/begin.ts";
import { makeCallOf } from "../commands/make-call.ts";
import { menuHandler, pickHandler } from "./menus.ts";

const makeHandler: Handler = async (context) => {
  const { interaction, intake, say } = context;
  const call = makeCallOf(interaction, intake.commands, say);
  if (!call) return false;
  const { spec, values, secret } = call;
  await goOn(context, newDraft(context, { ...BLANK, operation: spec.name, values }, secret));
  return true;
};

/** Whoever deals with what people make, in their order. */
export const makeHandlers: readonly Handler[] = [
  makeHandler,
  menuHandler,
  pickHandler,
  formHandler,
  draftHandler,
].map(telling);
