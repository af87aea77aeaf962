import type { FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Database } from "../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "./sandbox.ts";
import { testDatabase } from "./database.ts";

/** How our own data folder fails. */
export const FOLDER_FAULTS = ["locked by another process", "the disk does not keep what is written"] as const;

/** One of them. */
export type FolderFault = (typeof FOLDER_FAULTS)[number];

/** A data folder that fails from when it is told to, once, until it is mended. `await using` closes what it opened. */
export class FailingFolder implements AsyncDisposable {
  readonly #isLock: boolean;
  readonly #opened = new AsyncDisposableStack();
  readonly #waiting = Promise.withResolvers<unknown>();
  #other: DatabaseSync | undefined;
  #isBroken = false;

  constructor(fault: FolderFault) {
    this.#isLock = fault === FOLDER_FAULTS[0];
  }

  /** Makes what a database's log holds survive a power cut, or fails to; see `openDatabase`. */
  readonly sync = async (log: FileHandle): Promise<void> => {
    if (this.#isBroken) throw new Error("EIO: i/o error, fdatasync");
    await log.datasync();
  };

  /** Opens a database of its own in it. */
  async open(): Promise<Database> {
    const database = await testDatabase(join(temporaryFolder(), "reelay.db"), this.sync);
    this.#opened.defer(() => database.close());
    await this.hold(database);
    return database;
  }

  /** Takes a database for the one in it that was opened with its {@link sync}. */
  async hold({ kysely, keeper }: Pick<Database, "kysely" | "keeper">): Promise<void> {
    // Waiting for a lock stops everything that goes on in this process.
    await sql`pragma busy_timeout = 20`.execute(kysely);
    const { rows } = await sql<{ readonly file: string }>`pragma database_list`.execute(kysely);
    const other = new DatabaseSync(rows[0]?.file ?? "", { timeout: 0 });
    this.#opened.defer(() => other.close());
    this.#other = other;
    keeper.onWaiting(this.#waiting.resolve);
  }

  /** Fails from now on. */
  async fail(): Promise<void> {
    if (!this.#isLock) this.#isBroken = true;
    // A transaction may be going on.
    else while (!this.#lock()) await sleep(1);
  }

  mend(): void {
    this.#isBroken = false;
    if (this.#other?.isTransaction) this.#other.exec("rollback");
  }

  /**
   * Mends it as soon as something waits to be written again, or what would have it written is over.
   * @returns what that comes to
   */
  async mendOnceWaitedFor<T>(over: Promise<T>): Promise<T> {
    await Promise.race([this.#waiting.promise, over.catch(() => undefined)]);
    this.mend();
    return over;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#opened.disposeAsync();
  }

  #lock(): boolean {
    try {
      this.#other?.exec("begin immediate");
      return true;
    } catch {
      return false;
    }
  }
}
