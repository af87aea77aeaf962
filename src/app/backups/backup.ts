import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readdir, readFile, rename, rm, rmdir } from "node:fs/promises";
import { dirname, join, relative, resolve, sep } from "node:path";
import { endUnsent } from "../../domain/jobs/restored.ts";
import { ReelayError } from "../../common/errors.ts";
import { ARRIVED, PRESSED } from "../../common/memory.ts";
import {
  ArchiveDamaged,
  type ArchivedFile,
  type ArchiveSize,
  readArchive,
  writeArchive,
} from "../../infrastructure/storage/archive.ts";
import { copyDatabase } from "../../infrastructure/storage/copying/copy.ts";
import { type Database, openDatabase } from "../../infrastructure/storage/database.ts";
import { isReallyWithin, makeFolder, realPath, requireWritable } from "../../common/disk.ts";
import { memory } from "../../infrastructure/storage/key-value.ts";
import { markIn } from "../../infrastructure/storage/moving/finish.ts";
import {
  movingAlone,
  movingLockOf,
  refuseBereft,
  refuseMoved,
  removeUnfinished,
  unfinishedAt,
} from "../../infrastructure/storage/moving/in-charge.ts";
import { openScratch } from "../../infrastructure/storage/scratch.ts";
import { asKeptError } from "../../infrastructure/storage/stored-file.ts";
import { makeLogger } from "../../infrastructure/telemetry/telemetry.ts";
import { openVault, secretPath } from "../../infrastructure/vault/open.ts";
import { clearDrafts, emptiness, isDraftOf, refuseEmpty } from "../../infrastructure/vault/secrets.ts";
import type { Vault } from "../../infrastructure/vault/vault.ts";
import { CHATS } from "../../seam/values.ts";
import type { BackupDone, BackupRefused, RestoreDone } from "../../seam/surface/runtime.ts";
import { sealedMemory } from "../../seam/surface/sealed-memory.ts";
import { currentTime } from "../../common/time.ts";
import { forgetPlace, lastPlace, placeIn } from "../places/files.ts";
import { type FilesIn, type FilesPlace, IN_DATA } from "../settings/files.ts";
import { TEST_FOLDER } from "../test-mode/settings.ts";
import { LISTENING } from "../settings/listening-file.ts";
import { linkedIn } from "./linked.ts";
import { backingUpAlone, type BackupPaths, clearDead } from "./under-way.ts";

/** The database's name in every backup, wherever it is on this machine. */
const DATABASE = "reelay.db";

const isDatabase = (name: string) => name === DATABASE;

/** The other one: of test tokens. */
const TESTS = `${TEST_FOLDER}/${DATABASE}`;

/** Folders that are made anew when they are missing, and hold nothing worth keeping: here, and among what is of test tokens. */
const LEFT_OUT = /^(?:scratch|sandbox(?:-\d+)?)$/;

/**
 * Whether a file is worth keeping: another server listens somewhere else, and what a killed process left beside the secret is a draft.
 * Earlier backups have them.
 */
const isKept = (name: string) => name !== LISTENING && !isDraftOf("secret", name);

/** How long a platform may hand on the same again, at most, in milliseconds. */
const KEPT_MS = 7 * 24 * 3_600_000;

/** Where what is kept is. */
export interface KeptAt {
  /** The data folder, absolute. */
  readonly data: string;
  /** The SQLite file, absolute. */
  readonly store: string;
  /** What stands in `REELAY_SECRET`; undefined: the secret is in the data folder. */
  readonly secret?: string | undefined;
  /** Set where a server of PostgreSQL is used instead. */
  readonly postgres?: string | undefined;
  /** Where files are kept; left out: in the data folder. */
  readonly files?: FilesPlace | undefined;
}

/**
 * Writes everything in the data folder to one file, also while a server runs: the database as it is at one moment, then the files.
 * It gets its name once it was read back whole.
 * @param to a path where nothing is, absolute
 * @param signal ends it: nothing is left of it then
 * @throws ReelayError `storage_down` where the database cannot be read, ConfigError where it is not in charge, or was to come and did not,
 * and where the secret of its keys is gone;
 * what SQLite and the system say where nothing can be written; the signal's reason
 */
export async function backUp(
  kept: KeptAt,
  to: string,
  signal?: AbortSignal,
): Promise<BackupDone | BackupRefused> {
  const refused = nothingToBackUp(kept);
  if (refused) return refused;
  // A link of that name would be replaced.
  if (isReallyWithin(kept.data, dirname(to))) return { refused: "inside", path: to };
  return writeAlone(kept, to, signal);
}

/**
 * Writes the same to a file that goes once it was taken from there: in a folder of the data folder that no backup has, so that it takes no
 * other place that can be written.
 * @throws as {@link backUp}; what taking it throws
 */
