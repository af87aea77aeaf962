import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import { Runners } from "../../../src/domain/jobs/submission/runners.ts";
import { connectPostgres } from "../../../src/infrastructure/storage/postgres/connect.ts";
import { migrate } from "../../../src/infrastructure/storage/postgres/migrate.ts";
import { MIGRATIONS } from "../../../src/infrastructure/storage/postgres/migrations.ts";
import { startPostgres } from "../../support/postgres.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const ADDS = "create table new_words (word words)";
const TAKES = { takesAway: "drop table if exists old_words" };
/** What three versions know, each of which came after the one before. */
const [FIRST, SECOND, THIRD] = [
  MIGRATIONS,
  [...MIGRATIONS, ADDS, TAKES],
  [...MIGRATIONS, ADDS, TAKES, "create table newest_words (word words)"],
];

/** A database as the first version left it, with a table that the second one takes away. */
async function asTheFirstLeftIt() {
  if (!server) throw new Error("There is no PostgreSQL.");
  const database = await connectPostgres(await server.createDatabase());
  const { kysely } = database;
  await sql`create table old_words (word words)`.execute(kysely);
  const tables = async () => {
    const { rows } = await sql<{ readonly name: string }>`
      select tablename as name from pg_tables where tablename like '%\\_words' order by 1`.execute(kysely);
    return rows.map(({ name }) => name);
  };
  /** A node of a version is at work. */
  const node = async (schema: number) => {
    const runners = new Runners({ ...database, schema });
    await runners.renew();
    return runners;
  };
  return { kysely, tables, node, [Symbol.asyncDispose]: () => database.close() };
}

/** The step from which on nodes of two versions may be at work. */
const ROLLING = MIGRATIONS.findIndex((one) => one === "alter table runners add column schema bigint;");

it("has nothing that takes something away without waiting", () => {
  expect(ROLLING).toBeGreaterThan(0);
  const plain = MIGRATIONS.slice(ROLLING).filter((one) => typeof one === "string");
  expect(plain.filter((one) => /\bdrop (?:table|column)\b|\brename\b|\balter column\b/i.test(one))).toEqual(
    [],
  );
});

// Where there is none, it is said once that its tests are left out.
describe.runIf(server)("an upgrade on a PostgreSQL server", () => {
  it("adds at once, and takes away once no older node is at work", async () => {
    await using on = await asTheFirstLeftIt();
    const older = await on.node(FIRST.length);
    expect(await migrate(on.kysely, SECOND)).toBe(1);
    expect(await on.tables()).toEqual(["new_words", "old_words"]);
    // One that is started again meanwhile works on.
    expect(await migrate(on.kysely, FIRST)).toBe(0);
    await on.node(SECOND.length);
    await older.stop();
    expect(await migrate(on.kysely, SECOND)).toBe(0);
    expect(await on.tables()).toEqual(["new_words"]);
    await expect(migrate(on.kysely, FIRST)).rejects.toThrow("newer version");
  });

  it("takes a node of a version that does not say what it knows for an older one", async () => {
    await using on = await asTheFirstLeftIt();
    await on.node(SECOND.length);
    await sql`update runners set schema = null`.execute(on.kysely);
    expect(await migrate(on.kysely, SECOND)).toBe(1);
    expect(await on.tables()).toEqual(["new_words", "old_words"]);
  });

  it("takes one for gone that has been silent for a minute", async () => {
    await using on = await asTheFirstLeftIt();
    await on.node(FIRST.length);
    await sql`update runners set beat_at = beat_at - 61000`.execute(on.kysely);
    expect(await migrate(on.kysely, SECOND)).toBe(0);
  });

  it("begins nothing over two versions while one before them is at work", async () => {
    await using on = await asTheFirstLeftIt();
    const older = await on.node(FIRST.length);
    await expect(migrate(on.kysely, THIRD)).rejects.toThrow("stop them first");
    expect(await on.tables()).toEqual(["old_words"]);
    await older.stop();
    expect(await migrate(on.kysely, THIRD)).toBe(0);
    expect(await on.tables()).toEqual(["new_words", "newest_words"]);
  });
});
