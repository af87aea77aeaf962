import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, afterEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { LEASE_ACROSS_MACHINES_MS } from "../../../src/domain/jobs/submission/lease.ts";
import { Runners } from "../../../src/domain/jobs/submission/runners.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { connectPostgres } from "../../../src/infrastructure/storage/postgres/connect.ts";
import { startPostgres } from "../../support/postgres.ts";
import { addressThrough, startTcpProxy } from "../../support/tcp-proxy.ts";

const server = await startPostgres();
afterAll(() => server?.stop());
afterEach(() => void vi.useRealTimers());

const ask = ({ kysely }: Database) => sql`select 1`.execute(kysely);

async function asAdmin(address: string, ...statements: readonly string[]): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  for (const statement of statements) await client.query(statement);
  await client.end();
}

describe.runIf(server)("a node on PostgreSQL", () => {
  it("gives up a line on which no byte comes any more, sends nothing meanwhile, and goes on over another", async () => {
    const proxy = await startTcpProxy(server?.socket ?? "");
    const database = await connectPostgres(addressThrough(proxy, (await server?.createDatabase()) ?? ""));
    onTestFinished(async () => {
      await database.close();
      proxy[Symbol.dispose]();
    });
    const node = new Runners(database, LEASE_ACROSS_MACHINES_MS);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
    await node.renew();
    proxy.swallow();
    const renewed = node.renew().catch((error: unknown) => error);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(node.lease.isHeld()).toBe(false);
    await vi.advanceTimersByTimeAsync(25_000);
    expect(await renewed).toMatchObject({ code: "storage_down" });
    vi.useRealTimers();
    proxy.heal();
    await node.renew();
    expect(node.lease.isHeld()).toBe(true);
  });

  it("does without lines that are cut, and takes others", async () => {
    const proxy = await startTcpProxy(server?.socket ?? "");
    const database = await connectPostgres(addressThrough(proxy, (await server?.createDatabase()) ?? ""));
    onTestFinished(async () => {
      await database.close();
      proxy[Symbol.dispose]();
    });
    const working = sql`select pg_sleep(60)`.execute(database.kysely).catch((error: unknown) => error);
    await ask(database);
    proxy.cut();
    expect(await working).toMatchObject({ code: "storage_down" });
    await expect
      .poll(() =>
        ask(database).then(
          () => true,
          () => false,
        ),
      )
      .toBe(true);
  });

  it("says where the server takes no more connections, and goes on once it does", async () => {
    const address = (await server?.createDatabase()) ?? "";
    const name = new URL(address).pathname.slice(1);
    await asAdmin(
      address,
      "create role limited login password 'limited' connection limit 1",
      `grant all on schema public to limited`,
      `grant all on database ${name} to limited`,
    );
    const limited = address.replace(/\/\/[^@]*@/, "//limited:limited@");
    const database = await connectPostgres(limited);
    onTestFinished(() => database.close());
    // As many as it may have.
    await expect(connectPostgres(limited)).rejects.toThrow('too many connections for role "limited"');
    const both = await Promise.allSettled([ask(database), ask(database)]);
    const refused = both.find((one) => one.status === "rejected");
    expect(refused?.reason).toMatchObject({ code: "storage_down" });
    await asAdmin(address, "alter role limited connection limit 5");
    await Promise.all([ask(database), ask(database)]);
  });
});
