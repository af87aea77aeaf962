import { type Kysely, sql } from "kysely";
import { exclusive } from "../exclusive.ts";
import { newerDatabase } from "../dialect.ts";
import type { DatabaseSchema } from "../schema.ts";

/**
 * One step to today's tables. What only adds runs at once, beside nodes of the version before. What takes something away is left until
 * no node is at work that may still need it: a version works with the tables from before it and after it.
 */
export type Migration = string | { readonly takesAway: string };

/** Whoever gave no sign of life for so long is not at work, in milliseconds: ten leases. */
const SILENT_MS = 60_000;

/**
 * Runs what is missing, in order: all or nothing, and once even when two nodes start together.
 * @returns how many are left because a node is at work that does not know them; they run when a node starts after that
 * @throws ConfigError where the database comes from a version that this one cannot work beside; Error where an older node stands in the way
 */
export async function migrate(
  kysely: Kysely<DatabaseSchema>,
  migrations: readonly Migration[],
): Promise<number> {
  return exclusive(kysely, ["migrating"], async (db) => {
    await sql`create table if not exists migrated (scripts bigint not null)`.execute(db);
    // How many a node must know that works here.
    await sql`alter table migrated add column if not exists least bigint not null default 0`.execute(db);
    const { rows } = await sql<{ readonly scripts: number; readonly least: number }>`
      select scripts, least from migrated`.execute(db);
    const { scripts: done, least } = rows[0] ?? { scripts: 0, least: 0 };
    if (least > migrations.length) throw newerDatabase();
    const missing = migrations.slice(done);
    // At a new database nobody is at work, and nobody could have signed on.
    const asksWho = done > 0 && missing.some((one) => typeof one !== "string");
    const oldest = asksWho ? await oldestAtWork(db) : undefined;
    const left = missing.findIndex(
      (one, nth) => typeof one !== "string" && oldest !== undefined && oldest <= done + nth,
    );
    const now = left === -1 ? missing : missing.slice(0, left);
    const later = missing.slice(now.length);
    if (later.some((one) => typeof one === "string"))
      throw new Error("nodes of a version before the last one are at work: stop them first");
    for (const one of now) await sql.raw(typeof one === "string" ? one : one.takesAway).execute(db);
    const lastTaken = now.findLastIndex((one) => typeof one !== "string");
    await sql`delete from migrated`.execute(db);
    await sql`insert into migrated (scripts, least) values
      (${done + now.length}, ${lastTaken === -1 ? least : done + lastTaken + 1})`.execute(db);
    return later.length;
  });
}

/** How many steps a node must know that works here. */
export async function leastKnown(db: Kysely<DatabaseSchema>): Promise<number> {
  const { rows } = await sql<{ readonly least: number }>`select least from migrated`.execute(db);
  return rows[0]?.least ?? 0;
}

/** How many steps the oldest node knows that is at work, undefined where none is. Versions that do not say it know none. */
async function oldestAtWork(db: Kysely<DatabaseSchema>): Promise<number | undefined> {
  const { rows } = await sql<{ readonly oldest: number | null }>`
    select min(coalesce(schema, 0)) as oldest from runners where beat_at > now_ms() - ${SILENT_MS}`.execute(
    db,
  );
  return rows[0]?.oldest ?? undefined;
}
