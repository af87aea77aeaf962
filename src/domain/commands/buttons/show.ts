import { ReelayError } from "../../../common/errors.ts";
import { platformOf } from "../../../seam/values.ts";
import { isOwn } from "../../accounts/subjects.ts";
import type { CopyAddress } from "../../jobs/delivery/copies.ts";
import { mediaOf } from "../../jobs/delivery/result-media.ts";
import { isGoingOn, resultView } from "../../jobs/job-view.ts";
import { isOpen, type Job } from "../../jobs/job.ts";
import { priceOf } from "../../jobs/quote.ts";
import { operationOf } from "../../operations/registry.ts";
import { applyAsItIs } from "../as-it-is.ts";
import type { Context } from "../command.ts";
import { renewButton } from "./job-buttons.ts";

/** Posts a finished job's outcome once more; where it was told on another platform, here as well. */
export const show = renewButton("show", "action.show", async (context, job) => {
  if (isOpen(job.state)) throw new ReelayError("job_busy");
  const { ledger, origin } = context;
  const { platform, chat } = origin;
  // What a group does not take is shown where its person asks alone.
  const isKeptOut = job.delivery === "undeliverable" && job.chat !== null && chat === undefined;
  if (platform === job.surface && !isKeptOut) {
    const isLeft = platform === "cli" && isGoingOn(job) && !(await context.runners.areAt(job.id));
    // Pressed twice: it is on its way already. What a call of the command line left on its way nobody brings by itself.
    const shown = await applyAsItIs(ledger, job.id, (now) =>
      isGoingOn(now) && !(isLeft && now.fence === job.fence) ? undefined : { type: "redeliver" },
    );
    if (!shown) throw new ReelayError("stale_button");
    // A call waits for what it brings itself.
    if (platform === "cli" && !(await ledger.isMine(job.id))) throw new ReelayError("job_busy");
    return;
  }
  await showInPrivate(context, job);
});

/** Brings a group's result to whoever it was made for, where their platform cannot point at it. */
export const showHere = renewButton("show-here", "action.show_here", showInPrivate);

/** What was told in private is for nobody else. */
async function showInPrivate(context: Context, job: Job): Promise<void> {
  const { platform, address, chat } = context.origin;
  const here = chat === undefined ? address : await context.surfaces.of(platform).reach(job.user);
  await showCopy(context, job, { platform, address: here });
}

/** Posts what was made on the page in its person's private chat as well. */
export const sendToChat = renewButton("send", "action.send", async (context, job) => {
  const platform = platformOf(job.user);
  if (isOwn(platform)) throw new ReelayError("stale_button");
  const { reply, surfaces } = context;
  try {
    const address = await surfaces.of(platform).reach(job.user);
    await showCopy(context, job, { platform, address });
  } catch (cause) {
    if (!(cause instanceof ReelayError) || cause.code !== "undeliverable") throw cause;
    throw new ReelayError("chat_closed", {}, { cause });
  }
  await reply({ kind: "notice", text: { key: "send.done" } });
});

/** @throws ReelayError `stale_button` for what has no result, `result_gone`; as `Surface.deliver` */
async function showCopy(
  { accounts, copies, experience, gate }: Context,
  job: Job,
  to: CopyAddress,
): Promise<void> {
  const release = await gate.release(job);
  if (job.state !== "completed" || release.kind === "withheld") throw new ReelayError("stale_button");
  const price = priceOf(experience, operationOf(job.operation), job.values);
  const facts = { tellsBalance: false, spoiler: release.spoiler, price };
  // As in their chat: only the page has one to send it to, and only a group has others who may report it.
  const view = resultView(
    { ...job, surface: platformOf(job.user), chat: null },
    mediaOf(job, accounts),
    facts,
  );
  await copies.show(job, view, to, "owner");
}
