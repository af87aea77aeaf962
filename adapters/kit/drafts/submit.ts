import { createHash } from "node:crypto";
import type { AskedStatement } from "../../../src/seam/fields.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { type Draft, type NewDraft, originFor, sheetFor } from "./draft.ts";
import type { DraftState } from "./state.ts";
import { DraftStore } from "./store.ts";

/** What a pressed button said: what its press states, and what it costs. */
export type Pressed = Pick<Origin, "agreed" | "price">;

/** A statement in a button, with its wording: nobody agrees to what has changed since they read it. */
const markOf = ({ name, version }: AskedStatement) =>
  `${name}.${createHash("sha256").update(version).digest("hex").slice(0, 4)}`;

/** What the button that spends carries: what pressing it states, and what it costs. */
export const submitParts = ({ quote }: Pick<DraftState, "quote">) =>
  [(quote?.asks ?? []).map(markOf).join("+"), quote?.tokens ?? ""] as const;

/** Reads what {@link submitParts} wrote. What is not asked any more in the wording that was read is not stated. */
export async function readPressed(
  context: ChatContext,
  draft: Draft,
  [stated = "", price = ""]: readonly (string | undefined)[],
): Promise<Pressed> {
  const asks = stated === "" ? [] : await asksOf(context, draft);
  const agreed = asks.filter((asked) => stated.split("+").includes(markOf(asked)));
  return { agreed: agreed.map(({ name }) => name), ...(price !== "" && { price: Number(price) }) };
}

/** What is still to be stated; nothing where that cannot be told now: then the core asks for it. */
async function asksOf(context: ChatContext, draft: Draft): Promise<readonly AskedStatement[]> {
  const { intake, origin } = context;
  const { name } = sheetFor(context, draft);
  return intake.quote(origin, name, draft.values).then(
    ({ asks }) => asks,
    () => [],
  );
}

/** Hands over what was filled in. What becomes of it is told by the core. @throws ReelayError where it comes to nothing */
export function handOver(context: ChatContext, draft: NewDraft): Promise<void> {
  // A form is answered by the command that it was made for.
  return context.intake.run(context.origin, sheetFor(context, draft).name, draft.values);
}

/** Submits a draft: then it is over. One that came to nothing can be changed and tried again. @throws as {@link handOver} */
export async function submit(context: ChatContext, draft: Draft, pressed: Pressed = {}): Promise<void> {
  const origin = { ...originFor(context, draft), ...pressed };
  await handOver({ ...context, origin }, draft);
  await new DraftStore(context.memory).finish(draft);
}
