import { createHash } from "node:crypto";
import { closeSync, openSync } from "node:fs";
import { open } from "node:fs/promises";
import { dirname } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setImmediate } from "node:timers/promises";
import { makeFolder } from "../../common/disk.ts";

/** A file that belongs into an archive. */
export interface ArchivedFile {
  /** Its path in the archive, with slashes. */
  readonly name: string;
  /** Where it is on this machine. */
  readonly path: string;
}

/** What is in an archive. */
export interface ArchiveSize {
  readonly files: number;
  readonly bytes: number;
}

/** It is no archive of ours, or not as it was written. */
export class ArchiveDamaged extends Error {
  override readonly name = "ArchiveDamaged";
}

/** Written at a place of its own in the file (`pragma application_id`), so that no other database is taken for one: "Reel". */
const APPLICATION_ID = 0x5265656c;

/** So much of a file is in memory at once, in bytes. */
const PART_BYTES = 4 * 1024 * 1024;

/**
 * Puts files into one new file, for its owner alone: a SQLite database, which can be checked by any tool that knows those. What has
 * gone meanwhile is left out. It is on the disk when this resolves.
 * @param path there is nothing yet
 * @throws the signal's reason
 */
export async function writeArchive(
  path: string,
  files: readonly ArchivedFile[],
  signal?: AbortSignal,
): Promise<ArchiveSize> {
  closeSync(openSync(path, "wx", 0o600));
  const archive = new DatabaseSync(path);
  try {
    // In memory, where nothing is kept of a file that grows: node:sqlite takes no "off", and writes a file beside it.
    archive.exec(`
      pragma journal_mode = memory;
      create table files (name text primary key, bytes integer not null, digest text not null) strict;
      create table parts (name text not null, number integer not null, data blob not null) strict;
      create unique index parts_in_order on parts (name, number);
      begin`);
    const addFile = archive.prepare("insert into files values (?, ?, ?)");
    const addPart = archive.prepare("insert into parts values (?, ?, ?)");
    const size = { files: 0, bytes: 0 };
    for (const file of files) {
      const source = await open(file.path).catch(unlessGone);
      if (!source) continue;
      await using reading = source;
      const hash = createHash("sha256");
      let bytes = 0;
      for (let number = 0; ; number++) {
        const { buffer, bytesRead } = await reading.read({ buffer: Buffer.alloc(PART_BYTES) });
        signal?.throwIfAborted();
        if (bytesRead === 0) break;
        const data = buffer.subarray(0, bytesRead);
        hash.update(data);
        addPart.run(file.name, number, data);
        bytes += bytesRead;
      }
      addFile.run(file.name, bytes, hash.digest("hex"));
      size.files += 1;
      size.bytes += bytes;
    }
    archive.exec("commit");
    // Last, as nothing is written in between: what was cut off is none.
    archive.exec(`pragma application_id = ${APPLICATION_ID}`);
    return size;
  } finally {
    archive.close();
    await flush(path);
  }
}

/**
 * Reads an archive from its beginning to its end.
 * @param toPath where a file goes; undefined: it is only checked. What is there is replaced
 * @param isMeant which of them are read; left out, all
 * @throws ArchiveDamaged where it is none, or a file in it is not what was put in; the signal's reason
 */
export async function readArchive(
  path: string,
  toPath: (name: string) => string | undefined = () => undefined,
  isMeant: (name: string) => boolean = () => true,
  signal?: AbortSignal,
): Promise<ArchiveSize> {
  const archive = openArchive(path);
  try {
    const size = { files: 0, bytes: 0 };
    const parts = archive.prepare("select data from parts where name = ? order by number");
    for (const { name, bytes, digest } of archive.prepare("select * from files order by name").iterate()) {
      if (!isMeant(String(name))) continue;
      const to = toPath(String(name));
      if (to !== undefined) makeFolder(dirname(to));
      await using file = to === undefined ? undefined : await open(to, "w", 0o600);
      const hash = createHash("sha256");
      for (const { data } of parts.iterate(String(name))) {
        if (!(data instanceof Uint8Array)) throw new ArchiveDamaged(String(name));
        hash.update(data);
        await file?.writeFile(data);
        // What is only checked would let nothing else go on, not even Ctrl-C.
        await setImmediate();
        signal?.throwIfAborted();
      }
      if (hash.digest("hex") !== digest) throw new ArchiveDamaged(String(name));
      await file?.sync();
      size.files += 1;
      size.bytes += Number(bytes);
    }
    return size;
  } catch (error) {
    throw isSqliteError(error) ? new ArchiveDamaged(path, { cause: error }) : error;
  } finally {
    archive.close();
  }
}

function openArchive(path: string): DatabaseSync {
  const archive = new DatabaseSync(path, { readOnly: true });
  try {
    const id = archive.prepare("pragma application_id").get()?.["application_id"];
    if (id === APPLICATION_ID) return archive;
    throw new ArchiveDamaged(path);
  } catch (error) {
    archive.close();
    throw isSqliteError(error) ? new ArchiveDamaged(path, { cause: error }) : error;
  }
}

async function flush(path: string): Promise<void> {
  await using file = await open(path, "r+");
  await file.sync();
}

function unlessGone(error: unknown): undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOENT") return undefined;
  throw error;
}

const isSqliteError = (error: unknown) => error instanceof Error && "errcode" in error;
