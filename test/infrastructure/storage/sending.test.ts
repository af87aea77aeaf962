import { Kysely, PostgresDialect, sql } from "kysely";
import { beforeEach, describe, expect, it } from "vitest";
import { NO_BELL } from "../../../src/common/bell.ts";
import { exclusive, exclusiveStatement } from "../../../src/infrastructure/storage/exclusive.ts";
import { PostgresBell } from "../../../src/infrastructure/storage/postgres/bell.ts";
import type { DriverConnection, DriverResult } from "../../../src/infrastructure/storage/postgres/sending.ts";
import { WatchedPool } from "../../../src/infrastructure/storage/postgres/watched-pool.ts";
import { ReadCache } from "../../../src/infrastructure/storage/read-cache.ts";
import type { DatabaseSchema } from "../../../src/infrastructure/storage/schema.ts";

/** How a server answers what it is asked: in order, and after an error in a transaction nothing more of that. */
class FakeServer {
  /** What was sent in each turn: until then nothing of it was answered. */
  readonly turns: string[][] = [];
  /** What it refuses. */
  refuses: RegExp | undefined;
  #state: "none" | "open" | "failed" = "none";
  #isAnswering = false;

  readonly connection: DriverConnection = {
    query: <R>(asked: string | { readonly text: string }) =>
      this.#ask<R>(typeof asked === "string" ? asked : asked.text),
    release: () => {},
  };

  #ask<R>(text: string): Promise<DriverResult<R>> {
    if (this.#isAnswering) this.turns.at(-1)?.push(text);
    else this.turns.push([text]);
    this.#isAnswering = true;
    return new Promise((resolve, reject) => {
      setImmediate(() => {
        this.#isAnswering = false;
        try {
          this.#run(text);
          resolve({ command: "UPDATE", rowCount: 1, rows: [], fields: [] });
        } catch (error) {
          reject(error);
        }
      });
    });
  }

  #run(text: string): void {
    if (/^(?:begin|start)/.test(text)) {
      if (this.#state !== "none") throw new Error("there is already a transaction in progress");
      this.#state = "open";
    } else if (/^(?:commit|rollback)$/.test(text)) {
      if (this.#state === "none") throw new Error("there is no transaction in progress");
      this.#state = "none";
    } else {
      if (this.#state === "failed") throw new Error("current transaction is aborted");
      if (!this.refuses?.test(text)) return;
      if (this.#state === "open") this.#state = "failed";
      throw new Error(`refused: ${text}`);
    }
  }
}

const BEGINS = "start transaction isolation level read committed";
const LOCKS = "select pg_advisory_xact_lock(hashtextextended(name, 0)) from unnest($1::text[]) as name";
const LOCKS_FOR_ONE = `${LOCKS} -- for one statement`;
const WRITES = 'update "experience" set "count" = $1';
const TOLD = 'update "operators" set "seen_at" = $1';

let server: FakeServer;
let kysely: Kysely<DatabaseSchema>;

beforeEach(() => {
  server = new FakeServer();
  const bell = new PostgresBell(
    async () => {},
    () => {
      throw new Error("Nobody listens.");
    },
  );
  const pool = {
    options: {},
    connect: async () => server.connection,
    end: async () => {},
  };
  const reads = new ReadCache(() => 0, NO_BELL);
  kysely = new Kysely({ dialect: new PostgresDialect({ pool: new WatchedPool(pool, reads, bell) }) });
});

const write = (db: Kysely<DatabaseSchema>) => db.updateTable("experience").set({ count: 1 }).execute();
const alone = () => exclusiveStatement(kysely, ["operators"], write);

describe("a transaction of one statement", () => {
  it("goes to the server at once, with its locks and its end", async () => {
    await alone();
    await alone();
    expect(server.turns).toEqual([
      [BEGINS, LOCKS_FOR_ONE, WRITES, "commit"],
      [BEGINS, LOCKS_FOR_ONE, WRITES, "commit"],
    ]);
  });

  it("throws what its statement was refused for, and the next one begins anew", async () => {
    server.refuses = /^update/;
    await expect(alone()).rejects.toThrow(`refused: ${WRITES}`);
    server.refuses = /^select pg_advisory/;
    await expect(alone()).rejects.toThrow(`refused: ${LOCKS_FOR_ONE}`);
    server.refuses = undefined;
    await alone();
    expect(server.turns).toHaveLength(3);
  });

  it("ends apart where others are to be told of it before", async () => {
    await exclusiveStatement(kysely, ["operators"], (db) =>
      db.updateTable("operators").set({ seen_at: 1 }).execute(),
    );
    expect(server.turns).toEqual([
      [BEGINS, LOCKS_FOR_ONE, TOLD],
      [expect.stringMatching(/^select pg_notify/)],
      ["commit"],
    ]);
  });
});

describe("any other transaction", () => {
  it("has its locks before anything is done in it, and ends when it is done", async () => {
    await exclusive(kysely, ["operators"], async (within) => {
      expect(server.turns).toEqual([[BEGINS, LOCKS]]);
      await write(within);
      await write(within);
    });
    expect(server.turns.slice(1)).toEqual([[WRITES], [WRITES], ["commit"]]);
  });

  it("is sent nothing of where nothing is done in it", async () => {
    await exclusive(kysely, [], async () => {});
    await expect(
      exclusive(kysely, [], () => Promise.reject(new Error("Nothing was asked."))),
    ).rejects.toThrow("Nothing was asked.");
    expect(server.turns).toEqual([]);
  });

  it("is rolled back after what was refused", async () => {
    server.refuses = /^update/;
    await expect(exclusive(kysely, ["operators"], write)).rejects.toThrow("refused");
    expect(server.turns.at(-1)).toEqual(["rollback"]);
    server.refuses = undefined;
    await sql`select ${1}`.execute(kysely);
    expect(server.turns.at(-1)).toEqual(["select $1"]);
  });

  it("tells of a statement that is none, in one that is made for it", async () => {
    await kysely.updateTable("operators").set({ seen_at: 1 }).execute();
    expect(server.turns[0]).toEqual(["begin", TOLD]);
    expect(server.turns.at(-1)).toEqual(["commit"]);
  });
});