export async function backUpFor(
  kept: KeptAt,
  take: (path: string) => Promise<void>,
  signal?: AbortSignal,
): Promise<BackupDone | BackupRefused> {
  const refused = nothingToBackUp(kept);
  if (refused) return refused;
  const scratch = await openScratch(join(kept.data, "scratch"));
  try {
    const path = join(scratch.folder, "reelay.backup");
    const done = await writeAlone(kept, path, signal);
    if (!("refused" in done)) await take(path);
    return done;
  } finally {
    await scratch.close();
  }
}

/** Why there is nothing to back up. @throws ConfigError as {@link backUp} */
function nothingToBackUp({ data, store, postgres }: KeptAt): BackupRefused | undefined {
  if (postgres !== undefined) return { refused: "postgres", path: data };
  refuseBereft({ data, store });
  return existsSync(store) ? undefined : { refused: "missing", path: data };
}

async function writeAlone(
  { data, store, secret }: KeptAt,
  to: string,
  signal?: AbortSignal,
): Promise<BackupDone | BackupRefused> {
  if (secret === undefined) refuseEmpty(secretPath(data));
  await clearDead(dirname(to));
  const wasThere = existsSync(to);
  const done = await backingUpAlone(to, async (paths) =>
    // Another one of that name was made meanwhile: nobody has asked for that to be replaced.
    wasThere || !existsSync(to) ? write({ data, store }, paths, to, signal) : undefined,
  );
  return done ?? { refused: "under_way", path: to };
}

/** Writes a backup while nobody else writes one of that name. */
async function write(
  { data, store }: KeptAt,
  { unfinished, database, tests }: BackupPaths,
  to: string,
  signal?: AbortSignal,
): Promise<BackupDone> {
  // First: what is in the files is then at least what the database knows of.
  await copyWritable({ data, store }, database, signal);
  // Whoever goes back to one that everything was moved away from could do nothing with it.
  refuseMoved(`sqlite:${store}`, await markIn(database));
  const hasTests = existsSync(join(data, TESTS));
  if (hasTests) await copyDatabase(join(data, TESTS), tests, signal);
  const files = await filesIn(data, store);
  const databases = [{ name: DATABASE, path: database }, ...(hasTests ? [{ name: TESTS, path: tests }] : [])];
  await writeArchive(unfinished, [...databases, ...files], signal);
  const size = await readArchive(unfinished, undefined, undefined, signal);
  await rename(unfinished, to);
  return { ...size, hasSecret: files.some(isSecret) };
}

/** What shares the log of a database is beside it: where that cannot be made, not even reading goes. */
async function copyWritable({ data, store }: KeptAt, to: string, signal?: AbortSignal): Promise<void> {
  try {
    await copyDatabase(store, to, signal);
  } catch (error) {
    signal?.throwIfAborted();
    requireWritable(data, [dirname(store)]);
    throw error;
  }
}

/**
 * What {@link backUp} and {@link restore} throw, as a refusal where the disk does not take what they write.
 * @param path what they write
 * @param folder the folder that it is in
 */
export function orUnwritten(path: string, folder = dirname(path)) {
  return (error: unknown): BackupRefused => {
    const told = error instanceof ReelayError ? error : asKeptError(error, folder);
    if (told === error) throw error;
    return { refused: "unwritten", path };
  };
}

/**
 * Makes a data folder of a backup. The database gets its name last: killed before, the same can be done once more, and until then nothing
 * is begun there.
 *
 * What had not been sent when the backup was made may have been sent since, so it ends and its person is told; see
 * {@link endUnsent}.
 */
export async function restore(
  { data, store, secret, postgres, files }: KeptAt & { readonly secret: string | undefined },
  from: string,
): Promise<RestoreDone | BackupRefused> {
  if (postgres !== undefined) return { refused: "postgres", path: data };
  if (isTaken(store)) return { refused: "in_use", path: data };
  let size: ArchiveSize;
  try {
    // Whole, before anything is written.
    size = await readArchive(from, (name) => void placeOf(data, name), isKept);
    if ((await readArchive(from, undefined, isDatabase)).files === 0) throw new ArchiveDamaged(from);
  } catch (error) {
    if (error instanceof ArchiveDamaged) return { refused: "damaged", path: from };
    throw error;
  }
  const isNew = !existsSync(data);
  for (const folder of [data, dirname(store)]) makeFolder(folder);
  const done = await movingAlone(store, () => putBack({ data, store, secret, files }, from));
  if (!done) return { refused: "under_way", path: data };
  if (!("refused" in done)) return { ...size, ...done };
  if (isNew && done.refused === "moved") await rmdir(data);
  return done;
}

/** A log without its database would be taken for that of the next one. */
const isTaken = (store: string) => [store, `${store}-wal`].some((path) => existsSync(path));

