import type { JobQuery } from "../../seam/access/jobs.ts";
import type { OpenedChat } from "../../seam/surface/surface.ts";
import type { ChatId, UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { prepared } from "../../infrastructure/storage/prepared.ts";
import type { Job } from "./job.ts";
import { MEANT_BY } from "./job-record.ts";
import { aheadIn, laneOf } from "./lane.ts";
import { fromRow, GOING_ON, ID_UNINDEXED, UNDELIVERABLE } from "./row.ts";

/** A person's own jobs, newest first. */
export async function jobsOf(
  { kysely }: Pick<Database, "kysely">,
  user: UserId,
  { before, limit, status, operation, username, since, until }: JobQuery,
): Promise<Job[]> {
  let query = kysely.selectFrom("jobs").selectAll().where("user", "=", user);
  if (before !== undefined) query = query.where("id", "<", before);
  if (operation !== undefined) query = query.where("operation", "in", [operation].flat());
  if (username !== undefined) query = query.where("in_app_username", "=", username);
  if (since !== undefined) query = query.where("created_at", ">=", since);
  if (until !== undefined) query = query.where("created_at", "<", until);
  if (status !== undefined)
    query = query.where((where) =>
      where.or(
        MEANT_BY[status].map(({ state, delivery }) =>
          where.and([where("state", "in", state), where("delivery", "in", delivery)]),
        ),
      ),
    );
  return (await query.orderBy("id", "desc").limit(limit).execute()).map(fromRow);
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
