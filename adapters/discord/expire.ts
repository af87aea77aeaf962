import { expireFiles, filesInJobs } from "../../src/chat/kept-files.ts";
import type { UserId } from "../../src/chat/values.ts";
import type { Services } from "./context/context.ts";
import { DraftStore } from "../kit/drafts/store.ts";
import { deliveriesIn } from "./messages/results-memory.ts";

/**
 * Erases drafts, where results were posted, and files that nobody's job or draft needs, as far as they are from before a
 * time. What else is kept goes by itself: an interaction after a quarter of an hour, one that nobody dealt with after a week.
 * @param before milliseconds since 1970
 */
export async function expire({ host, memory, intake }: Services, before: number): Promise<void> {
  const drafts = new DraftStore(memory);
  await drafts.expire(before);
  await deliveriesIn(memory).expire(before);
  await expireFiles(memory, host.files, before, async (owner: UserId) => {
    const needed = await filesInJobs(intake.jobs, owner);
    return new Set([...needed, ...(await drafts.filesOf(owner))]);
  });
}
