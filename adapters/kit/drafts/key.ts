import type { Message } from "../../../src/seam/views.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { withScreen } from "./change.ts";
import type { Draft } from "./draft.ts";
import type { DraftMessages } from "./messages.ts";
import { DraftStore } from "./store.ts";

/** The draft that asks for a key in the chat where somebody is. */
export async function draftAskingKey({ memory, origin }: ChatContext): Promise<Draft | undefined> {
  const draft = await new DraftStore(memory).current(origin);
  return draft?.owner === origin.user && draft.screen.show === "key" ? draft : undefined;
}

/** Connects the key that a draft asked for. @returns whether it is connected; else the draft says why not */
export function connectFor<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  draft: Draft,
  key: string,
): Promise<boolean> {
  const { intake, origin } = context;
  return drafts.attempt(context, withScreen(draft, { show: "main" }), () => intake.connect(origin, key));
}

/** Asks for no key any more. @param note why */
export async function stopAskingKey<C extends ChatContext>(
  drafts: DraftMessages<C>,
  context: C,
  draft: Draft,
  note?: Message,
): Promise<void> {
  await drafts.show(context, { ...withScreen(draft, { show: "main" }), ...(note && { note }) });
}
