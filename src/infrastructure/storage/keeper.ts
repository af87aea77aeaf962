import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { ReelayError } from "../../common/errors.ts";
import { sleep } from "../../common/time.ts";
import { atomically } from "./exclusive.ts";
import type { DatabaseSchema } from "./schema.ts";

/** The pause before what could not be written is tried again, in milliseconds. */
const AGAIN_MS = 1_000;

/** Whether it was our own data folder that failed, which says nothing of what happened outside. */
export const isStorageDown = (error: unknown) =>
  error instanceof ReelayError && error.code === "storage_down";

/**
 * Writes down what has happened outside and cannot be undone there, such as a job that was accepted or a message that was
 * posted: again, until the data folder takes it. Until then whoever waits for it is who knows of it.
 */
export class Keeper {
  readonly #check: () => Promise<void>;
  readonly #leaving = new AbortController();
  readonly #listeners = new Set<(error: unknown) => void>();
  #waiting = 0;

  /** @param check whether anything can be written; however many ask, it is tried once a second at most */
  constructor(check: () => Promise<void>) {
    this.#check = check;
  }

  /**
   * Does what writes something until it is written; once in a process that leaves.
   * @param write is done again after `storage_down`: it must not matter that it was written all the same
   * @throws what `write` throws
   */
  async keep<T>(write: () => Promise<T>): Promise<T> {
    let isAgain = false;
    try {
      for (;;) {
        try {
          if (isAgain) await this.#check();
          return await write();
        } catch (error) {
          if (!isStorageDown(error) || this.#leaving.signal.aborted) throw error;
          if (!isAgain) this.#wait(error);
          isAgain = true;
          await sleep(AGAIN_MS, this.#leaving.signal).catch(() => undefined);
        }
      }
    } finally {
      if (isAgain) this.#waiting -= 1;
    }
  }

  /** Calls back when something begins to wait, where nothing did. */
  onWaiting(listener: (error: unknown) => void): void {
    this.#listeners.add(listener);
  }

  /** Ends all waiting, after a last try: what is not written then is settled by whoever takes over. */
  leave(): void {
    this.#leaving.abort();
  }

  #wait(error: unknown): void {
    if (this.#waiting === 0) for (const hear of this.#listeners) hear(error);
    this.#waiting += 1;
  }
}

/** How long an answer is good for, in milliseconds. */
const CHECKED_MS = 1_000;

/**
 * Tries out whether a database keeps what it is given; however often it is asked, once a second.
 * @param first looked at before
 */
export function checking(kysely: Kysely<DatabaseSchema>, first = () => {}): () => Promise<void> {
  let checked: { readonly at: number; readonly done: Promise<void> } | undefined;
  return () => {
    const now = performance.now();
    if (!checked || now - checked.at > CHECKED_MS) checked = { at: now, done: tryOut(kysely, first) };
    return checked.done;
  };
}

/** Writes something and reads it back. */
async function tryOut(kysely: Kysely<DatabaseSchema>, first: () => void): Promise<void> {
  first();
  const entry = { namespace: "storage", key: "check" };
  const value = randomUUID();
  await atomically(kysely, async (db) => {
    await db
      .insertInto("kv")
      .values({ ...entry, value, expires_at: null })
      .onConflict((conflict) => conflict.columns(["namespace", "key"]).doUpdateSet({ value }))
      .execute();
    const { namespace, key } = entry;
    const kept = db
      .selectFrom("kv")
      .select("value")
      .where("namespace", "=", namespace)
      .where("key", "=", key);
    if ((await kept.executeTakeFirst())?.value !== value)
      throw new ReelayError("storage_down", { reason: "" });
  });
}
