import type { PostgresPool, PostgresPoolClient, PostgresQueryResult } from "kysely";
import { ReelayError } from "../../../common/errors.ts";
import { type Change, changeOf, type ReadCache } from "../read-cache.ts";

/**
 * Errors that say that the server, or the way to it, is not as it should be: by their class, or by the system's name for them. A
 * server that became a standby writes nothing, and a transaction that was given up, because it stood still, because it and others waited
 * for each other, or for too long, can be done once more.
 */
const DOWN = /^(?:08|25006|25P03|40P01|53|55P03|57014|57P|58|XX|E[A-Z]{3,}$)/;

/** What the driver says of a connection that is of no use any more, without a code: it may still wait for an answer. */
const LOST = /terminated|timeout|timed out|not queryable/i;

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
  /** What was changed in the transaction that is open. */
  let changes: { readonly change: Change; readonly values: readonly unknown[] }[] = [];
  let isInTransaction = false;
  let isLost = false;
  async function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>> {
    const change = changeOf(text);
    try {
      return await client.query<R>(text, values);
    } catch (error) {
      isLost ||= isLostBy(error);
      throw asStorageError(error);
    } finally {
      if (change) {
        reads.changed(change, values);
        if (isInTransaction) changes.push({ change, values });
        else reads.tell(change, values);
      } else if (/^(?:begin|start|commit|rollback)/.test(text)) {
        // Others read what was before for as long as it was not committed; whoever did here kept that.
        if (text === "commit")
          for (const one of changes) {
            reads.changed(one.change, one.values);
            reads.tell(one.change, one.values);
          }
        changes = [];
        isInTransaction = /^(?:begin|start)/.test(text);
      }
    }
  }
  return {
    query: query as PostgresPoolClient["query"],
    release: (destroy) => client.release(destroy || isLost),
  };
}

/** What went wrong with a statement: `storage_down` where that is the server's doing, else as it was. */
function asStorageError(error: unknown): unknown {
  return isLostBy(error) || DOWN.test(codeOf(error))
    ? new ReelayError("storage_down", { reason: "it cannot be reached" }, { cause: error })
    : error;
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? String(error.code) : "");

const isLostBy = (error: unknown) =>
  error instanceof Error && codeOf(error) === "" && LOST.test(error.message);
