import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { backUpFor, restore } from "../../../src/app/backups/backup.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const placeIn = (data: string) => ({ data, store: join(data, "reelay.db"), secret: undefined });

async function aFolder() {
  const place = placeIn(temporaryFolder());
  await (await openDatabase(place.store)).close();
  writeFileSync(join(place.data, "secret"), "the secret");
  return place;
}

it("a backup for standard output is whole, needs no other folder, and leaves nothing in this one", async () => {
  const place = await aFolder();
  const out = join(temporaryFolder(), "reelay.backup");
  const done = await backUpFor(place, async (path) => {
    expect(path.startsWith(join(place.data, "scratch"))).toBe(true);
    copyFileSync(path, out);
  });
  expect(done).toMatchObject({ files: 2, hasSecret: true });
  expect(readdirSync(join(place.data, "scratch"))).toEqual([]);

  const back = placeIn(join(temporaryFolder(), "new"));
  expect(await restore(back, out)).toMatchObject({ files: 2 });
  expect(readFileSync(join(back.data, "secret"), "utf8")).toBe("the secret");
});

it("leaves nothing where it is not taken, and makes no folder of nothing", async () => {
  const place = await aFolder();
  const gone = new Error("gone");
  await expect(backUpFor(place, () => Promise.reject(gone))).rejects.toBe(gone);
  expect(readdirSync(join(place.data, "scratch"))).toEqual([]);

  const empty = placeIn(join(temporaryFolder(), "none"));
  expect(await backUpFor(empty, async () => {})).toEqual({ refused: "missing", path: empty.data });
  expect(existsSync(empty.data)).toBe(false);
});
