import {
  type DatabaseConnection,
  type Driver,
  SqliteAdapter,
  SqliteDialect,
  type SqliteDialectConfig,
  SqliteDriver,
} from "kysely";

/** How what was committed becomes durable. */
export interface GroupCommitConfig extends SqliteDialectConfig {
  /** Changes that were ever made over this connection; grows. */
  readonly changes: () => number;
  /** Resolves when everything that was committed before the call survives a power cut. */
  readonly sync: () => Promise<void>;
}

/**
 * SQLite whose writes are durable when their promises resolve, as with `synchronous = full`, but without the process
 * standing still for each of them where many come at once: who commits while the disk is at work shares the next round.
 * One connection; who wants it waits in line.
 */
export class GroupCommitDialect extends SqliteDialect {
  readonly #config: GroupCommitConfig;

  constructor(config: GroupCommitConfig) {
    super(config);
    this.#config = config;
  }

  override createDriver(): Driver {
    return new GroupCommitDriver(this.#config);
  }

  override createAdapter(): SqliteAdapter {
    return new SelfQueuedAdapter();
  }
}

/** Kysely's own queue would keep everybody waiting until the one before is on disk. */
class SelfQueuedAdapter extends SqliteAdapter {
  override get supportsMultipleConnections(): boolean {
    return true;
  }
}

class GroupCommitDriver extends SqliteDriver {
  readonly #config: GroupCommitConfig;
  /** Resolves when the last in line gives the connection back. */
  #line: Promise<void> = Promise.resolve();
  #leave = () => {};
  #changes = 0;
  /** Commits so far, and those of them that are durable. */
  #committed = 0;
  #durable = 0;
  #syncing: Promise<void> | undefined;

  constructor(config: GroupCommitConfig) {
    super(config);
    this.#config = config;
  }

  override async acquireConnection(): Promise<DatabaseConnection> {
    const before = this.#line;
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#line = promise;
    await before;
    this.#leave = resolve;
    return super.acquireConnection();
  }

  override async releaseConnection(): Promise<void> {
    const changes = this.#config.changes();
    const mine = changes === this.#changes ? 0 : ++this.#committed;
    this.#changes = changes;
    this.#leave();
    while (this.#durable < mine) await (this.#syncing ??= this.#sync());
  }

  async #sync(): Promise<void> {
    // What is committed while it runs may have come too late for it.
    const committed = this.#committed;
    try {
      await this.#config.sync();
      this.#durable = committed;
    } finally {
      this.#syncing = undefined;
    }
  }
}
