import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { link, open, readdir, readFile, rename, rm, stat } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { ConfigError } from "../../common/config-error.ts";
import type { Logger } from "../telemetry/telemetry.ts";

/** Where the secrets that encrypt come from. */
export interface Secrets {
  /** Newest first, at least one. */
  read(): Promise<readonly string[]>;
  /** Puts a new secret before the others, where that is ours to do. */
  renew(): Promise<void>;
  /** Drops all but the newest, where that is ours to do. */
  retire(): Promise<void>;
}

/** The shortest secret that may be set, in characters. */
const SHORTEST = 16;

/** Blanks and quotes around a secret, which files of settings and shells leave there. */
const AROUND = /^[\s"']+|[\s"']+$/g;

/**
 * The secrets of a setting, newest first: each without what is around it, then those that something is around as they stand, which an
 * earlier version encrypted under. One that would be too short without stays as it is.
 */
export function secretsOf(setting: string): readonly string[] {
  const parts = setting.split(",");
  const bare = parts.map((part) => part.replace(AROUND, ""));
  const secrets = bare.map((secret, nth) => (secret.length < SHORTEST ? (parts[nth] ?? "") : secret));
  return [...new Set([...secrets, ...parts])];
}

/** Whether each secret of a setting is long enough. */
export const areLongEnough = (setting: string) => setting.split(",").every((part) => part.length >= SHORTEST);

/** Secrets that the operator sets: `new,old` in `REELAY_SECRET`. Changing them is the operator's business. */
export function givenSecrets(setting: string): Secrets {
  const secrets = secretsOf(setting);
  return { read: async () => secrets, renew: async () => {}, retire: async () => {} };
}

/** What a disk that was full, or a power cut, leaves of a file. */
const NOTHING = /^[\s\0]*$/;

/** Why there is no secret in a file; undefined where there is one, and where no file is yet. */
export function emptiness(path: string): "empty" | "a folder" | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  if (!found) return undefined;
  if (found.isDirectory()) return "a folder";
  return NOTHING.test(readFileSync(path, "latin1")) ? "empty" : undefined;
}

/** @param path of the file of secrets @throws ConfigError where it is there without one: what was stored under it could not be read */
export function refuseEmpty(path: string): void {
  const why = emptiness(path);
  if (why === undefined) return;
  const found = `${path}, which is ${why}: it held the secret that stored keys are encrypted with`;
  const wanted =
    "that file as it was, which `reelay restore` of the last backup brings to another REELAY_DATA; or, to go on without what was stored under it, that to be removed: keys are connected again then";
  throw new ConfigError([{ setting: "REELAY_DATA", found, wanted }]);
}

/**
 * Secrets in a file, one a line, newest first. It is made when it is first read, for its owner alone.
 * @param path of the file; its folder exists
 * @param log is told when others can read the file
 */
export function secretsFile(path: string, log: Pick<Logger, "warn">): Secrets {
  const lines = async () => (await readFile(path, "utf8")).split(/\r?\n/).filter(Boolean);
  return {
    async read() {
      await make(path);
      // On Windows the mode says nothing about who may read.
      if (process.platform !== "win32" && (await stat(path)).mode & 0o077)
        log.warn({ path }, "The secret that encrypts stored keys can be read by others: chmod 600 it");
      return lines();
    },
    async renew() {
      await make(path);
      const secrets = [newSecret(), ...(await lines())];
      await withDraft(path, secrets, (draft) => rename(draft, path));
    },
    async retire() {
      await withDraft(path, (await lines()).slice(0, 1), (draft) => rename(draft, path));
    },
  };
}

const newSecret = () => randomBytes(32).toString("base64url");

/** Of two processes that start together, one makes the file and both read the same. */
async function make(path: string): Promise<void> {
  const known = await stat(path).catch(() => undefined);
  if (known) return;
  await withDraft(path, [newSecret()], async (draft) => {
    await link(draft, path).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== "EEXIST") throw error;
    });
  });
}

/** What is written beside the file of secrets for a moment. */
const DRAFT = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/** Whether a file's name is that of a draft of a file of secrets, which is in the same folder. */
export const isDraftOf = (secrets: string, name: string) =>
  name.startsWith(`${secrets}.`) && DRAFT.test(name.slice(secrets.length + 1));

/**
 * Removes the drafts beside a file of secrets that killed processes left there.
 * @param before milliseconds since 1970: what was written later another process may be writing still
 */
export async function clearDrafts(path: string, before: number): Promise<void> {
  const folder = dirname(path);
  const names = await readdir(folder).catch(() => []);
  for (const name of names.filter((one) => isDraftOf(basename(path), one))) {
    const draft = join(folder, name);
    const found = await stat(draft).catch(() => undefined);
    // Another user's cannot be removed, and is in nobody's way.
    if (found && found.mtimeMs < before) await rm(draft, { force: true }).catch(() => undefined);
  }
}

/** Writes the whole file beside its place, safe from a power cut, before `publish` puts it there. */
async function withDraft(
  path: string,
  secrets: readonly string[],
  publish: (draft: string) => Promise<void>,
): Promise<void> {
  const draft = `${path}.${randomUUID()}`;
  try {
    const file = await open(draft, "wx", 0o600);
    await file.writeFile(secrets.map((secret) => `${secret}\n`).join(""));
    await file.sync();
    await file.close();
    await publish(draft);
    // Windows keeps no list of a folder's names that could be synced.
    if (process.platform === "win32") return;
    const folder = await open(dirname(path));
    await folder.sync();
    await folder.close();
  } finally {
    await rm(draft, { force: true });
  }
}
