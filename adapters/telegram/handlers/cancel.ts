import { addressOf } from "../context/address.ts";
import type { UpdateContext } from "../context/context.ts";
import { cancelDraft } from "./draft.ts";
import { post } from "../messages/post.ts";
import { step } from "./start.ts";

/** Gives up the open draft; where there is none, says what else can be cancelled. */
export async function cancel(context: UpdateContext): Promise<void> {
  if (await cancelDraft(context)) return;
  await post(context, addressOf(context.origin.address), {
    kind: "notice",
    text: { key: "telegram.cancel.none" },
    actions: [step("jobs", { key: "command.jobs" })],
  });
}
