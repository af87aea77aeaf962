import type { UserId } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import type { Report, ReportState } from "./report.ts";

type Kysely = Database["kysely"];

/** Results that were reported, each with how many did. */
export function reportsIn(db: Kysely) {
  return db
    .selectFrom("reported")
    .select(["job", "state", "at", "by", "role"])
    .select((reported) =>
      reported
        .selectFrom("reports")
        .whereRef("reports.job", "=", "reported.job")
        .select(({ fn }) => fn.countAll<number>().as("count"))
        .as("reports"),
    );
}

/** The report of a row of {@link reportsIn}. */
export function reportOf(row: {
  readonly job: string;
  readonly state: string;
  readonly at: number;
  readonly by: string | null;
  readonly role: string | null;
  readonly reports: number | null;
}): Report {
  const { job, at } = row;
  const [by, role] = [row.by as Report["by"], row.role as Report["role"]];
  return { job, state: row.state as ReportState, at, by, role, reports: row.reports ?? 0 };
}

/** Undefined for a result that nobody reported. */
export async function findReport(db: Kysely, job: string): Promise<Report | undefined> {
  const row = await reportsIn(db).where("job", "=", job).executeTakeFirst();
  return row && reportOf(row);
}

/** Writes what was decided about a result. */
export async function decideReport(
  db: Kysely,
  job: string,
  decision: Pick<Report, "state" | "at" | "by" | "role">,
): Promise<Report> {
  const { state, at, by, role } = decision;
  await db
    .insertInto("reported")
    .values({ job, state, at, by, role })
    .onConflict((conflict) => conflict.column("job").doUpdateSet({ state, at, by, role }))
    .execute();
  return reportOf(await reportsIn(db).where("job", "=", job).executeTakeFirstOrThrow());
}

/** Whether somebody reported a result before, under any of their names. */
export async function hasReported(db: Kysely, job: string, names: readonly string[]): Promise<boolean> {
  const row = db.selectFrom("reports").select("job").where("job", "=", job).where("reporter", "in", names);
  return (await row.executeTakeFirst()) !== undefined;
}

/** How many results somebody reported since a time. */
export async function reportedSince(db: Kysely, reporter: UserId, since: number): Promise<number> {
  const { count } = await db
    .selectFrom("reports")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("reporter", "=", reporter)
    .where("at", ">=", since)
    .executeTakeFirstOrThrow();
  return count;
}
