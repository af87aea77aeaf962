import { idsFrom } from "../../common/ids.ts";
import type { JobQuery } from "../../seam/access/jobs.ts";
import type { OpenedChat } from "../../seam/surface/surface.ts";
import type { ChatId, UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { prepared } from "../../infrastructure/storage/prepared.ts";
import type { Job } from "./job.ts";
import { MEANT_BY } from "./job-record.ts";
import { aheadIn, laneOf } from "./lane.ts";
import { fromRow, GOING_ON, ID_UNINDEXED, UNDELIVERABLE, CAME_TO_NOTHING } from "./row.ts";

/** Statuses of jobs that something is still to come of. */
const OPEN = new Set<JobQuery["status"]>(["queued", "running"]);

/** Statuses of what came to nothing. */
const IN_VAIN = new Set<JobQuery["status"]>(["failed", "cancelled"]);

/**
 * A person's own jobs, newest first. An index leads to those of a name, of a time, and to all that were not made; what else is sought is
 * looked for among them, a stretch at a time.
 */
export async function jobsOf(
  { kysely }: Pick<Database, "kysely">,
  user: UserId,
  { before, limit, status, operation, username, since, until }: JobQuery,
): Promise<Job[]> {
  const isOpen = OPEN.has(status);
  // What goes on is found through its own index, and sorted.
  const id = isOpen ? ID_UNINDEXED : "id";
  let among = kysely.selectFrom("jobs").where("user", "=", user);
  if (before !== undefined) among = among.where(id, "<", before);
  if (since !== undefined) among = among.where(id, ">=", idsFrom(since));
  if (until !== undefined) among = among.where(id, "<", idsFrom(until));
  if (username !== undefined) among = among.where("in_app_username", "=", username);
  if (isOpen) among = among.where("going_on", "=", GOING_ON);
  else if (IN_VAIN.has(status) && username === undefined) among = among.where(CAME_TO_NOTHING);
  let sought = among;
  if (operation !== undefined) sought = sought.where("operation", "in", [operation].flat());
  if (status !== undefined)
    sought = sought.where((where) =>
      where.or(
        MEANT_BY[status].map(({ state, delivery }) =>
          where.and([where("state", "in", state), where("delivery", "in", delivery)]),
        ),
      ),
    );
  const next = async (jobs: typeof sought, most: number) =>
    (await jobs.selectAll().orderBy(id, "desc").limit(most).execute()).map(fromRow);
  if (sought === among) return next(sought, limit);
  const found: Job[] = [];
  const idAt = async (before: string | undefined, after: number) => {
    const older = before === undefined ? among : among.where(id, "<", before);
    const row = await older.select("id").orderBy(id, "desc").limit(1).offset(after).executeTakeFirst();
    return row?.id;
  };
  // Commands that list nothing do not load it.
  const { stretches } = await import("../../infrastructure/storage/stretches.ts");
  for await (const { from, before } of stretches(idAt)) {
    let stretch = sought;
    if (from !== undefined) stretch = stretch.where(id, ">=", from);
    if (before !== undefined) stretch = stretch.where(id, "<", before);
    found.push(...(await next(stretch, limit - found.length)));
    if (found.length >= limit) break;
  }
  return found;
}

/**
 * How many of a person's jobs go before each of these, which wait, too: those of the same lane, up to a bound; see {@link aheadIn}.
 */
export async function aheadOf(
  { kysely }: Pick<Database, "kysely">,
  user: UserId,
  jobs: readonly Pick<Job, "id" | "operation">[],
): Promise<ReadonlyMap<string, number>> {
  const lanes = Map.groupBy(jobs, ({ operation }) => laneOf({ user, operation }).group);
  const found: [string, number][] = [];
  for (const [group, waiting] of lanes) {
    const ids = waiting.map(({ id }) => id);
    found.push(...(await aheadIn(kysely, { user, group }, ids)));
  }
  return new Map(found);
}

/** A user's jobs that wait for a key, or a group's; the oldest first. */
export async function waitingForKey(
  { kysely }: Pick<Database, "kysely">,
  payer: { readonly user: UserId } | { readonly chat: ChatId },
): Promise<Job[]> {
  const waiting = kysely
    .selectFrom("jobs")
    .selectAll()
    .where("going_on", "=", GOING_ON)
    .where("awaits", "=", "key");
  const theirs =
    "user" in payer ? waiting.where("user", "=", payer.user) : waiting.where("chat", "=", payer.chat);
  return (await theirs.orderBy(ID_UNINDEXED).execute()).map(fromRow);
}

type Db = Database["kysely"];

const undeliverable = (db: Db) =>
  db
    .selectFrom("jobs")
    .selectAll()
    .where("delivery", "=", UNDELIVERABLE)
    .where((where) => where.or([where("state", "<>", "completed"), where("error", "is", null)]))
    .orderBy("id");

/** Asked with everything that somebody says, here and in a chat with others. */
const inPrivate = prepared((db, { user }: { readonly user: string }) =>
  undeliverable(db).where("chat", "is", null).where("user", "=", user),
);
const inChat = prepared((db, { chat }: { readonly chat: string }) =>
  undeliverable(db).where("chat", "=", chat),
);

/** What nobody could be told in a chat, oldest first: not what was told to be without a file, or too large to be posted. */
export async function unreached(
  { kysely }: Pick<Database, "kysely">,
  { user, chat, at = {} }: OpenedChat,
): Promise<readonly Job[]> {
  const { rows } = chat === undefined ? await inPrivate(kysely, { user }) : await inChat(kysely, { chat });
  const parts = Object.entries(at);
  return rows
    .map(fromRow)
    .filter((job) => user === undefined || job.user === user)
    .filter(({ address }) => parts.every(([part, value]) => address[part] === value));
}