/** Writes a backup that was read whole to a data folder, while nobody else does. */
async function putBack(
  { data, store, secret, files = { folder: data } }: KeptAt & { readonly secret: string | undefined },
  from: string,
): Promise<Pick<RestoreDone, "ended" | "filesAt"> | BackupRefused> {
  // Somebody else's may just have come to its end.
  if (isTaken(store)) return { refused: "in_use", path: data };
  // Nobody else writes there now: each of them a killed one has left.
  await clearDrafts(secretPath(data), Infinity);
  if (await isAnotherSecret(data, from)) return { refused: "secret_in_use", path: secretPath(data) };
  const unfinished = unfinishedAt(store);
  await removeUnfinished(store);
  // First: as long as it has that name, nobody takes what is here for everything that there is.
  await readArchive(from, () => unfinished, isDatabase);
  const mark = await markIn(unfinished);
  if (mark && mark.state !== "here") {
    await removeUnfinished(store);
    return { refused: "moved", path: from, place: mark.place };
  }
  await readArchive(
    from,
    (name) => placeOf(data, name),
    (name) => isKept(name) && !isDatabase(name),
  );
  // Such a file was backed up before that was refused: there is nothing in it to go on with.
  if (emptiness(secretPath(data)) === "empty") await rm(secretPath(data));
  const database = await openDatabase(unfinished);
  let ended: number;
  let filesAt: string | undefined;
  try {
    filesAt = await placeLeft(database, { data, files });
    ended = await endUnsent(database, currentTime());
    await endArrived(database, await openVault({ secret, data }, database, makeLogger({ level: "silent" })));
  } finally {
    await database.close();
  }
  await rename(unfinished, store);
  return { ended, ...(filesAt !== undefined && { filesAt }) };
}

/**
 * Where files were kept outside of the data folder, unless that is where the settings keep them: it may be another machine's, so that what is
 * set here holds.
 */
async function placeLeft(database: Database, here: FilesIn): Promise<string | undefined> {
  const before = await lastPlace(database);
  if (before === undefined || before === IN_DATA || before === placeIn(here)) return undefined;
  await forgetPlace(database);
  return before;
}

/**
 * Whether there is a secret that the one of a backup would overwrite: keys may be stored under it elsewhere. What a killed restore wrote is
 * none.
 */
async function isAnotherSecret(data: string, from: string): Promise<boolean> {
  const path = secretPath(data);
  if (!existsSync(path) || emptiness(path) === "empty") return false;
  if (emptiness(path) === "a folder") return true;
  const coming = `${path}.${randomUUID()}`;
  try {
    const { files } = await readArchive(
      from,
      () => coming,
      (name) => name === "secret",
    );
    if (files === 0) return false;
    const [here, there] = await Promise.all([path, coming].map((one) => readFile(one, "utf8")));
    return !there?.startsWith(here ?? "");
  } finally {
    await rm(coming, { force: true });
  }
}

/** What somebody said or pressed just then was dealt with since; what was done before stays done. */
async function endArrived(database: Database, vault: Vault): Promise<void> {
  // Where what arrives is kept until it is dealt with.
  const inboxes = CHATS.map((chat) => sealedMemory(database, vault, chat));
  for (const inbox of [...inboxes, memory(database, "web")]) {
    for (const prefix of [ARRIVED, PRESSED])
      for (const [key, arrived] of await inbox.entries(prefix))
        if (arrived !== null) await inbox.set(key, null, KEPT_MS);
  }
}

/** Whether a file is that of the secret, and has one. */
const isSecret = ({ name, path }: ArchivedFile) => name === "secret" && emptiness(path) === undefined;

/** Every file below the data folder but the databases, also one that is not in use, and those beside them; with what is there by links. */
async function filesIn(data: string, store: string): Promise<ArchivedFile[]> {
  const root = realPath(data);
  const databases = new Set([store, movingLockOf(store)].map((path) => realPath(path)));
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  const files = entries.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name);
    const name = relative(root, path).split(sep).join("/");
    const [top = "", inner = ""] = name.split("/");
    const isLeftOut =
      LEFT_OUT.test(top === TEST_FOLDER ? inner : top) || name === TESTS || isDatabase(name) || !isKept(name);
    const isOurs = entry.isFile() && !isLeftOut && !/-(wal|shm|journal)$/.test(name);
    return isOurs && !databases.has(path) ? [{ name, path }] : [];
  });
  return [...files, ...(await linkedIn(root))];
}

/** @throws ArchiveDamaged for a name that leads out of the folder */
function placeOf(data: string, name: string): string {
  const path = resolve(data, name);
  if (path.startsWith(resolve(data) + sep)) return path;
  throw new ArchiveDamaged(name);
}
