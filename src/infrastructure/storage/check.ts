import { randomUUID } from "node:crypto";
import type { Kysely } from "kysely";
import { ReelayError } from "../../common/errors.ts";
import { atomically } from "./exclusive.ts";
import type { DatabaseSchema } from "./schema.ts";

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
