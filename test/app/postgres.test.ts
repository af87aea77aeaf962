import { readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sql } from "kysely";
import { Client } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { examine } from "../../src/app/doctor.ts";
import { readConfig } from "../../src/app/config.ts";
import { ConfigError } from "../../src/common/config-error.ts";
import { openPatiently } from "../../src/infrastructure/storage/postgres/answering.ts";
import { connectPostgres } from "../../src/infrastructure/storage/postgres/connect.ts";
import { type ServerFacts, unfit } from "../../src/infrastructure/storage/postgres/server.ts";
import { Child } from "../support/crash-child.ts";
import { startPooler } from "../support/pooler.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder } from "../support/sandbox.ts";
import { addressThrough, startTcpProxy } from "../support/tcp-proxy.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const PASSWORD = "a-password-of-mine";

/** Nobody listens there. */
const NOWHERE = `postgres://reelay:${PASSWORD}@127.0.0.1:1/reelay`;

/** What the doctor says of an installation whose store is there. */
async function storage(address: string) {
  const checks = await examine({
    REELAY_DATA: temporaryFolder(),
    REELAY_STORE: address,
    REELAY_API_URL: "http://127.0.0.1:1/api",
  });
  return checks.filter(({ name }) => name === "storage");
}

const FIT: ServerFacts = {
  version: "15.4",
  number: 150_004,
  commit: "on",
  isolation: "read committed",
  flushes: true,
  vacuums: true,
  isStandby: false,
  encoding: "UTF8",
  sharesSessions: false,
  standbys: { exact: 0, late: 0 },
  latencyMs: 1,
  aheadMs: -3,
};

describe("a PostgreSQL server", () => {
  it("is taken from version 15 on, where it keeps what it confirms, whatever this machine's clock says", () => {
    expect(unfit(FIT)).toBeUndefined();
    expect(unfit({ ...FIT, commit: "remote_apply" })).toBeUndefined();
    expect(unfit({ ...FIT, number: 140_012, version: "14.12" })?.found).toBe("PostgreSQL 14.12");
    expect(unfit({ ...FIT, isStandby: true })?.wanted).toBe("the address of its primary");
    expect(unfit({ ...FIT, commit: "off" })?.found).toContain("synchronous_commit is off");
    expect(unfit({ ...FIT, isolation: "serializable" })?.found).toContain("isolation is serializable");
    expect(unfit({ ...FIT, encoding: "SQL_ASCII" })?.found).toBe("a database in SQL_ASCII");
    expect(unfit({ ...FIT, aheadMs: -600_000 })).toBeUndefined();
  });

  it("is said where it is not there, without its password", async () => {
    await expect(connectPostgres(NOWHERE)).rejects.toThrow(
      "REELAY_STORE: found postgres://reelay@127.0.0.1:1/reelay, where no statement can be run (",
    );
    using child = new Child({ data: temporaryFolder(), env: { REELAY_STORE: NOWHERE } }, ["partner", "list"]);
    expect(await child.ended()).not.toBe(0);
    expect(child.output).toContain("wanted a PostgreSQL server that answers");
    expect(child.output).not.toContain(PASSWORD);
    const [check] = await storage(NOWHERE);
    expect(check).toMatchObject({
      ok: false,
      advice: "REELAY_STORE wants a PostgreSQL server that answers.",
    });
    expect(JSON.stringify(check)).not.toContain(PASSWORD);
  });

  it.runIf(server)(
    "is asked for what it lacks where it answers and refuses, without a password",
    async () => {
      const address = (await server?.createDatabase()) ?? "";
      const name = new URL(address).pathname.slice(1);
      const client = new Client({ connectionString: address });
      await client.connect();
      await client.query(`create role a_guest login password '${PASSWORD}'`);
      // As servers have it unless they are told otherwise: the driver itself wants a password then.
      const rules = join(dirname(server?.socket ?? ""), "pg_hba.conf");
      writeFileSync(rules, `local all a_guest scram-sha-256\n${readFileSync(rules, "utf8")}`);
      await client.query("select pg_reload_conf()");
      await client.end();
      const at = (changed: Partial<URL>) => Object.assign(new URL(address), changed).href;
      const guest = { username: "a_guest", password: PASSWORD };
      const refusals: readonly (readonly [url: string, found: string, wanted: string])[] = [
        [at({ pathname: "/not_there" }), 'database "not_there" does not exist', "that is there"],
        [at({ password: PASSWORD }), "password authentication failed", "user and password"],
        [at({ ...guest, password: "" }), "password must be a", "user and password"],
        [at(guest), "permission denied for schema public", `ALTER DATABASE ${name} OWNER TO a_guest`],
      ];
      for (const [url, found, wanted] of refusals) {
        const refused = await connectPostgres(url).catch((error: unknown) => error);
        const said = { setting: "REELAY_STORE", found: expect.stringContaining(found) };
        expect(refused).toMatchObject({ mistakes: [{ ...said, wanted: expect.stringContaining(wanted) }] });
        expect(String(refused)).not.toContain(PASSWORD);
      }
    },
  );

  it("takes its driver, and says how to get it where it is not installed", async () => {
    const without = `import { registerHooks } from "node:module";
      registerHooks({ resolve(name, context, next) {
        if (name === "pg") throw Object.assign(new Error("Cannot find package"), { code: "ERR_MODULE_NOT_FOUND" });
        return next(name, context);
      } });`;
    const NODE_OPTIONS = `--import data:text/javascript,${encodeURIComponent(without)}`;
    using child = new Child({ data: temporaryFolder(), env: { REELAY_STORE: NOWHERE, NODE_OPTIONS } });
    expect(await child.ended()).not.toBe(0);
    expect(child.output).toContain(
      "REELAY_STORE: found a PostgreSQL address, but not its driver, wanted the driver beside Reelay (npm install pg@8)",
    );
    expect(child.output).not.toContain(PASSWORD);
  });

  it("is no address of one, misspelt: whatever stands in it is not repeated", () => {
    for (const REELAY_STORE of [
      `postgres:/reelay:${PASSWORD}@db`,
      `postgress://reelay:${PASSWORD}@db/reelay`,
    ]) {
      const mistakes = (): unknown => readConfig({ REELAY_STORE });
      expect(mistakes).toThrow(ConfigError);
      expect(mistakes).toThrow("found a value that does not fit, wanted sqlite:PATH or postgres://");
    }
    expect(readConfig({ REELAY_STORE: NOWHERE }).postgres).toBe(NOWHERE);
  });
});

