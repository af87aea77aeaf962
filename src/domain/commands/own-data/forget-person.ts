import type { Origin } from "../../../seam/origin.ts";
import type { UserId } from "../../../seam/values.ts";
import { everyJob } from "../../jobs/every-job.ts";
import type { MakingParts, PeopleParts, RuleParts } from "../command.ts";
import { ownMessage } from "./delete-job.ts";
import { forgetQuestions } from "../statements.ts";
import { currentTime } from "../../../common/time.ts";

/** Where things are kept about people. */
type ForgettingParts = Pick<MakingParts, "copies" | "ledger" | "surfaces" | "takeBacks"> &
  Pick<RuleParts, "audit" | "inputs" | "questions" | "reports"> &
  Pick<PeopleParts, "groups" | "people" | "traces" | "vault">;

/** Platforms take few changes a minute: what is older was there to be reported long enough, in milliseconds. */
const LATELY_MS = 48 * 3_600_000;

/**
 * Erases everything that Reelay keeps about a person, but blocks, and takes away what they posted in groups lately. All of
 * it is found by their id, so that what was interrupted anywhere can be done again, to its end.
 * @returns how many messages still show something of theirs in groups: they go once they can be reached
 * @throws ReelayError `jobs_open` as long as something of theirs goes on: nothing is erased then
 */
export async function forgetPerson(parts: ForgettingParts, { user }: Pick<Origin, "user">): Promise<number> {
  const { ledger, surfaces, vault, reports, people, groups, audit, inputs, traces } = parts;
  await takeAllAway(parts, user);
  // Before all else: in one transaction with the look whether anything goes on.
  await ledger.forget(user);
  // They may have used the page as well as their chat.
  for (const surface of surfaces.all) await surface.forget(user);
  await vault.remove(user);
  await parts.copies.forget(user);
  const shown = await parts.takeBacks.forget(user);
  await forgetQuestions(parts, user);
  await reports.forget(user);
  await people.forget(user);
  await groups.forgetManager(user);
  await audit.forget(user);
  await inputs.sweep();
  await traces.wipe(currentTime());
  return shown;
}

/**
 * Takes away what somebody posted in groups lately, the newest first. It is by the job that it is found: nobody could
 * report it any more, nor take it down.
 */
async function takeAllAway(
  parts: Pick<MakingParts, "copies" | "ledger" | "takeBacks">,
  user: UserId,
): Promise<void> {
  const since = currentTime() - LATELY_MS;
  for await (const job of everyJob(parts.ledger, user)) {
    if (job.createdAt < since) return;
    if (job.chat === null) continue;
    const messages = [...(await parts.copies.release(job.id)), ...ownMessage(job)];
    await parts.takeBacks.take(await parts.takeBacks.note(job, messages));
  }
}
