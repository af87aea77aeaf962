import { type DeleteQueryBuilder, sql, type Transaction } from "kysely";
import type { Holds } from "../media/files/held-files.ts";
import type { Database } from "./database.ts";
import { exclusive, type LockName, rowAlone } from "./exclusive.ts";
import { prepared } from "./prepared.ts";
import type { DatabaseSchema } from "./schema.ts";

/** Holds that are being ended. */
type Ending = DeleteQueryBuilder<DatabaseSchema, "held_files", { file: string }>;

/** Who needs which file, in the database. */
export function holdsIn({ kysely }: Database): Holds {
  /** Erases alone: nobody can begin to hold a file between the look and the end of it. */
  const eraseAlone = (files: readonly string[], erase: (file: string) => Promise<void>) =>
    exclusive(kysely, files.map(nameOf), (within) => eraseUnheld(within, files, erase));
  /** Ends some holds, and erases what nobody holds any more; killed in between, it leaves that to the next sweep. */
  const end = async (some: (holds: Ending) => Ending, erase: (file: string) => Promise<void>) => {
    const ended = await some(kysely.deleteFrom("held_files").returning("file")).execute();
    if (ended.length > 0) await eraseAlone(filesOf(ended), erase);
  };

  return {
    async add(file, { owner, until }) {
      await insertHold(kysely, { file, owner, until: until ?? null, lock: nameOf(file) });
    },

    release: (owner, erase) => end((holds) => holds.where("owner", "=", owner), erase),
    // "!" follows the space.
    releaseAll: (group, erase) =>
      end((holds) => holds.where("owner", ">=", `${group} `).where("owner", "<", `${group}!`), erase),
    expire: (now, erase, purpose) =>
      end((holds) => {
        const over = holds.where("until", "<=", now);
        return purpose === undefined ? over : over.where("owner", "like", `% ${purpose} %`);
      }, erase),
    eraseUnheld: eraseAlone,

    isHeld: (file) => isHeldIn(kysely, file),

    async held() {
      return new Set(filesOf(await kysely.selectFrom("held_files").select("file").distinct().execute()));
    },
  };
}

/** The later of two times, where null is for ever. */
const LATER = sql<number | null>`
  case when excluded.until > held_files.until or excluded.until is null then excluded.until else held_files.until end`;

const insertHold = prepared(
  (
    db,
    {
      file,
      owner,
      until,
      lock,
    }: Record<"file" | "owner", string> & {
      readonly until: number | null;
      readonly lock: LockName;
    },
  ) =>
    db
      .insertInto("held_files")
      .columns(["file", "owner", "until"])
      .expression(rowAlone(db, lock, [file, owner, until]))
      .onConflict((held) => held.columns(["file", "owner"]).doUpdateSet({ until: LATER })),
);

/** By its beginning: of thousands of files that are erased at once, a few hundred names are taken. */
const nameOf = (file: string): LockName => `file:${file.slice(0, 2)}`;

const filesOf = (rows: readonly { readonly file: string }[]) => rows.map(({ file }) => file);

async function eraseUnheld(
  within: Transaction<DatabaseSchema>,
  files: readonly string[],
  erase: (file: string) => Promise<void>,
): Promise<void> {
  for (const file of new Set(files)) {
    if (!(await isHeldIn(within, file))) await erase(file);
  }
}

async function isHeldIn(kysely: Database["kysely"], file: string): Promise<boolean> {
  const holding = kysely.selectFrom("held_files").select("owner").where("file", "=", file);
  return (await holding.limit(1).executeTakeFirst()) !== undefined;
}
