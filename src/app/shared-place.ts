import { randomUUID } from "node:crypto";
import { readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigError } from "../common/config-error.ts";
import { LEASE_ACROSS_MACHINES_MS } from "../domain/jobs/submission/lease.ts";
import { sleep } from "../common/time.ts";
import type { Database } from "../infrastructure/storage/database.ts";
import { dialectOf } from "../infrastructure/storage/dialect.ts";
import { memory } from "../infrastructure/storage/key-value.ts";
import type { FileStore } from "../infrastructure/media/files/files.ts";
import { keepInSight, rememberFirst } from "./places/files.ts";
import type { FilesIn, FilesPlace } from "./settings/files.ts";

/** The file of a folder that says which it is, by whatever path it is reached. */
const NAME = "place";

/**
 * Makes sure that this node keeps files where the others do: what one is given, another one sends. Once nobody runs any more, the
 * next one may keep them elsewhere, to which they were copied.
 * @param store the place of the settings
 * @throws ConfigError for another place than that of the nodes that run, and as `keepInSight`
 */
export async function checkPlace(
  settings: FilesIn,
  database: Database,
  store: Pick<FileStore, "room">,
): Promise<void> {
  // Whoever shares a file of SQLite shares its folder, too: a look when it was opened was enough.
  if (dialectOf(database.kysely).hasFiles) return;
  const { files } = settings;
  const [place, forget] = await nameOf(files);
  const kept = memory(database, "files-place");
  // By whatever path it is reached here.
  if ((await kept.get(NAME)) === place) return rememberFirst(database, settings);
  const agreed = await kept.once(NAME, () => place);
  if (agreed === place || !(await somebodyRuns(database))) {
    await keepInSight(database, settings, store).catch(async (error: unknown) => {
      await forget();
      throw error;
    });
    return kept.set(NAME, place);
  }
  await forget();
  const found = "bucket" in files ? place : JSON.stringify(`file:${files.folder}`);
  throw new ConfigError([
    {
      setting: "REELAY_FILES",
      found: `${found}, while other nodes keep files elsewhere`,
      wanted: "the same bucket or shared folder on all nodes; see docs/scale.md",
    },
  ]);
}

/** What a place is called, and what takes that back where it was called so only now. */
async function nameOf(files: FilesPlace): Promise<readonly [name: string, forget: () => Promise<void>]> {
  // One bucket may have several addresses.
  if ("bucket" in files) return [`s3://${files.bucket.bucket}/${files.bucket.prefix}`, async () => {}];
  const path = join(files.folder, NAME);
  const name = randomUUID();
  try {
    await writeFile(path, name, { flag: "wx", mode: 0o600 });
    return [name, () => rm(path, { force: true })];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
    // Whoever has made it may still be writing.
    let known = await readFile(path, "utf8");
    for (let tries = 0; known.length < name.length && tries < 50; tries += 1) {
      await sleep(100);
      known = await readFile(path, "utf8");
    }
    return [known, async () => {}];
  }
}

async function somebodyRuns({ kysely }: Database): Promise<boolean> {
  const now = await dialectOf(kysely).now(kysely);
  const alive = await kysely
    .selectFrom("runners")
    .select("id")
    .where("beat_at", ">", now - LEASE_ACROSS_MACHINES_MS)
    .limit(1)
    .executeTakeFirst();
  return alive !== undefined;
}
