import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { ReelayError } from "../../../common/errors.ts";
import { type Change, changeOf, type ReadCache } from "../read-cache.ts";

/** Errors that say that the server, or the way to it, is not as it should be: by their class, or by the system's name for them. */
const DOWN = /^(?:08|53|57P|58|XX|E[A-Z]{3,}$)/;

/** Connections whose every change what is kept in mind hears of. */
export class WatchedPool implements PostgresPool {
  readonly #pool: PostgresPool;
  readonly #reads: ReadCache;
  /** Kysely knows a connection by its object. */
  readonly #watched = new WeakMap<PostgresPoolClient, PostgresPoolClient>();

  constructor(pool: PostgresPool, reads: ReadCache) {
    this.#pool = pool;
    this.#reads = reads;
  }

  get options(): object {
    return this.#pool.options;
  }

  async connect(): Promise<PostgresPoolClient> {
    const client = await this.#pool.connect().catch((error: unknown) => {
      throw asStorageError(error);
    });
    const watched = this.#watched.get(client) ?? watch(client, this.#reads);
    this.#watched.set(client, watched);
    return watched;
  }

  end(): Promise<void> {
    return this.#pool.end();
  }
}

function watch(client: PostgresPoolClient, reads: ReadCache): PostgresPoolClient {
  /** What was changed since it began, or by single statements before: told again once it is committed. */
  let changes: { readonly change: Change; readonly values: readonly unknown[] }[] = [];
  async function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const change = changeOf(text);
    try {
      return await client.query<R>(text, values);
    } catch (error) {
      throw asStorageError(error);
    } finally {
      if (change) {
        reads.changed(change, values);
        changes.push({ change, values });
      } else if (/^(?:begin|start|commit|rollback)/.test(text)) {
        if (text === "commit") for (const one of changes) reads.changed(one.change, one.values);
        changes = [];
      }
    }
  }
  return { query: query as PostgresPoolClient["query"], release: (destroy) => client.release(destroy) };
}

/** What went wrong with a statement: `storage_down` where that is the server's doing, else as it was. */
function asStorageError(error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  return DOWN.test(code)
    ? new ReelayError("storage_down", { reason: "it cannot be reached" }, { cause: error })
    : error;
}
