import type { Transaction } from "kysely";
import type { Hold, Holds } from "../media/held-files.ts";
import type { Database } from "./database.ts";
import type { Schema } from "./schema.ts";

/** Who needs which file, in the database. */
export function holdsIn({ kysely }: Database): Holds {
  /** Erases under the write lock: nobody can begin to hold a file between the look and the end of it. */
  const erasing = (work: (within: Transaction<Schema>) => Promise<void>) =>
    kysely.transaction().execute(work);

  return {
    async add(file, { owner, until = null }: Hold) {
      await kysely
        .insertInto("held_files")
        .values({ file, owner, until })
        .onConflict((held) =>
          held.columns(["file", "owner"]).doUpdateSet(({ eb, fn, ref }) => ({
            // SQLite's scalar max() of two values is null where one of them is: for ever.
            until: fn<number | null>("max", [ref("held_files.until"), eb.val(until)]),
          })),
        )
        .execute();
    },

    release: (owner, erase) =>
      erasing(async (within) => {
        const ended = within.deleteFrom("held_files").where("owner", "=", owner).returning("file");
        await eraseUnheld(within, filesOf(await ended.execute()), erase);
      }),

    expire: (now, erase) =>
      erasing(async (within) => {
        const ended = within.deleteFrom("held_files").where("until", "<=", now).returning("file");
        await eraseUnheld(within, filesOf(await ended.execute()), erase);
      }),

    eraseUnheld: (files, erase) => erasing((within) => eraseUnheld(within, files, erase)),

    async held() {
      return new Set(filesOf(await kysely.selectFrom("held_files").select("file").distinct().execute()));
    },
  };
}

const filesOf = (rows: readonly { readonly file: string }[]) => rows.map(({ file }) => file);

async function eraseUnheld(
  within: Transaction<Schema>,
  files: readonly string[],
  erase: (file: string) => Promise<void>,
): Promise<void> {
  for (const file of new Set(files)) {
    const hold = await within
      .selectFrom("held_files")
      .select("owner")
      .where("file", "=", file)
      .limit(1)
      .executeTakeFirst();
    if (!hold) await erase(file);
  }
}
