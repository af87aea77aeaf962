import { missingFields } from "../../../src/seam/forms/filling.ts";
import { shortageOf } from "../../../src/seam/forms/price.ts";
import type { UserId, Values } from "../../../src/seam/values.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import { unsaid } from "../../../src/seam/text/notices.ts";
import { ERRORS, ReelayError } from "../../../src/common/errors.ts";
import { BLANK, type Draft, sheetFor } from "../../kit/drafts/draft.ts";
import { isKeyNext, type Settling, settlingOf } from "../../kit/drafts/next.ts";
import { type DraftState, stateOf } from "../../kit/drafts/state.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import { type Pressed, submit } from "../../kit/drafts/submit.ts";
import type { DiscordReceipt } from "../context/address.ts";
import type { MessageBody } from "../api/api.ts";
import { meaningOf } from "../api/errors.ts";
import type { ReplyContext, Services } from "../context/context.ts";
import { isOutOfReach } from "../context/reach.ts";
import { noteShared } from "../context/secrecy.ts";
import { showMasks } from "../media/mask.ts";
import { checkFiles, readFiles } from "../media/media.ts";
import { channelOf, deliver } from "../messages/post.ts";
import { change, replacing } from "../messages/posted.ts";
import { bodyOf } from "../messages/render.ts";
import { tell } from "../messages/tell.ts";
import { askPage, newDraft } from "./ask.ts";
import { withEntriesMeant } from "./choices.ts";
import { eachWaiting, noteGoing, noteWaiting } from "./keyless.ts";
import { pagesOf } from "./modal-page.ts";
import { showPictures } from "./pair.ts";
import { noteShown } from "./shown.ts";
import { beginningView, offerView, problemView } from "./view.ts";

/**
 * Starts with an operation: what is missing is asked for, then what it costs is said.
 * @param values what is filled in already
 * @throws ReelayError `stale_button` for an operation that there is not
 */
export async function startDraft(context: ReplyContext, operation: string, values: Values): Promise<void> {
  // The catalogue is looked through in private; what is made with it is for all to see.
  await goOn(context, newDraft(context, { ...BLANK, operation, values }));
}

/** Goes on with a draft that changed. What is wrong is told, and what was right is kept. */
export async function goOn(context: ReplyContext, draft: Draft): Promise<void> {
  const { fields } = sheetFor(context, draft);
  const { values, problem } = await checkFiles(context, fields, draft.values);
  if (problem) return tellProblem(context, { ...draft, values }, problem);
  if (missingFields(fields, draft.values).length > 0) return askPage(context, draft, "missing");
  // What follows takes longer than a modal may be waited for.
  await context.reply.defer();
  await attempt(context, draft, () => settle(context, draft));
}

/** Makes what its owner has confirmed. What is wrong with it is told. */
export async function confirm(context: ReplyContext, draft: Draft, pressed: Pressed): Promise<void> {
  await attempt(context, draft, async () => begin(context, await checked(context, draft), pressed));
}

/**
 * Tells what is wrong with a draft, and keeps it to be changed and tried again.
 * @param settling what settles it: what was wrong with an answer was left out of it
 * @param shown what was said of it already: that is replaced
 */
export async function tellProblem(
  context: ReplyContext,
  draft: Draft,
  problem: ReelayError,
  settling: Settling = "again",
  shown?: DiscordReceipt,
): Promise<void> {
  const sheet = sheetFor(context, draft);
  const kept = await new DraftStore(context.memory).keep(draft, sheet);
  const told = context.reply.isPublic ? unsaid(problem) : problem;
  const view = problemView(context.say, kept, sheet, told, settling);
  const at = shown
    ? await channelOf(context).replace(shown, view)
    : await put(context, bodyOf(context.say, view));
  await noteShown(context, kept, at);
  if (isKeyNext(settling)) await noteWaiting(context, kept, at);
}

/** Says something of a draft: in the message that shows it, or in answer to what its owner did. @throws as `change`, `tell` */
async function put(context: ReplyContext, body: MessageBody): Promise<DiscordReceipt> {
  const { shown, address } = context;
  if (!shown) return tell(context, address, body);
  await change(context, shown, () => replacing(body));
  return shown;
}

/** Does something with a draft. What is wrong is told in its message. */
async function attempt(context: ReplyContext, draft: Draft, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    const settling = sheetFor(context, draft).costs ? settlingOf(error.code) : "again";
    // It may take long to find a key: what was attached is kept meanwhile.
    const kept = isKeyNext(settling) ? await withFilesKept(context, draft) : draft;
    await tellProblem(context, kept, error, settling);
  }
}

async function withFilesKept(context: ReplyContext, draft: Draft): Promise<Draft> {
  const { fields } = sheetFor(context, draft);
  const { values, problem } = await readFiles(context, draft.owner, fields, draft.values);
  return problem ? draft : { ...draft, values };
}