describe.runIf(server)("a real one", () => {
  it("says why it ended a connection in the middle of a transaction, not that nothing could be undone then", async () => {
    const address = (await server?.createDatabase()) ?? "";
    const database = await connectPostgres(address);
    const other = new Client({ connectionString: address });
    await other.connect();
    const cutOff = database.kysely.transaction().execute(async (within) => {
      const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(within);
      // The server's answer comes when it has ended.
      await other.query("select pg_terminate_backend($1, 60000)", [rows[0]?.pid]);
      await sql`select 1`.execute(within);
    });
    await expect(cutOff).rejects.toMatchObject({ code: "storage_down", cause: { code: "57P01" } });
    expect((await sql<{ one: number }>`select 1 as one`.execute(database.kysely)).rows).toEqual([{ one: 1 }]);
    await other.end();
    await database.close();
  });

  it("is waited for by a server that starts before it does", async () => {
    const address = (await server?.createDatabase()) ?? "";
    const closed = await startTcpProxy(server?.socket ?? "");
    const { port } = closed;
    const env = {
      REELAY_STORE: addressThrough(closed, address).replace("postgres@", `postgres:${PASSWORD}@`),
    };
    closed[Symbol.dispose]();
    using child = new Child({ data: temporaryFolder(), env });
    await expect.poll(() => child.output).toContain("it is waited for");
    const open = await startTcpProxy(server?.socket ?? "", port);
    expect(await child.url, child.output).toContain("http://");
    expect(child.output).not.toContain(PASSWORD);
    open[Symbol.dispose]();
  });

  it("is none behind a pooler that lends its sessions", async () => {
    const address = (await server?.createDatabase()) ?? "";
    await using pooler = await startPooler(address);
    const found = "a pooler that shares the server's sessions between its clients";
    const pooled = addressThrough(pooler, address);
    await expect(connectPostgres(pooled)).rejects.toThrow(found);
    const [check] = await storage(pooled);
    expect(check).toMatchObject({ ok: false, found: expect.stringContaining(found) as string });
    expect(check?.advice).toContain("pool_mode = session");
  });

  it("has each session give a transaction up that stands still, whatever came with its beginning", async () => {
    const database = await connectPostgres((await server?.createDatabase()) ?? "");
    const { rows } = await sql<{
      readonly idle_in_transaction_session_timeout: string;
    }>`show idle_in_transaction_session_timeout`.execute(database.kysely);
    expect(rows).toEqual([{ idle_in_transaction_session_timeout: "4s" }]);
    await database.close();
  });

  it("is waited for where it has answered once, and is gone again before everything is open", async () => {
    const address = (await server?.createDatabase()) ?? "";
    // By the first two it is found to be there.
    using proxy = await startTcpProxy(server?.socket ?? "", 0, (nth) => nth !== 3);
    using child = new Child({
      data: temporaryFolder(),
      env: { REELAY_STORE: addressThrough(proxy, address) },
    });
    expect(await child.url, child.output).toContain("http://");
    expect(child.output).toContain("it is waited for");
  });

  it("is opened again and again while it is away, and nothing else is", async () => {
    const said: string[] = [];
    const log = { warn: () => void said.push("waits"), info: () => void said.push("answers") };
    const forEver = { all: Number.MAX_SAFE_INTEGER, between: 1 };
    const open = (address: string, patience = forEver) =>
      openPatiently(address, log, () => connectPostgres(address), patience);
    const address = (await server?.createDatabase()) ?? "";
    await expect(open(`${address}-of-which-there-is-none`)).rejects.toThrow("does not exist");
    await (await open(address)).close();
    const isTaken = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE" });
    await expect(openPatiently(address, log, () => Promise.reject(isTaken), forEver)).rejects.toBe(isTaken);
    expect(said).toEqual([]);
    await expect(open(NOWHERE, { all: 0, between: 1 })).rejects.toThrow("no statement can be run");
    expect(said).toEqual(["waits"]);

    using proxy = await startTcpProxy(server?.socket ?? "");
    let tries = 0;
    const opened = await openPatiently(
      address,
      log,
      async () => {
        await using closing = new AsyncDisposableStack();
        const database = await connectPostgres(addressThrough(proxy, address));
        closing.defer(() => database.close());
        if ((tries += 1) < 3) proxy.cut();
        await database.check();
        closing.move();
        return database;
      },
      forEver,
    );
    await opened.close();
    expect([tries, ...said]).toEqual([3, "waits", "waits", "answers"]);
  });

  it("is what the doctor finds: its version, how far it is, what its word is worth", async () => {
    const address = (await server?.createDatabase()) ?? "";
    // Tests have theirs without.
    expect(await storage(address)).toMatchObject([
      { ok: false, advice: "Set fsync = on in the server's settings." },
    ]);
    const change = new Client({ connectionString: address });
    await change.connect();
    const vacuums = async (setting: string) => {
      await change.query(`alter system ${setting}`);
      await change.query("select pg_reload_conf()");
    };
    await vacuums("set autovacuum = off");
    const advice = async () => (await storage(address)).map((check) => !check.ok && check.advice);
    await expect.poll(advice).toContain("Set autovacuum = on in the server's settings.");
    await vacuums("reset autovacuum");
    const set = (setting: string) =>
      change.query(`alter database ${new URL(address).pathname.slice(1)} set ${setting}`);
    await set("default_transaction_isolation = 'repeatable read'");
    await expect(connectPostgres(address)).rejects.toThrow("isolation is repeatable read");
    await set("synchronous_commit = off");
    await change.end();
    expect(await storage(address)).toMatchObject([{ ok: false }]);
    await expect(connectPostgres(address)).rejects.toThrow("synchronous_commit is off");
  });
});
