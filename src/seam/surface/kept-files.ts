import type { Readable } from "node:stream";
import type { MediaFiles } from "../../infrastructure/media/files/files.ts";
import type { SurfaceHost } from "./host.ts";
import type { JobAccess } from "../access/jobs.ts";
import type { Memory } from "../../common/memory.ts";
import { mediaIn, type UserId } from "../values.ts";
import { currentTime } from "../../common/time.ts";

const KEPT = "draft-file:";
const keptKey = (owner: UserId, file: string) => `${KEPT}${owner}:${file}`;

/** Jobs read at once. */
const PAGE = 200;

/** A file in the data folder that is somebody's. */
interface KeptFile {
  readonly key: string;
  readonly owner: UserId;
  readonly file: string;
  /** Since when, in milliseconds since 1970. */
  readonly at: number;
}

/** Notes a file in the data folder as somebody's: jobs that are asked for again need it until they are forgotten. */
export async function noteFile(memory: Memory, owner: UserId, file: string): Promise<void> {
  await memory.set(keptKey(owner, file), currentTime());
}

/** Keeps a file as somebody's. @throws ReelayError as `MediaFiles.put` */
export async function keepFile(
  { host, memory }: { readonly host: Pick<SurfaceHost, "files">; readonly memory: Memory },
  owner: UserId,
  source: Readable,
  maxBytes: number,
): Promise<{ id: string; bytes: number }> {
  // Noted before it is there: who erases the same meanwhile leaves it.
  return host.files.put(source, maxBytes, (id) => noteFile(memory, owner, id));
}

/** Where it is noted in whose conversations on the page a file is. */
export const ownersKey = (file: string) => `file:${file}`;

/**
 * Whether a file is anybody's on a platform: erased there, it may be on another one, and once only in the data folder.
 * @param memory the platform's
 */
export async function isKept(memory: Memory, file: string): Promise<boolean> {
  const owners = (await memory.get<readonly UserId[]>(ownersKey(file))) ?? [];
  return owners.length > 0 || (await keptFiles(memory)).some((kept) => kept.file === file);
}

/** Every file that is anybody's on a platform. @param memory the platform's */
export async function filesKept(memory: Memory): Promise<readonly string[]> {
  const owned = await memory.entries<readonly UserId[]>(ownersKey(""));
  return [
    ...owned.flatMap(([key, owners]) => (owners.length > 0 ? [key.slice(ownersKey("").length)] : [])),
    ...(await keptFiles(memory)).map(({ file }) => file),
  ];
}

/** Erases every file that is somebody's, but those that are somebody else's as well. */
export async function forgetFiles(memory: Memory, files: MediaFiles, owner: UserId): Promise<void> {
  const kept = await keptFiles(memory);
  const theirs = kept.filter((one) => one.owner === owner);
  await erase(memory, files, kept, theirs);
}

/**
 * Erases the files that came before a time, but those that somebody still needs.
 * @param before milliseconds since 1970
 * @param neededBy the files that an owner's jobs and drafts are about
 */
export async function expireFiles(
  memory: Memory,
  files: MediaFiles,
  before: number,
  neededBy: (owner: UserId) => Promise<ReadonlySet<string>>,
): Promise<void> {
  const kept = await keptFiles(memory);
  const going: KeptFile[] = [];
  for (const [owner, theirs] of Map.groupBy(kept, (one) => one.owner)) {
    const old = theirs.filter(({ at }) => at < before);
    const needed = old.length > 0 ? await neededBy(owner) : new Set();
    going.push(...old.filter(({ file }) => !needed.has(file)));
  }
  await erase(memory, files, kept, going);
}

/** The ids of all files that somebody's jobs were made of. */
export async function filesInJobs(jobs: Pick<JobAccess, "list">, owner: UserId): Promise<Set<string>> {
  const found = new Set<string>();
  for (let before: string | undefined; ;) {
    const page = await jobs.list(owner, { before, limit: PAGE });
    for (const { values } of page)
      for (const value of Object.values(values)) for (const { id } of mediaIn(value)) found.add(id);
    if (page.length < PAGE) return found;
    before = page.at(-1)?.id;
  }
}

async function keptFiles(memory: Memory): Promise<readonly KeptFile[]> {
  return (await memory.entries<unknown>()).flatMap(([key, at]) => {
    if (!key.startsWith(KEPT)) return [];
    const end = key.lastIndexOf(":");
    const owner = key.slice(KEPT.length, end) as UserId;
    // Those that were noted before times were have none: the oldest of all.
    return { key, owner, file: key.slice(end + 1), at: typeof at === "number" ? at : 0 };
  });
}

async function erase(
  memory: Memory,
  files: MediaFiles,
  kept: readonly KeptFile[],
  going: readonly KeptFile[],
): Promise<void> {
  const gone = new Set(going);
  const staying = new Set(kept.filter((one) => !gone.has(one)).map(({ file }) => file));
  for (const { key, file } of going) {
    const forget = () => memory.delete(key);
    await (staying.has(file) ? forget() : files.remove(file, forget));
  }
}
