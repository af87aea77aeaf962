import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { openStore } from "../../../src/app/data-folder.ts";
import { examine } from "../../../src/app/doctor.ts";
import { move } from "../../../src/app/moving/database.ts";
import { readConfig } from "../../../src/app/config.ts";
import { ConfigError } from "../../../src/common/config-error.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { Runners } from "../../../src/domain/jobs/submission/runners.ts";
import type { MoveProgress } from "../../../src/seam/surface/runtime.ts";
import { movingAlone } from "../../../src/infrastructure/storage/moving/in-charge.ts";
import { startPostgres } from "../../support/postgres.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { everyRowOf, fill } from "../../support/moved.ts";

const PROGRAM = fileURLToPath(new URL("../../../tools/reelay.js", import.meta.url));

const server = await startPostgres();
afterAll(() => server?.stop());

/** An installation on SQLite with rows of every kind, and an empty database to move to. */
async function installation() {
  const data = temporaryFolder();
  const address = (await server?.createDatabase()) ?? "";
  const here = readConfig({ REELAY_DATA: data });
  const there = readConfig({ REELAY_DATA: data, REELAY_STORE: address });
  const database = await openStore(here);
  await fill(database);
  await database.close();
  return { data, address, here, there };
}

const rowsIn = async (config: ReturnType<typeof readConfig>) => {
  const database = await openStore(config);
  try {
    return await everyRowOf(database);
  } finally {
    await database.close();
  }
};

const quietly = () => {};

