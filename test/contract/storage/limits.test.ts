import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { Limiter } from "../../../src/infrastructure/queue/limiter.ts";
import { WindowLog } from "../../../src/infrastructure/queue/window-log.ts";
import { connectPostgres } from "../../../src/infrastructure/storage/postgres/connect.ts";
import { whatNodesSend, worstWindow } from "../../support/limit-nodes.ts";
import { startPostgres } from "../../support/postgres.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const MINUTE = 60_000;
const W = 1_500;
const N = 10;

/** The same log as two nodes see it. */
async function logs(windowMs = MINUTE) {
  const address = (await server?.createDatabase()) ?? "";
  const [here, there] = await Promise.all([connectPostgres(address), connectPostgres(address)]);
  onTestFinished(async () => {
    await here.close();
    await there.close();
  });
  return { address, here, near: new WindowLog(here, windowMs), far: new WindowLog(there, windowMs) };
}

const SCOPES = ["key:a", "egress:b"];

/** Asks for the one slot of a window. @returns how long it is to be waited for, in milliseconds; undefined with the slot */
async function waitOf(log: WindowLog, waiter: string, scopes = SCOPES): Promise<number | undefined> {
  const from = Date.now();
  const taken = await log.take("video", scopes, 1, { waiter });
  return taken.slot ? undefined : Math.max(...taken.freeAt) - from;
}

/** Those of a node: half of them share a key with other nodes. */
const callers = (node: string) =>
  Array.from({ length: 8 }, (_, nth) => ({ key: nth < 4 ? "shared" : node, user: `${node} ${nth}` }));

describe.runIf(server)("nodes that share their rates on PostgreSQL", () => {
  it("never send more than the limit in any window, by key and by address, as processes that send all they may", async () => {
    const counted = await whatNodesSend({
      store: (await server?.createDatabase()) ?? "",
      windowMs: W,
      limit: N,
      count: 6 * N,
      latencyMs: W / 10,
      nodes: ["a", "b", "c", "d"].map((node) => ({
        egresses: node === "d" ? ["its own", "shared"] : ["shared"],
        callers: callers(node),
      })),
    });
    expect(worstWindow(counted, "egress", W)).toBeLessThanOrEqual(N);
    expect(worstWindow(counted, "key", W)).toBeLessThanOrEqual(N);
  });

  it("give the next slot to whoever has waited the longest, wherever that is", async () => {
    const { near, far, here } = await logs();
    const taken = await near.take("video", SCOPES, 1);
    expect(await waitOf(far, "patient")).toBeDefined();
    expect(await waitOf(near, "late")).toBeDefined();
    if (taken.slot) await near.cancel(taken.slot);
    expect(await waitOf(near, "later still")).toBeDefined();
    expect(await waitOf(near, "late")).toBeDefined();
    expect(await waitOf(far, "patient")).toBeUndefined();
    await far.leave("patient");
    await sql`update rate_slots set until = 0`.execute(here.kysely);
    expect(await waitOf(near, "late")).toBeUndefined();
  });

  it("keep no slot for whoever does not come for it, nor for one that has left, nor in another scope", async () => {
    const { near, far, here } = await logs();
    const taken = await near.take("video", SCOPES, 1);
    await waitOf(far, "gone");
    await waitOf(far, "left");
    if (taken.slot) await near.cancel(taken.slot);
    expect(await waitOf(near, "another", ["key:c", "egress:d"])).toBeUndefined();
    await far.leave("left");
    await sql`update rate_waits set until = now_ms() - 1`.execute(here.kysely);
    expect(await waitOf(near, "late")).toBeUndefined();
  });

  it("have nobody wait any more who has sent something, or gave up", async () => {
    const { near, here } = await logs(300);
    const limiter = new Limiter({ log: near });
    const turn = { group: "video", user: "u", key: "k" } as const;
    const all = Array.from({ length: 25 }, () => limiter.run(turn, async () => {}));
    const leaving = new AbortController();
    const given = limiter.run({ ...turn, user: "v", signal: leaving.signal }, async () => {});
    leaving.abort(new Error("gave up"));
    await expect(given).rejects.toThrow("gave up");
    await Promise.all(all);
    expect(await here.kysely.selectFrom("rate_waits").selectAll().execute()).toEqual([]);
  });

  it("confirm nothing that a crash takes back, and see what others confirmed while they waited, also where the server was told so meanwhile", async () => {
    const { here, address } = await logs();
    const change = new Client({ connectionString: address });
    await change.connect();
    const name = new URL(address).pathname.slice(1);
    await change.query(`alter database ${name} set synchronous_commit = off`);
    await change.query(`alter database ${name} set default_transaction_isolation = 'repeatable read'`);
    // As after a server that was away: connections are new.
    await change.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'reelay'",
    );
    await change.end();
    const setting = () =>
      sql<{ readonly commits: string; readonly isolation: string }>`
      select current_setting('synchronous_commit') as commits,
        current_setting('transaction_isolation') as isolation`.execute(here.kysely);
    // Each of those that were cut is noticed when it is used, at the latest.
    const { rows } = await vi.waitFor(setting, PATIENCE_MS);
    expect(rows).toEqual([{ commits: "on", isolation: "read committed" }]);
  });

  it("count every slot as taken for one window after a failover, whoever notices it", async () => {
    const { near, far, here, address } = await logs();
    expect(await waitOf(near, "before")).toBeUndefined();
    const promote = await server?.becomeStandby();
    await expect(connectPostgres(address)).rejects.toThrow("a standby, which takes no writes");
    await expect(waitOf(near, "meanwhile")).rejects.toThrow("storage_down");
    await promote?.();
    for (const log of [far, near, far]) {
      const wait = await waitOf(log, "after", ["key:new", "egress:new"]);
      expect(wait).toBeGreaterThan(MINUTE / 2);
      // By the time that passes while it asks.
      expect(wait).toBeLessThan(2 * MINUTE);
    }
    await sql`update rate_blocks set until = now_ms() - 1`.execute(here.kysely);
    expect(await waitOf(far, "after", ["key:new", "egress:new"])).toBeUndefined();
  });
});
