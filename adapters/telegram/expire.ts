import { expireFiles, filesInJobs } from "../../src/chat/kept-files.ts";
import { DraftStore } from "../kit/drafts/store.ts";
import { ALBUMS } from "./media/album.ts";
import type { Services } from "./context/context.ts";
import { ownFile } from "./media/own-files.ts";
import { deliveriesIn } from "./messages/results-memory.ts";

/**
 * What says since when it is so, as `at`. Everything else is gone within days, or is about chats and not about people:
 * where one moved to, which one was greeted.
 */
const DATED = [ALBUMS];

/**
 * Erases what came before a time, but the files that are needed by what is there still.
 * @param before milliseconds since 1970
 */
export async function expire({ memory, host, intake }: Services, before: number): Promise<void> {
  const entries = await memory.entries<{ readonly at?: number }>();
  for (const [key, value] of entries.filter(([key]) => DATED.some((name) => key.startsWith(name))))
    if ((value.at ?? 0) < before) await memory.delete(key);
  await deliveriesIn(memory).expire(before);
  const drafts = new DraftStore(memory);
  await drafts.expire(before);
  await expireFiles(memory, host.files, before, async (owner) => {
    const ids = [...(await filesInJobs(intake.jobs, owner)), ...(await drafts.filesOf(owner))];
    return new Set(ids.flatMap((id) => ownFile(id) ?? []));
  });
}
