import type { OpenedChat } from "../../seam/surface/surface.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { Job } from "./job.ts";
import { fromRow, UNDELIVERABLE } from "./row.ts";

/** What nobody could be told in a chat, oldest first: not what was told to be without a file, or too large to be posted. */
export async function unreached(
  { kysely }: Pick<Database, "kysely">,
  { user, chat, at = {} }: OpenedChat,
): Promise<readonly Job[]> {
  let waiting = kysely
    .selectFrom("jobs")
    .selectAll()
    .where("delivery", "=", UNDELIVERABLE)
    .where((where) => where.or([where("state", "<>", "completed"), where("error", "is", null)]));
  waiting = chat === undefined ? waiting.where("chat", "is", null) : waiting.where("chat", "=", chat);
  if (user !== undefined) waiting = waiting.where("user", "=", user);
  const jobs = (await waiting.orderBy("id").execute()).map(fromRow);
  return jobs.filter(({ address }) => Object.entries(at).every(([part, value]) => address[part] === value));
}
