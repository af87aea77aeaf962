import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, afterEach, describe, expect, it, vi } from "vitest";
import { slotsHeld } from "../../../src/domain/jobs/count.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { connectPostgres } from "../../../src/infrastructure/storage/postgres/connect.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { aJob } from "../../support/job.ts";
import { startPostgres } from "../../support/postgres.ts";

const server = await startPostgres();
afterAll(() => server?.stop());
afterEach(() => void vi.useRealTimers());

/** More runs than a server plans a statement anew for the values that it is run with. */
const OFTEN = 12;

const GROWN = 50_000;

/** Long enough for no slot to come back. */
const WINDOW_MS = 3_600_000;

const A_MINUTE_MS = 60_001;

/** What is asked again and again while Reelay works. */
async function work(database: Database, user: UserId): Promise<void> {
  const ledger = new Ledger(database, "here");
  const log = new WindowLog(database, WINDOW_MS);
  await ledger.find(`${user}-1`);
  await ledger.nextQueued({ user, group: "video" });
  await ledger.inState("running");
  await ledger.undelivered(1, 10, { jobs: [], users: [] });
  await ledger.nextDelivery(1);
  await slotsHeld(database, user);
  await ledger.roomFor(aJob({ id: "none", fingerprint: "none" }), user);
  await ledger.ahead(user, [{ id: `${user}-2`, operation: "video" }]);
  await ledger.holders(["none"]);
  await ledger.othersSince(aJob({ id: "none", keyId: user }), 1_000, ["none"]);
  await ledger.acceptedLast("full-catalog", 2);
  await ledger.ofUser(user, { limit: 10, status: "failed", operation: "image" });
  await ledger.ofUser(user, { limit: 10, username: "none", since: 1 });
  await ledger.count({ chat: "telegram:-1", goingOn: true });
  await ledger.adopt([], ["web"]);
  await log.take("video", [`key:${user}`], 100);
}

/** What was read of the large tables so far: rows without an index, and rows that one led to. */
async function reads(address: string) {
  const client = new Client({ connectionString: address });
  await client.connect();
  const { rows } = await client.query<{ readonly scanned: number; readonly led: number }>(
    `select seq_tup_read::int as scanned, coalesce(idx_tup_fetch, 0)::int as led from pg_stat_user_tables
     where relname in ('jobs', 'rate_slots') order by relname`,
  );
  await client.end();
  return rows;
}

/** What is read of them, each, while Reelay works. */
async function readIn(database: Database, address: string) {
  // A session tells of it within a second, unless it is asked to.
  const told = () => sql`select pg_stat_force_next_flush()`.execute(database.kysely);
  await told();
  const before = await reads(address);
  for (let run = 0; run < OFTEN; run += 1) await work(database, `web:u${run + 100}`);
  await told();
  const after = await reads(address);
  return after.map(({ scanned, led }, place) => ({
    scanned: scanned - (before[place]?.scanned ?? 0),
    led: led - (before[place]?.led ?? 0),
  }));
}

describe.runIf(server)("a statement that was planned while its tables were empty", () => {
  it("finds its rows by an index when they are large, which nobody has looked at since", async () => {
    vi.useFakeTimers({ toFake: ["performance"] });
    const address = (await server?.createDatabase()) ?? "";
    await using closing = new AsyncDisposableStack();
    const database = await connectPostgres(address);
    closing.defer(() => database.close());
    const { kysely } = database;
    for (const table of ["jobs", "rate_slots"]) {
      await sql`alter table ${sql.table(table)} set (autovacuum_enabled = off)`.execute(kysely);
      await sql`analyze ${sql.table(table)}`.execute(kysely);
    }
    for (let run = 0; run < OFTEN; run += 1) await work(database, "web:early");

    await sql`insert into jobs
        (id, "user", surface, address, key_id, operation, input, fingerprint, state, delivery, created_at, not_before, runner, attempts)
      select 'u' || n, 'web:u' || n / 25, 'web', '{}', 'web:u' || n / 25, 'video', '{}', 'f' || n,
        case when n % 25 < 23 then 'completed' else 'queued' end, case when n % 25 < 23 then 'delivered' else 'none' end, 1, 0,
        'r' || n % 4, 0
      from generate_series(1, ${sql.lit(GROWN)}) as n`.execute(kysely);
    await sql`insert into rate_slots (id, scope, rate_group, until)
      select n, 'key:web:u' || n / 25, 'video', now_ms() + ${sql.lit(WINDOW_MS)} from generate_series(1, ${sql.lit(GROWN)}) as n`.execute(
      kysely,
    );
    expect((await readIn(database, address)).map(({ scanned }) => scanned)).toEqual([0, 0]);
    // Whichever index was chosen then, another one may be the right one now.
    vi.advanceTimersByTime(A_MINUTE_MS);
    for (const { scanned, led } of await readIn(database, address)) {
      expect(scanned).toBe(0);
      expect(led).toBeLessThan(OFTEN * 100);
    }
  });
});
