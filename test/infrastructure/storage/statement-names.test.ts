import { sql } from "kysely";
import { afterAll, describe, expect, it } from "vitest";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { atomically } from "../../../src/infrastructure/storage/exclusive.ts";
import { connectPostgres } from "../../../src/infrastructure/storage/postgres/connect.ts";
import { StatementNames } from "../../../src/infrastructure/storage/postgres/statement-names.ts";
import { startPostgres } from "../../support/postgres.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

/** What it is sent as at each of so many runs, which return these columns. */
const runs = (names: StatementNames, text: string, count: number, columns: readonly string[] = []) =>
  Array.from({ length: count }, () => {
    const named = names.of(text);
    if (!named) names.ran(text, columns);
    return named;
  });

describe("a statement's name", () => {
  const ASKED = 'select "value" from "kv" where "key" = $1';

  it("is given for the third run, and stays, another one for each text", () => {
    const names = new StatementNames();
    const [first, second, third, fourth] = runs(names, ASKED, 4);
    expect([first, second]).toEqual([undefined, undefined]);
    expect(third).toEqual({ name: expect.any(String), text: ASKED });
    expect(fourth).toBe(third);
    const other = runs(names, 'select count(*) from "jobs" where "user" = $1', 3).at(-1);
    expect(other?.name).toEqual(expect.any(String));
    expect(other?.name).not.toBe(third?.name);
  });

  it("is the same after runs that began before it was given, and nobody else's", () => {
    const names = new StatementNames();
    const [, , named] = runs(names, ASKED, 3);
    for (const _ of [1, 2, 3]) names.ran(ASKED, ["value"]);
    expect(names.of(ASKED)).toBe(named);
    expect(runs(names, 'delete from "kv"', 3).at(-1)?.name).not.toBe(named?.name);
  });

  it.each([
    ['select * from "jobs" where "id" = $1', 'select "id", "a ""word""" from "jobs" where "id" = $1'],
    [
      'update "jobs" set "state" = $1 returning *',
      'update "jobs" set "state" = $1 returning "id", "a ""word"""',
    ],
  ])("is that of the columns that it returned where it asks for all: %s", (text, named) => {
    expect(runs(new StatementNames(), text, 3, ["id", 'a "word"']).at(-1)?.text).toBe(named);
  });

  it("is none where all columns are only a part of what it returns", () => {
    for (const text of ['select *, now_ms() as "now" from "runners"', 'select "one".* from "jobs" as "one"'])
      expect(runs(new StatementNames(), text, 5, ["id", "now"]).at(-1)).toBeUndefined();
  });

  it("is given to no more than a connection should keep", () => {
    const names = new StatementNames();
    const lists = Array.from({ length: 5_000 }, (_, nth) => `delete from "jobs" where "id" in ($${nth})`);
    const given = lists.map((text) => runs(names, text, 3).at(-1)).filter((named) => named !== undefined);
    expect(given).toHaveLength(300);
    expect(new Set(given.map(({ name }) => name)).size).toBe(300);
    // Whoever came first keeps it.
    expect(names.of(lists[0] ?? "")).toBe(given[0]);
  });
});

/** A database that two nodes have open. */
async function twoNodes() {
  if (!server) throw new Error("There is no PostgreSQL.");
  const address = await server.createDatabase();
  const nodes = await Promise.all([connectPostgres(address), connectPostgres(address)]);
  return {
    nodes,
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node.close();
    },
  };
}

const AGAIN = [1, 2, 3, 4, 5];

// Where there is none, it is said once that its tests are left out.
describe.runIf(server)("on a PostgreSQL server", () => {
  const entry = { namespace: "words", key: "one" };
  const read = ({ kysely }: Pick<Database, "kysely">) =>
    kysely.selectFrom("kv").selectAll().where("key", "=", entry.key).execute();
  const write = ({ kysely }: Pick<Database, "kysely">) =>
    kysely.updateTable("kv").set({ value: "new" }).where("key", "=", entry.key).returningAll().execute();

  it("has what is asked again and again kept by the server", async () => {
    await using two = await twoNodes();
    const [here] = two.nodes;
    for (const _ of AGAIN) await read(here);
    const { rows } = await sql<{ readonly statement: string }>`
      select statement from pg_prepared_statements`.execute(here.kysely);
    expect(rows.map(({ statement }) => statement)).toEqual([
      'select "namespace", "key", "value", "expires_at" from "kv" where "key" = $1',
    ]);
  });

  it("goes on while another node adds a column, in transactions and outside", async () => {
    await using two = await twoNodes();
    const [older, newer] = two.nodes;
    await older.kysely
      .insertInto("kv")
      .values({ ...entry, value: "old", expires_at: null })
      .execute();
    const all = async () => [
      await read(older),
      await write(older),
      await atomically(older.kysely, async (kysely) => {
        await read({ kysely });
        return write({ kysely });
      }),
    ];
    for (const _ of AGAIN) await all();
    await sql`alter table kv add column more words not null default 'more'`.execute(newer.kysely);
    for (const _ of AGAIN)
      for (const rows of await all()) expect(rows).toEqual([{ ...entry, value: "new", expires_at: null }]);
  });
});