/** Goes on with each draft that waits for somebody's key, where it stands. */
export const goOnWaiting = (services: Services, user: UserId) => eachWaiting(services, user, goOn);

/** Connects the key that a draft waits for; then it goes on in its message, and the others do in theirs. */
export async function connectFor(context: ReplyContext, draft: Draft, key: string): Promise<void> {
  try {
    await context.intake.connect(context.origin, key);
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    return tellProblem(context, draft, error, "connect");
  }
  await noteGoing(context, draft);
  await goOn(context, draft);
  await goOnWaiting(context, draft.owner);
}

/**
 * Makes what is complete: at once where it costs no more than its owner allowed, else once they have seen what it
 * costs and said so. The cost is told either way.
 * @throws ReelayError for the first value that would be refused
 */
async function settle(context: ReplyContext, draft: Draft): Promise<void> {
  // Nothing is fetched for what would be refused in any case.
  const asked = await checked(context, draft);
  const { fields } = asked.sheet;
  const { values, problem } = await readFiles(context, draft.owner, fields, asked.draft.values);
  const state = { ...asked, draft: { ...draft, values } };
  // What could not be fetched now is fetched when it is tried again.
  const isLater = problem !== undefined && ERRORS[problem.code].retryable;
  if (problem) await tellProblem(context, isLater ? draft : state.draft, problem);
  // What its owner is not there for only waits for their press.
  else if (!context.shown && (await mayBegin(context, state))) await begin(context, state);
  else await offer(context, state);
}

/** @throws ReelayError for the first value that would be refused */
async function checked(context: ReplyContext, draft: Draft): Promise<DraftState> {
  const values = await withEntriesMeant(context, sheetFor(context, draft), draft.values);
  const state = await stateOf(context, { ...draft, values });
  const { missing, sheet, quote, problem } = state;
  if (missing) throw new ReelayError("field_required", { field: missing.name });
  const why = quote ? shortageOf(quote) : problem;
  if (sheet.costs && why) throw new ReelayError(why.code, why.params);
  return state;
}

/** A form that fits into one modal was confirmed with it. */
async function mayBegin(
  { intake, origin }: ReplyContext,
  { draft: { values }, sheet, quote }: DraftState,
): Promise<boolean> {
  if (!sheet.costs) return pagesOf(sheet.fields, values).length <= 1;
  return intake.mayBegin(origin, sheet.name, values, quote);
}

/** A draft as it may be shown there: what somebody has left is nobody else's business. */
function shownTo({ reply }: ReplyContext, state: DraftState): DraftState {
  const { quote } = state;
  return reply.isPublic && quote ? { ...state, quote: { ...quote, balance: null } } : state;
}

async function offer(context: ReplyContext, state: DraftState): Promise<void> {
  const { draft, sheet } = state;
  await new DraftStore(context.memory).keep(draft, sheet);
  const pictures = await showPictures(context, sheet.fields, draft.values);
  const masks = await showMasks(context, sheet.fields, draft.values);
  const view = offerView(shownTo(context, state), pictures.length > 0);
  await noteShown(context, draft, await put(context, bodyOf(context.say, view, [...pictures, ...masks])));
  await noteGoing(context, draft);
}

/**
 * Makes what costs nothing or was confirmed: that is submitted whether or not Discord takes what is said of it, because nobody
 * else hears that they have to press again.
 * @throws ReelayError where what costs nothing comes to nothing; what was said of the rest is replaced then
 */
async function begin(context: ReplyContext, state: DraftState, pressed?: Pressed): Promise<void> {
  const { memory, address } = context;
  const { draft, sheet } = state;
  if (!sheet.costs) {
    await submit(context, draft, pressed);
    return sheet.name === "connect" ? goOnWaiting(context, draft.owner) : undefined;
  }
  if (draft.address["secret"] !== true) await noteShared(memory, address.asked.id);
  const say = () => sayIfTaken(context, beginningView(shownTo(context, state)));
  const said = await say();
  // Begun before the job is there, it comes before what is shown of that.
  const saidLater = said ? undefined : say();
  try {
    await submit(context, draft, pressed);
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    await tellProblem(context, draft, error, settlingOf(error.code), said ?? (await saidLater));
  }
  await saidLater;
}

/** Says something that nothing depends on. @returns undefined where Discord did not take it */
async function sayIfTaken(context: ReplyContext, view: NoticeView): Promise<DiscordReceipt | undefined> {
  try {
    return await deliver(context, context.address, view);
  } catch (err) {
    if (!isOutOfReach(err) && meaningOf(err) === undefined) throw err;
    context.host.log.warn({ err }, "Discord did not take that something begins");
    return undefined;
  }
}
