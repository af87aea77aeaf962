import type { ChatId, UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { prepared } from "../../infrastructure/storage/prepared.ts";
import { type Awaited, type Job, OPEN_STATES } from "./job.ts";
import { GOING_ON, ID_UNINDEXED } from "./row.ts";

/** Which jobs are counted; what is left out does not matter. */
export interface CountQuery {
  readonly user?: UserId;
  readonly chat?: ChatId;
  readonly keyId?: string;
  /** The service's `in_app_username`. */
  readonly username?: string;
  /** Whether only those count that something is still to come of; see `isGoingOn`. */
  readonly goingOn?: boolean;
  /** Whether of these only those count that somebody is still to hear of: not what they saw before, and not what waits for a key. */
  readonly unseen?: boolean;
  /** Whether only those count that the service accepted, so that it may still have them. */
  readonly atService?: boolean;
  readonly states?: readonly Job["state"][];
  /** Only those older than this one. */
  readonly before?: string;
}

/**
 * How many jobs there are of a kind.
 * @param database the open database; inside a transaction `{ kysely: transaction }`
 */
export async function countJobs(
  { kysely }: Pick<Database, "kysely">,
  {
    user,
    chat,
    keyId,
    username,
    goingOn = false,
    unseen = false,
    atService = false,
    states,
    before,
  }: CountQuery,
): Promise<number> {
  let query = kysely.selectFrom("jobs").select(({ fn }) => fn.countAll<number>().as("count"));
  if (user !== undefined) query = query.where("user", "=", user);
  if (chat !== undefined) query = query.where("chat", "=", chat);
  if (keyId !== undefined) query = query.where("key_id", "=", keyId);
  if (username !== undefined) query = query.where("in_app_username", "=", username);
  if (goingOn || unseen) query = query.where("going_on", "=", GOING_ON);
  if (unseen)
    query = query
      .where((where) => where.or([where("state", "in", OPEN_STATES), where("delivered_at", "is", null)]))
      .where((where) =>
        where.or([where("awaits", "is", null), where("awaits", "!=", "key" satisfies Awaited)]),
      );
  if (atService) query = query.where("service_id", "is not", null);
  if (states !== undefined) query = query.where("state", "in", states);
  if (before !== undefined) query = query.where(ID_UNINDEXED, "<", before);
  return (await query.executeTakeFirstOrThrow()).count;
}

/** How many jobs of a key hold one of its slots at the service, and how many may, in every process. */
export async function slotsHeld(
  { kysely }: Pick<Database, "kysely">,
  keyId: string,
): Promise<{ readonly running: number; readonly unsure: number }> {
  const { rows: held } = await selectHeld(kysely, { keyId });
  const of = (state: Job["state"]) => held.find((row) => row.state === state)?.count ?? 0;
  return { running: of("running"), unsure: of("unsure") };
}

/**
 * The same, and whether a job of that key may be on its way or lost that looks from outside like one that is to be sent: both are
 * asked before each.
 */
export async function roomFor(
  { kysely }: Pick<Database, "kysely">,
  { id, fingerprint }: Pick<Job, "id" | "fingerprint">,
  keyId: string,
): Promise<{ readonly running: number; readonly unsure: number; readonly hasTwin: boolean }> {
  const { rows } = await selectRoom(kysely, { id, keyId, fingerprint });
  const of = (state: Job["state"]) => rows.find((row) => row.state === state);
  const hasTwin = [of("submitting"), of("unsure")].some((row) => (row?.alike ?? 0) > 0);
  return { running: of("running")?.count ?? 0, unsure: of("unsure")?.count ?? 0, hasTwin };
}

const selectRoom = prepared((db, { id, keyId, fingerprint }: Pick<Job, "id" | "keyId" | "fingerprint">) =>
  db
    .selectFrom("jobs")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .select(({ fn }) =>
      fn
        .countAll<number>()
        .filterWhere("fingerprint", "=", fingerprint)
        .filterWhere("id", "!=", id)
        .as("alike"),
    )
    .where("key_id", "=", keyId)
    .where("going_on", "=", GOING_ON)
    .where("state", "in", ["submitting", "running", "unsure"] satisfies Job["state"][])
    .groupBy("state"),
);

const selectHeld = prepared((db, { keyId }: { readonly keyId: string }) =>
  db
    .selectFrom("jobs")
    .select(({ fn }) => ["state", fn.countAll<number>().as("count")])
    .where("key_id", "=", keyId)
    .where("going_on", "=", GOING_ON)
    .where("state", "in", ["running", "unsure"] satisfies Job["state"][])
    .groupBy("state"),
);
