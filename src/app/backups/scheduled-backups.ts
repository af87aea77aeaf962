import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { asDiskError } from "../../common/disk.ts";
import { ReelayError } from "../../common/errors.ts";
import type { SharedMemory } from "../../common/memory.ts";
import { lookAgain } from "../../common/time.ts";
import { locked } from "../../infrastructure/storage/scratch.ts";
import { asStorageError } from "../../infrastructure/storage/stored-file.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import type { BackupDone, BackupRefused } from "../../seam/surface/runtime.ts";
import type { BackupConfig } from "../settings/upkeep.ts";
import { backupName, isLeft, isOurs } from "./names.ts";
import { BACKUP_STATE, type BackupState } from "./state.ts";
import { isBackupDue } from "./times.ts";

/** How often is looked, in milliseconds. */
const LOOK_EVERY_MS = 60_000;

/** For how long a backup is whose who took it and shows nothing more, in milliseconds; it is shown at each third of that. */
const TAKEN_MS = 15 * 60_000;

/** The pause after a failure, in milliseconds; whoever starts does not wait for it. */
const AGAIN_MS = 30 * 60_000;

/** What scheduled backups work with. */
interface ScheduledBackupsParts extends BackupConfig {
  /** What is known of them, by every process. */
  readonly memory: SharedMemory;
  /** A file that whoever makes one has locked: where it is free, whoever took the last one was killed. */
  readonly lock: string;
  /** Makes one, and reads it back whole. */
  readonly backUp: (to: string, signal: AbortSignal) => Promise<BackupDone | BackupRefused>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly log: Logger;
}

/** Makes backups when they are due: of several processes one makes each. */
export class ScheduledBackups {
  readonly #parts: ScheduledBackupsParts;
  readonly #stop = new AbortController();
  #loop = Promise.resolve();
  #hasLooked = false;

  constructor(parts: ScheduledBackupsParts) {
    this.#parts = parts;
  }

  start(): void {
    const look = () =>
      this.look().catch((err: unknown) =>
        this.#parts.log.error({ err }, "Whether a backup is due could not be read"),
      );
    this.#loop = lookAgain(look, LOOK_EVERY_MS, this.#stop.signal);
  }

  /** What is under way is broken off: it is made anew after the next start. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await this.#loop;
  }

  /** Makes a backup if one is due and nobody else makes it. */
  async look(): Promise<void> {
    const { lock: path, memory, now } = this.#parts;
    const at = now();
    const isDue = this.#isDue((await memory.get<BackupState>(BACKUP_STATE)) ?? {}, at);
    const lock = isDue ? locked(path) : undefined;
    try {
      const isOurs = isDue && (await this.#take(at, lock !== undefined));
      this.#hasLooked = true;
      if (isOurs) await this.#makeTaken(at);
    } finally {
      lock?.close();
    }
  }

  async #makeTaken(at: number): Promise<void> {
    const { log, now } = this.#parts;
    const shown = setInterval(() => void this.#show().catch(() => undefined), TAKEN_MS / 3);
    try {
      const { bytes } = await this.#make(at);
      await this.#change(() => ({ madeAt: at }));
      log.info({ bytes }, "A backup was made and read back whole");
    } catch (err) {
      const isStopped = this.#stop.signal.aborted;
      // Whoever looks next makes it.
      const after = (before: BackupState) =>
        isStopped ? left(before) : { ...left(before), ...failedAt(now(), err) };
      await this.#change(after);
      if (!isStopped) log.error({ err }, "A backup could not be made; those before it are kept");
    } finally {
      clearInterval(shown);
    }
  }

  async #make(at: number): Promise<BackupDone> {
    const { folder, backUp } = this.#parts;
    // A drive that is away is not to be taken for an empty folder of this machine's own disk.
    await stat(folder);
    for (const name of await this.#named(isLeft)) await rm(join(folder, name), { force: true });
    const done = await backUp(join(folder, backupName(at)), this.#stop.signal);
    if ("refused" in done) throw new Refused(done.refused);
    await this.#removeOldest();
    return done;
  }

  /** Only after a new one was read back. */
  async #removeOldest(): Promise<void> {
    const { folder, keep } = this.#parts;
    const names = (await this.#named(isOurs)).toSorted();
    for (const name of names.slice(0, Math.max(0, names.length - keep))) await rm(join(folder, name));
  }

  async #named(isMeant: (name: string) => boolean): Promise<string[]> {
    return (await readdir(this.#parts.folder)).filter(isMeant);
  }

  /**
   * @param isLocked whether this process has the lock: without it, only what whoever has it shows no more is taken over
   * @returns whether this process is to make it
   */
  async #take(at: number, isLocked: boolean): Promise<boolean> {
    let isOurs = false;
    await this.#change((before) => {
      const { takenUntil } = before;
      const isShown = takenUntil === undefined || (takenUntil > at && takenUntil - at <= TAKEN_MS);
      isOurs = (isLocked || !isShown) && this.#isDue(before, at);
      return isOurs ? { ...before, takenUntil: at + TAKEN_MS } : undefined;
    });
    return isOurs;
  }

  #isDue({ madeAt, failed }: BackupState, at: number): boolean {
    // What it failed of may have been mended before the start.
    const isPausing = this.#hasLooked && failed !== undefined && Math.abs(at - failed.at) < AGAIN_MS;
    return !isPausing && isBackupDue(this.#parts.times, madeAt, at);
  }

  /** That it is still made. */
  #show(): Promise<void> {
    const { now } = this.#parts;
    return this.#change((before) => ({ ...before, takenUntil: now() + TAKEN_MS }));
  }

  #change(change: (before: BackupState) => BackupState | undefined): Promise<void> {
    return this.#parts.memory.change<BackupState>(BACKUP_STATE, (before = {}) => change(before));
  }
}

/** Taken by nobody any more. */
function left({ madeAt, failed }: BackupState): BackupState {
  return { ...(madeAt !== undefined && { madeAt }), ...(failed && { failed }) };
}

/** A backup that may not be made as the settings want it. */
class Refused extends Error {
  override readonly name = "Refused";
  /** Why, in a word. */
  readonly code: BackupRefused["refused"];

  constructor(code: BackupRefused["refused"]) {
    super(`It is refused: ${code}`);
    this.code = code;
  }
}

/** @param error in its own words only what the system calls it: paths are nobody's business */
function failedAt(at: number, error: unknown): Pick<BackupState, "failed"> {
  const told = asDiskError(asStorageError(error));
  if (told instanceof ReelayError) return { failed: { at, reason: String(told.params["reason"]) } };
  const code = error instanceof Error && "code" in error ? String(error.code) : "error";
  return { failed: { at, reason: code } };
}