describe.runIf(server)("a move", () => {
  it("brings every row over as it is, and back", async () => {
    const { data, address, here, there } = await installation();
    const before = await rowsIn(here);
    expect(Object.entries(before).filter(([, rows]) => rows.length === 0)).toEqual([]);
    const heard: MoveProgress[] = [];
    const done = await move(here, address, (progress) => void heard.push(progress));
    const rows = Object.values(before).reduce((sum, { length }) => sum + length, 0);
    expect(done).toEqual({
      from: `sqlite:${here.store}`,
      to: address.replace(":for%20tests", ""),
      rows,
      data,
      hasFiles: true,
      hasSecret: false,
    });
    expect(heard.at(-1)).toEqual({ step: "moved", rows, of: rows });
    expect(await rowsIn(there)).toEqual(before);
    await expect(openStore(here)).rejects.toThrow("from which everything was moved to postgres://");
    await expect(openStore(here)).rejects.not.toThrow("for%20tests");

    // Numbers that were given are not given again.
    const database = await openStore(there);
    const [next] = await database.kysely
      .insertInto("known_keys")
      .values({ digest: "d", mark: 1, length: 2, owner: "next", until: null })
      .returning("seq")
      .execute();
    expect(next?.seq).toBe(12);
    await database.close();

    const moved = await rowsIn(there);
    expect(await move(there, undefined, quietly)).toMatchObject({ to: `sqlite:${here.store}` });
    expect(await rowsIn(here)).toEqual(moved);
    await expect(openStore(there)).rejects.toThrow("from which everything was moved to sqlite:");
    // And there once more: what it left there is of no use any more.
    expect(await move(here, address, quietly)).toMatchObject({ to: expect.stringContaining("postgres://") });
    expect(await rowsIn(there)).toEqual(moved);
    const last = await openStore(there);
    const again = { digest: "d", mark: 1, length: 2, owner: "last", until: null };
    const [given] = await last.kysely.insertInto("known_keys").values(again).returning("seq").execute();
    expect(given?.seq).toBe(13);
    await last.close();
  });

  it("names the flag that gave the address where nothing can be moved to it", async () => {
    const { address, here } = await installation();
    const nowhere = Object.assign(new URL(address), { pathname: "/not_there" }).href;
    const refused = await move(here, nowhere, quietly).catch((error: unknown) => error);
    expect(refused).toMatchObject({ mistakes: [{ setting: "--to" }] });
    expect(String(refused)).not.toContain("REELAY_STORE");
  });

  it("is said to be done already where it is, and is not done to somewhere else", async () => {
    const { address, here } = await installation();
    await move(here, address, quietly);
    expect(await move(here, address, quietly)).not.toHaveProperty("rows");
    const other = (await server?.createDatabase()) ?? "";
    expect(await move(here, other, quietly)).toMatchObject({ refused: "moved" });
    const another = await installation();
    expect(await move(another.here, address, quietly)).toMatchObject({ refused: "not_empty" });
    expect(await move(another.there, undefined, quietly)).toMatchObject({ refused: "in_use" });
  });

  it("is done to a database that commands were run on already, but not where one is at work or has kept something", async () => {
    const { address, here, there } = await installation();
    const before = await rowsIn(here);
    const env = {
      PATH: process.env["PATH"],
      REELAY_STORE: address,
      REELAY_PORT: "0",
      REELAY_API_URL: "http://127.0.0.1:9/api",
    };
    const options = { cwd: temporaryFolder(), env: { ...env, REELAY_DATA: temporaryFolder() } };
    for (const command of ["usage", "jobs"])
      await promisify(execFile)(process.execPath, [PROGRAM, command], options);
    const early = spawn(process.execPath, [PROGRAM, "start"], {
      ...options,
      stdio: ["ignore", "pipe", "ignore"],
    });
    const left = once(early, "exit");
    await once(early.stdout, "data");
    early.kill("SIGINT");
    await left;
    const database = await openStore(there);
    const runner = new Runners(database, 30_000);
    await runner.start();
    expect(await move(here, address, quietly)).toMatchObject({ refused: "not_empty" });
    await runner.stop();
    const settings = { namespace: "people", key: "me", value: "{}", expires_at: null };
    await database.kysely.insertInto("kv").values(settings).execute();
    expect(await move(here, address, quietly)).toMatchObject({ refused: "not_empty" });
    await database.kysely.deleteFrom("kv").where("namespace", "=", "people").execute();
    await database.close();
    expect(await move(here, address, quietly)).toHaveProperty("rows");
    expect(await rowsIn(there)).toEqual(before);
  });

  it("begins nothing while a process is at work on what is to be moved", async () => {
    const { address, here, there } = await installation();
    const database = await openStore(here);
    const elsewhere = { pid: 1, started: null, boot: "another machine", pidNamespace: null };
    const runner = new Runners(database, 30_000, elsewhere);
    await runner.start();
    expect(await move(here, address, quietly)).toMatchObject({ refused: "running", count: 1 });
    await runner.stop();
    await database.close();
    expect(await move(here, address, quietly)).toHaveProperty("rows");
    const moved = await openStore(there);
    const node = new Runners(moved, 30_000, elsewhere);
    await node.start();
    expect(await move(there, undefined, quietly)).toMatchObject({ refused: "running", count: 1 });
    await node.stop();
    await moved.close();
  });

  it("leaves whoever had it open nothing to write to", async () => {
    const { address, here, there } = await installation();
    const before = await openStore(here);
    await move(here, address, quietly);
    const write = (database: typeof before) =>
      database.kysely.updateTable("jobs").set({ attempts: 9 }).execute();
    await expect(write(before)).rejects.toMatchObject({ code: "storage_down" });
    await before.close();
    const after = await openStore(there);
    await move(there, undefined, quietly);
    await expect(write(after)).rejects.toMatchObject({ code: "storage_down" });
    await after.close();
  });

  it("leaves what was being sent to be looked for, and sends it nowhere blindly", async () => {
    const { address, here, there } = await installation();
    await move(here, address, quietly);
    const database = await openStore(there);
    const ledger = new Ledger(database, "heir");
    await ledger.adopt(["me"], ["web"]);
    expect((await ledger.inState("submitting")).length).toBe(0);
    expect((await ledger.inState("unsure")).length).toBe(2);
    await database.close();
  });

  it("is told by the doctor", async () => {
    const { data, address, here } = await installation();
    await move(here, address, quietly);
    const checks = await examine({ REELAY_DATA: data, REELAY_API_URL: "http://127.0.0.1:1/api" });
    expect(checks.find(({ name }) => name === "storage")).toMatchObject({
      ok: false,
      found: expect.stringContaining("everything was moved to postgres://"),
    });
  });

  it("wants a server that will do", async () => {
    const { address, here } = await installation();
    const change = new Client({ connectionString: address });
    await change.connect();
    await change.query(`alter database ${new URL(address).pathname.slice(1)} set synchronous_commit = off`);
    await change.end();
    await expect(move(here, address, quietly)).rejects.toThrow("synchronous_commit is off");
    expect(Object.keys(await rowsIn(here)).length).toBeGreaterThan(10);
  });

  it("is not made to a folder with another database, nor over a log of one", async () => {
    const { address, here, there } = await installation();
    await move(here, address, quietly);
    const empty = temporaryFolder();
    writeFileSync(join(empty, "reelay.db-wal"), "the log of a database that is gone");
    expect(
      await move({ ...there, data: empty, store: join(empty, "reelay.db") }, undefined, quietly),
    ).toMatchObject({
      refused: "in_use",
    });
    // Whoever has the old one open holds its log, which must not become the new one's.
    const reader = new DatabaseSync(here.store);
    reader.exec("begin");
    reader.prepare("select count(*) from jobs").get();
    const writer = new DatabaseSync(here.store);
    writer.exec("pragma user_version = 0");
    expect(await move(there, undefined, quietly)).toMatchObject({ refused: "in_use" });
    reader.close();
    writer.close();
  });
});

describe("a move", () => {
  it("needs an address, and something to move", async () => {
    const config = readConfig({ REELAY_DATA: temporaryFolder() });
    await expect(move(config, undefined, quietly)).rejects.toThrow(ConfigError);
    await expect(move(config, "postgres:/a:secret@b", quietly)).rejects.toThrow("--to: found no address");
    expect(await move(config, "postgres://a@b/c", quietly)).toMatchObject({ refused: "missing" });
  });

  it("waits for no other one in the same folder, and is refused meanwhile", async () => {
    const here = readConfig({ REELAY_DATA: temporaryFolder() });
    writeFileSync(here.store, "");
    const there = readConfig({ REELAY_DATA: here.data, REELAY_STORE: "postgres://a@b/c" });
    const refused = { refused: "under_way", place: here.data };
    await movingAlone(here.store, async () => {
      expect(await move(here, "postgres://a@b/c", quietly)).toEqual(refused);
      expect(await move(there, undefined, quietly)).toEqual(refused);
    });
  });
});
