import { execFile } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, it } from "vitest";
import { EXIT } from "../../../adapters/cli/output/exit-codes.ts";
import { ScheduledBackups } from "../../../src/app/backups/scheduled-backups.ts";
import { watchBackups } from "../../../src/app/backups/state.ts";
import { backUpOnThread } from "../../../src/app/backups/thread.ts";
import type { Params } from "../../../src/common/errors.ts";
import { translator } from "../../../src/common/i18n.ts";
import { readConfig } from "../../../src/app/config.ts";
import { openStore } from "../../../src/app/data-folder.ts";
import { examine } from "../../../src/app/doctor.ts";
import { writeArchive } from "../../../src/infrastructure/storage/archive.ts";
import { copyDatabase } from "../../../src/infrastructure/storage/copying/copy.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { testDatabase } from "../../support/database.ts";
import { fill } from "../../support/moved.ts";
import { startPostgres } from "../../support/postgres.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const PROGRAM = fileURLToPath(new URL("../../../tools/reelay.js", import.meta.url));

const CHILD = fileURLToPath(new URL("../../support/move-child.ts", import.meta.url));

const server = await startPostgres();
afterAll(() => server?.stop());

/** Runs the program on a data folder, from where no `.env` is. */
async function reelay(data: string, ...args: readonly string[]) {
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: data, REELAY_PORT: "0" };
  return promisify(execFile)(process.execPath, [PROGRAM, ...args], { cwd: temporaryFolder(), env }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code, stdout: String(stdout) }),
  );
}

/** A data folder from which everything was moved to PostgreSQL. */
async function movedFolder() {
  const data = temporaryFolder();
  const store = join(data, "reelay.db");
  const database = await openDatabase(store);
  await fill(database);
  await database.close();
  const address = (await server?.createDatabase()) ?? "";
  expect(await reelay(data, "move", "--to", address)).toMatchObject({ code: EXIT.ok });
  return { data, store, address };
}

describe.runIf(server)("a folder from which everything was moved", () => {
  it("is not backed up: it would be a backup that nobody can go back to", async () => {
    const { data } = await movedFolder();
    const folder = temporaryFolder();
    for (const command of [["backup", join(folder, "old.backup")], ["usage"]]) {
      const { code, stdout } = await reelay(data, ...command, "--json");
      expect({ command, code }).toEqual({ command, code: EXIT.settings });
      expect(stdout).toContain("from which everything was moved to postgres://");
      expect(stdout).not.toContain("for%20tests");
    }
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is not backed up by a server either, which says so", async () => {
    const { data, store } = await movedFolder();
    const database = await testDatabase(join(temporaryFolder(), "reelay.db"));
    const folder = temporaryFolder();
    const backups = new ScheduledBackups({
      folder,
      times: { everyMs: 1 },
      keep: 2,
      memory: memory(database, "backups"),
      lock: join(temporaryFolder(), "backups.lock"),
      backUp: (to, signal) => backUpOnThread({ data, store }, to, signal),
      now: () => 1,
      log: makeLogger({ level: "silent" }),
    });
    await backups.look();
    expect(readdirSync(folder)).toEqual([]);
    expect(await watchBackups(memory(database, "backups")).look(new AbortController().signal)).toHaveLength(
      1,
    );
    await database.close();
  });

  it("was backed up by an older version: that is said, and nothing is left", async () => {
    const { store } = await movedFolder();
    const from = join(temporaryFolder(), "old.backup");
    await copyDatabase(store, `${from}.database`);
    await writeArchive(from, [{ name: "reelay.db", path: `${from}.database` }]);
    const data = join(temporaryFolder(), "new");
    const { code, stdout } = await reelay(data, "restore", from, "--json");
    expect(code).toBe(EXIT.refused);
    expect(JSON.parse(stdout)).toMatchObject({ code: "backup_moved" });
    const { params } = JSON.parse(stdout) as { readonly params: Params };
    const said = translator("en")("cli.problem.backup_moved", params);
    expect(said).toMatch(`${from} holds nothing to go back to`);
    expect(said).toMatch(/moved to postgres:.*Nothing was changed\.$/);
    expect(existsSync(data)).toBe(false);
    // What was there before is not taken away.
    const there = temporaryFolder();
    expect(await reelay(there, "restore", from)).toMatchObject({ code: EXIT.refused });
    expect(readdirSync(there)).toEqual([]);
  });
});

describe.runIf(server)("a move back to an empty folder that is killed", () => {
  it("is no empty Reelay there: that says so until it is done once more", async () => {
    const { address } = await movedFolder();
    const data = temporaryFolder();
    const run = promisify(execFile);
    await expect(run(process.execPath, [CHILD, data, address, "back", "9"])).rejects.toMatchObject({
      signal: "SIGKILL",
    });
    const { code, stdout } = await reelay(data, "start", "--json");
    expect(code).toBe(EXIT.settings);
    expect(stdout).toContain("reelay.db.unfinished");
    expect(stdout).toContain("reelay move");
    expect(await examine({ REELAY_DATA: data, REELAY_API_URL: "http://127.0.0.1:1/api" })).toContainEqual(
      expect.objectContaining({ name: "storage", ok: false, advice: expect.stringContaining("reelay move") }),
    );
    // Everything is where it was.
    const there = await openStore(readConfig({ REELAY_DATA: data, REELAY_STORE: address }));
    await there.close();
    await run(process.execPath, [CHILD, data, address, "back", "0"]);
    expect(await reelay(data, "usage")).toMatchObject({ code: EXIT.ok });
    expect(existsSync(join(data, "reelay.db.unfinished"))).toBe(false);
  });
});
