import {
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresDialect,
  replaceWithNoncontingentExpression,
  sql,
} from "kysely";
import type { Client } from "pg";
import type { Database } from "../database.ts";
import { checking, Keeper } from "../keeper.ts";
import { ReadCache } from "../read-cache.ts";
import type { DatabaseSchema } from "../schema.ts";
import { CHANNEL, PostgresBell } from "./bell.ts";
import { leastKnown, migrate } from "./migrate.ts";
import { MIGRATIONS } from "./migrations.ts";
import { type DriverPool, WatchedPool } from "./watched-pool.ts";

/**
 * Opens a PostgreSQL database (15 or newer), making or migrating it as needed. Several processes on several machines may have it
 * open.
 * @param pool its connections, which give whole numbers as numbers; closed together with the database
 * @param connect makes one more, which is not open yet: for what other processes tell
 * @throws Error where it comes from a version that this one cannot work beside
 */
export async function openPostgres(pool: DriverPool, connect: () => Client): Promise<Database> {
  const bell = new PostgresBell(
    (notices) =>
      // Nothing is lost with it, should the server crash: it is told without waiting for the disk, so that the lock that all commits
      // wait for while somebody tells something is held for as short as can be.
      sql`select pg_notify(${CHANNEL}, notice), set_config('synchronous_commit', 'off', true)
        from unnest(${notices}::text[]) as notice`.execute(kysely),
    connect,
  );
  // Nothing says whether another machine has changed something that nobody rings for: every look takes it that one has.
  let looks = 0;
  const reads = new ReadCache(() => (looks += 1), bell);
  const dialect = new PostgresDialect({ pool: new WatchedPool(pool, reads, bell) });
  // SQLite takes an empty list for what it is; here it is no SQL.
  const plugins = [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })];
  const kysely = new Kysely<DatabaseSchema>({ dialect, plugins });
  await migrate(kysely, MIGRATIONS);
  const check = checking(kysely);
  const keeper = new Keeper(check);
  return {
    kysely,
    reads,
    bell,
    check,
    fits: async () => (await leastKnown(kysely)) <= MIGRATIONS.length,
    keeper,
    schema: MIGRATIONS.length,
    async close() {
      keeper.leave();
      await bell.close();
      await kysely.destroy();
    },
  };
}
