import type { RateGroup } from "../../common/contract.ts";
import { MOST_AHEAD } from "../../seam/access/job-record.ts";
import type { UserId } from "../../seam/values.ts";
import { prepared } from "../../infrastructure/storage/prepared.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { OPERATIONS, operationOf } from "../operations/registry.ts";
import type { Job } from "./job.ts";
import { fromRow, GOING_ON } from "./row.ts";

/**
 * Jobs of one person that count in the same of the service's windows (section 8.1): they leave one after another. Those of
 * another window do not wait for them: what it has room for would be left unused.
 */
export interface Lane {
  readonly user: UserId;
  readonly group: RateGroup;
}

type Db = Database["kysely"];

/** The lane that a job waits in. */
export const laneOf = ({ user, operation }: Pick<Job, "user" | "operation">): Lane => ({
  user,
  group: operationOf(operation).group,
});

/** A person's job of a lane that is to leave next, of one process's: the one that may leave soonest, the oldest of those. */
export async function nextQueued(db: Db, runner: string, { user, group }: Lane): Promise<Job | undefined> {
  const [row] = (await selectNext(group)(db, { user, runner })).rows;
  return row && fromRow(row);
}

/**
 * How many jobs of a lane go before each of these, which wait in it, too: up to {@link MOST_AHEAD}. However many there are, they
 * are looked at once; of several, those are left out that wait no more, or come after so many others.
 */
export async function aheadIn(
  db: Db,
  { user, group }: Lane,
  ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const [oldest, ...others] = ids.toSorted();
  if (oldest === undefined) return new Map();
  const first = (await countFirst(group)(db, { user, id: oldest })).rows[0]?.count ?? 0;
  const newest = others.at(-1);
  if (newest === undefined) return new Map([[oldest, first]]);
  const found = await selectBetween(db, { user, group }, oldest, newest).execute();
  return new Map(found.map(({ id }, nth) => [id, Math.min(first + nth, MOST_AHEAD)]));
}

/** What counts in a window. */
const operationsOf = (group: RateGroup) =>
  OPERATIONS.filter((one) => one.group === group).map(({ id }) => id);

/** Prepares a statement once for each window. */
function byGroup<T>(prepare: (operations: readonly string[]) => T): (group: RateGroup) => T {
  const known = new Map<RateGroup, T>();
  return (group) => {
    const statement = known.get(group) ?? prepare(operationsOf(group));
    known.set(group, statement);
    return statement;
  };
}

/** A person's queued jobs of some operations; of each, their index has them in the order of `not_before` and `id`. */
const queued = (db: Db, user: UserId, operations: readonly string[]) =>
  db
    .selectFrom("jobs")
    .where("going_on", "=", GOING_ON)
    .where("user", "=", user)
    .where("state", "=", "queued")
    .where("operation", "in", operations);

/** Those that wait for their turn; what found nobody there waits for a time instead. */
const waiting = (db: Db, user: UserId, operations: readonly string[]) =>
  queued(db, user, operations).where("not_before", "=", 0);

/** The rows of each of several statements. */
const all = <Q extends { unionAll(other: Q): Q }>(statements: readonly Q[]): Q =>
  statements.reduce((before, statement) => before.unionAll(statement));

const selectNext = byGroup((operations) =>
  prepared((db, { user, runner }: { readonly user: UserId; readonly runner: string }) => {
    // The first of each operation: the index finds it, however many wait.
    const firsts = operations.map((operation) => {
      const own = queued(db, user, [operation]).where("runner", "=", runner);
      const first = own.select("id").orderBy("not_before").orderBy("id").limit(1);
      return db.selectFrom(first.as("soonest")).select("id");
    });
    const found = db.selectFrom("jobs").selectAll().where("id", "in", all(firsts));
    return found.orderBy("not_before").orderBy("id").limit(1);
  }),
);

const countFirst = byGroup((operations) =>
  prepared((db, { user, id }: { readonly user: UserId; readonly id: string }) => {
    const before = waiting(db, user, operations).where("id", "<", id).select("id").limit(MOST_AHEAD);
    return db.selectFrom(before.as("before")).select(({ fn }) => fn.countAll<number>().as("count"));
  }),
);

/** Of several that wait, and what waits between them. */
function selectBetween(db: Db, { user, group }: Lane, oldest: string, newest: string) {
  const between = operationsOf(group).map((operation) => {
    const some = waiting(db, user, [operation]).where("id", ">=", oldest).where("id", "<=", newest);
    return db.selectFrom(some.select("id").orderBy("id").limit(MOST_AHEAD).as("some")).select("id");
  });
  return db.selectFrom(all(between).as("between")).select("id").orderBy("id").limit(MOST_AHEAD);
}
