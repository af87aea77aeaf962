import type { UsageQuery, UsageRow } from "../../seam/access/usage.ts";
import type { UserId } from "../../seam/values.ts";
import { idsFrom } from "../../common/ids.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { dialectOf } from "../../infrastructure/storage/dialect.ts";
import { stretches } from "../../infrastructure/storage/stretches.ts";
import { DAY_MS } from "./forecast.ts";
import { type CountedJobs, partialSums, Sums } from "./partial-sums.ts";

type Db = Database["kysely"];

/** Whose jobs are summed, and which of them. */
type OwnQuery = UsageQuery & { readonly user?: UserId };

/** Adds some jobs to the sums. */
type Summing = (some: CountedJobs) => Promise<void>;

/** How often jobs are summed anew where some were erased meanwhile. */
const TRIES = 3;

/**
 * Sums jobs, also those that were deleted since. Rows come in the order of what they are summed by.
 * @param query `user`: theirs alone
 * @param inSandbox which of them; see `paidIn`
 */
export async function sumUsage(
  { kysely }: Pick<Database, "kysely">,
  query: OwnQuery,
  inSandbox: boolean,
): Promise<UsageRow[]> {
  const part = (some: CountedJobs) => partialSums(some, query, inSandbox);
  // While a server sums, others have their turn, and no job is erased within one statement.
  const tries = dialectOf(kysely).hasOneWriter ? TRIES : 0;
  for (let nth = 0; nth < tries; nth++) {
    const before = await erasedAt(kysely, query);
    const sums = new Sums(query.by);
    const sum = async (some: CountedJobs) => sums.add(await part(some));
    await sumThose(kysely, query, sum);
    await sumErased(kysely, query, sum);
    // What was erased in between was counted twice, or not at all.
    if ((await erasedAt(kysely, query)) === before) return sums.rows();
  }
  const sums = new Sums(query.by);
  sums.add(await part(kysely.selectFrom("usage")));
  return sums.rows();
}

/** Sums the jobs that are there, a stretch at a time. */
async function sumThose(kysely: Db, query: OwnQuery, sum: Summing): Promise<void> {
  const { user, username, since, until } = query;
  // Ids sort by time: of other days no job is looked at.
  const first = since === undefined ? "" : idsFrom(Date.parse(since));
  const end = until === undefined ? undefined : idsFrom(Date.parse(until) + DAY_MS);
  let ids = kysely.selectFrom("jobs").select("id").where("id", ">=", first);
  if (user !== undefined) ids = ids.where("user", "=", user);
  if (username !== undefined) ids = ids.where("in_app_username", "=", username);
  const idAt = async (before = end, after: number) => {
    const older = before === undefined ? ids : ids.where("id", "<", before);
    return (await older.orderBy("id", "desc").limit(1).offset(after).executeTakeFirst())?.id;
  };
  for await (const { from = first, before = end } of stretches(idAt)) {
    const jobs = kysely.selectFrom("usage").where("id", ">=", from);
    await sum(before === undefined ? jobs : jobs.where("id", "<", before));
  }
}

/** Sums those that were erased, in the same way. */
async function sumErased(kysely: Db, query: OwnQuery, sum: Summing): Promise<void> {
  const numberAt = (before: number | undefined, after: number) => erasedAt(kysely, query, before, after);
  for await (const { from, before } of stretches(numberAt)) {
    let jobs = kysely.selectFrom("erased_jobs");
    if (from !== undefined) jobs = jobs.where("rowid", ">=", from);
    if (before !== undefined) jobs = jobs.where("rowid", "<", before);
    await sum(jobs);
  }
}

/** The number of the job that was erased last, or of one that so many were erased after, of those before another. */
async function erasedAt(
  kysely: Db,
  { user }: OwnQuery,
  before?: number,
  after = 0,
): Promise<number | undefined> {
  let erased = kysely.selectFrom("erased_jobs").select("rowid");
  if (user !== undefined) erased = erased.where("user", "=", user);
  if (before !== undefined) erased = erased.where("rowid", "<", before);
  return (await erased.orderBy("rowid", "desc").limit(1).offset(after).executeTakeFirst())?.rowid;
}
