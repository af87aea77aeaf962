import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
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
