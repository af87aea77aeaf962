import type { Sheet } from "../../../src/seam/forms/sheet.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { type Draft, type NewDraft, originFor, sheetFor } from "./draft.ts";
import type { DraftState } from "./state.ts";
import { DraftStore } from "./store.ts";

/** What a pressed button said: what its press states, and what it costs. */
export type Pressed = Pick<Origin, "agreed" | "price">;

/** What the button that spends carries: what pressing it states, and what it costs. */
export const submitParts = ({ sheet, quote }: Pick<DraftState, "sheet" | "quote">) =>
  [sheet.agreement ?? "", quote?.tokens ?? ""] as const;

/** Reads what {@link submitParts} wrote. A button from before it said what it states, states nothing. */
export function readPressed(
  { agreement }: Sheet,
  [stated, price = ""]: readonly (string | undefined)[],
): Pressed {
  return {
    agreed: agreement && agreement === stated ? [agreement] : [],
    ...(price !== "" && { price: Number(price) }),
  };
}

/**
 * Hands over what was filled in. What becomes of it is told by the core.
 * @returns whether it was done
 */
export function handOver(context: ChatContext, draft: NewDraft): Promise<boolean> {
  const { intake, origin } = context;
  const { name, costs } = sheetFor(context, draft);
  return costs ? intake.command(origin, name, draft.values) : intake.answer(origin, name, draft.values);
}

/** Submits a draft: then it is over. One that came to nothing can be changed and tried again. Returns as {@link handOver}. */
export async function submit(context: ChatContext, draft: Draft, pressed: Pressed = {}): Promise<boolean> {
  const origin = { ...originFor(context, draft), ...pressed };
  const isDone = await handOver({ ...context, origin }, draft);
  if (isDone) await new DraftStore(context.memory).finish(draft);
  return isDone;
}
