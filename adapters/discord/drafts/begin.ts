import type { Origin } from "../../../src/chat/surface.ts";
import { entriesMeant, withEntries } from "./choices.ts";
import { type Draft, originFor, sheetFor, type Talk } from "./draft.ts";
import { tellProblem } from "./problem.ts";
import { finishDraft, keepDraft } from "./store.ts";
import { askingView, beginningView, offerView, type Scene } from "./view.ts";
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
export async function settle(talk: Talk, draft: Draft): Promise<void> {
  // Nothing is fetched for what would be refused in any case.
  const asked = await sceneOf(talk, draft);
  const { fields } = asked.sheet;
  const { values, problem } = await readFiles(talk, draft.owner, fields, asked.draft.values);
  const scene = { ...asked, draft: { ...draft, values } };
  if (problem) await tellProblem(talk, scene.draft, problem);
  else if (await beginsAtOnce(talk, scene)) await beginScene(talk, scene);
  else await offer(talk, scene);
}

/**
 * Makes what its owner has confirmed.
 * @param pressed what the button said: what its press states, and what it costs
 * @throws ReelayError as {@link settle}
 */
export async function begin(talk: Talk, draft: Draft, pressed: Pressed): Promise<void> {
  await beginScene(talk, await sceneOf(talk, draft), pressed);
}

/** What a pressed button said. */
type Pressed = Pick<Origin, "agreed" | "price">;

async function sceneOf(talk: Talk, draft: Draft): Promise<Scene> {
  const { intake, say } = talk;
  const sheet = sheetFor(talk, draft);
  const origin = originFor(talk, draft);
  const chosen = await entriesMeant({ intake, origin }, sheet.name, sheet.fields, draft.values);
  const values = withEntries(draft.values, chosen);
  const quote = sheet.costs ? await intake.quote(origin, sheet.name, values) : undefined;
  return { say, sheet, chosen, quote, draft: { ...draft, values } };
}

/** A form that fits into one modal was confirmed with it. */
async function beginsAtOnce({ intake, origin }: Talk, { draft, sheet, quote }: Scene): Promise<boolean> {
  // What is stated each time is stated by a press.
  if (sheet.agreement) return false;
  if (!sheet.costs) return pagesOf(sheet.fields, draft.values).length <= 1;
  const { spendBelow } = await intake.preferences(origin);
  const tokens = quote?.tokens ?? null;
  return spendBelow !== null && tokens !== null && tokens <= spendBelow;
}

async function offer(talk: Talk, scene: Scene): Promise<void> {
  await keepDraft(talk.memory, scene.draft, scene.sheet);
  const files = await showMasks(talk, scene.sheet.fields, scene.draft.values);
  await tell(talk, talk.address, { ...bodyOf(talk.say, offerView(scene)), files });
}

/** What came to nothing was told by the core; it can be changed and tried again. */
async function beginScene(talk: Talk, scene: Scene, pressed: Pressed = {}): Promise<void> {
  const { intake, memory, address } = talk;
  const { draft, sheet } = scene;
  const origin = { ...originFor(talk, draft), ...pressed };
  if (sheet.costs) {
    if (!draft.secret) await noteShared(memory, address.asked.id);
    await deliver(talk, address, beginningView(scene));
  }
  const done = sheet.costs
    ? await intake.command(origin, sheet.name, draft.values)
    : await intake.answer(origin, sheet.name, draft.values);
  if (done) return finishDraft(memory, draft);
  if (sheet.costs) return offer(talk, scene);
  const kept = await keepDraft(memory, draft, sheet);
  await deliver(talk, address, askingView(talk.say, kept, sheet, 0));
}
