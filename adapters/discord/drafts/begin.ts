import type { Origin } from "../../../src/chat/surface.ts";
import { entriesMeant, withEntries } from "./choices.ts";
import { type Draft, originFor, sheetFor, type ChatContext } from "./draft.ts";
import { tellProblem } from "./problem.ts";
import { finishDraft, keepDraft } from "./store.ts";
import { askingView, beginningView, offerView, type DraftState } from "./view.ts";
import { showMasks } from "../media/mask.ts";
import { readFiles } from "../media/media.ts";
import { pagesOf } from "./modal-page.ts";
import { deliver } from "../messages/post.ts";
import { bodyOf } from "../messages/render.ts";
import { noteShared } from "../context/secrecy.ts";
import { tell } from "../messages/tell.ts";

/**
 * Makes what is complete: at once where it costs no more than its owner allowed, else once they have seen what it
 * costs and said so. The cost is told either way.
 * @throws ReelayError for the first value that would be refused
 */
export async function settle(context: ChatContext, draft: Draft): Promise<void> {
  // Nothing is fetched for what would be refused in any case.
  const asked = await stateOf(context, draft);
  const { fields } = asked.sheet;
  const { values, problem } = await readFiles(context, draft.owner, fields, asked.draft.values);
  const state = { ...asked, draft: { ...draft, values } };
  if (problem) await tellProblem(context, state.draft, problem);
  else if (await beginsAtOnce(context, state)) await beginScene(context, state);
  else await offer(context, state);
}

/**
 * Makes what its owner has confirmed.
 * @param pressed what the button said: what its press states, and what it costs
 * @throws ReelayError as {@link settle}
 */
export async function begin(context: ChatContext, draft: Draft, pressed: Pressed): Promise<void> {
  await beginScene(context, await stateOf(context, draft), pressed);
}

/** What a pressed button said. */
type Pressed = Pick<Origin, "agreed" | "price">;

async function stateOf(context: ChatContext, draft: Draft): Promise<DraftState> {
  const { intake, say } = context;
  const sheet = sheetFor(context, draft);
  const origin = originFor(context, draft);
  const chosen = await entriesMeant({ intake, origin }, sheet.name, sheet.fields, draft.values);
  const values = withEntries(draft.values, chosen);
  const quote = sheet.costs ? await intake.quote(origin, sheet.name, values) : undefined;
  return { say, sheet, chosen, quote, draft: { ...draft, values } };
}

/** A form that fits into one modal was confirmed with it. */
async function beginsAtOnce(
  { intake, origin }: ChatContext,
  { draft, sheet, quote }: DraftState,
): Promise<boolean> {
  // What is stated each time is stated by a press.
  if (sheet.agreement) return false;
  if (!sheet.costs) return pagesOf(sheet.fields, draft.values).length <= 1;
  const { spendBelow } = await intake.preferences(origin);
  const tokens = quote?.tokens ?? null;
  return spendBelow !== null && tokens !== null && tokens <= spendBelow;
}

async function offer(context: ChatContext, state: DraftState): Promise<void> {
  await keepDraft(context.memory, state.draft, state.sheet);
  const files = await showMasks(context, state.sheet.fields, state.draft.values);
  await tell(context, context.address, { ...bodyOf(context.say, offerView(state)), files });
}

/** What came to nothing was told by the core; it can be changed and tried again. */
async function beginScene(context: ChatContext, state: DraftState, pressed: Pressed = {}): Promise<void> {
  const { intake, memory, address } = context;
  const { draft, sheet } = state;
  const origin = { ...originFor(context, draft), ...pressed };
  if (sheet.costs) {
    if (!draft.secret) await noteShared(memory, address.asked.id);
    await deliver(context, address, beginningView(state));
  }
  const done = sheet.costs
    ? await intake.command(origin, sheet.name, draft.values)
    : await intake.answer(origin, sheet.name, draft.values);
  if (done) return finishDraft(memory, draft);
  if (sheet.costs) return offer(context, state);
  const kept = await keepDraft(memory, draft, sheet);
  await deliver(context, address, askingView(context.say, kept, sheet, 0));
}
