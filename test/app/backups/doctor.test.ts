import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { ScheduledBackups } from "../../../src/app/backups/scheduled-backups.ts";
import { examine } from "../../../src/app/doctor.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { examineBackups } from "../../../src/app/backups/doctor.ts";
import { backupName } from "../../../src/app/backups/names.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it("says which backup is the last, and what is wrong with a folder", async () => {
  const folder = temporaryFolder();
  expect(await examineBackups({ folder })).toMatchObject({ ok: true, found: `${folder}: no backup yet` });
  const [first, last] = [1, 90_000_000].map(backupName);
  for (const name of [last, first, "reelay-mine.backup"]) writeFileSync(join(folder, name ?? ""), "");
  expect(await examineBackups({ folder })).toMatchObject({ found: `${folder}: the last one is ${last}` });
  expect(await examineBackups({ folder: join(folder, "gone") })).toMatchObject({ ok: false });
});

it("says when the last one failed and why, until one is made", async () => {
  const data = temporaryFolder();
  const folder = join(temporaryFolder(), "backups");
  const env = { REELAY_DATA: data, REELAY_API_URL: "http://127.0.0.1:1/api", REELAY_BACKUP_TO: folder };
  const found = async () => (await examine(env)).find(({ name }) => name === "backups");
  const database = await openDatabase(join(data, "reelay.db"));
  const look = (time: string) =>
    new ScheduledBackups({
      folder,
      times: { everyMs: 1 },
      keep: 2,
      memory: memory(database, "backups"),
      lock: join(data, "backups.lock"),
      async backUp(to) {
        writeFileSync(to, "a backup");
        return { files: 1, bytes: 8, hasSecret: true };
      },
      now: () => Date.parse(time),
      log: makeLogger({ level: "silent" }),
    }).look();
  await look("2026-03-10T12:00:00Z");
  mkdirSync(folder);
  expect(await found()).toMatchObject({
    ok: false,
    found: `${folder}: no backup yet; the last try, at 2026-03-10 12:00 UTC, failed: ENOENT`,
    advice: expect.stringContaining("restart"),
  });
  await look("2026-03-10T12:01:00Z");
  expect(await found()).toMatchObject({
    ok: true,
    found: `${folder}: the last one is reelay-2026-03-10T12-01-00Z.backup`,
  });
  await database.close();
});
