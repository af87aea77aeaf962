import type { Print } from "../../../infrastructure/media/pictures/print.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import { exclusive } from "../../../infrastructure/storage/exclusive.ts";
import type { Sign } from "../../jobs/traits.ts";
import { looksAlike, partsOf } from "./look.ts";
import { together, type Traits } from "../../jobs/traits.ts";

/** Pictures that were made here, by digest and look, with what the rules look at. Nothing of a person is kept. */
export class MadePictures {
  readonly #db: Database["kysely"];

  constructor({ kysely }: Pick<Database, "kysely">) {
    this.#db = kysely;
  }

  /**
   * Remembers pictures that were made together; of one that was made several times, everything that is known.
   * @param at milliseconds since 1970
   */
  async remember(prints: readonly Print[], traits: Traits, at: number): Promise<void> {
    const names = prints.map(({ digest }) => `picture:${digest}` as const);
    await exclusive(this.#db, names, async (db) => {
      for (const print of prints) await rememberIn(db, print, traits, at);
    });
  }

  /** What is known of every picture that is this one or looks like it; undefined where there is none. */
  async find({ digest, look }: Print): Promise<Traits | undefined> {
    const exact = await this.#db
      .selectFrom("made_pictures")
      .selectAll()
      .where("digest", "=", digest)
      .executeTakeFirst();
    const alike = look === null ? [] : await this.#alike(look);
    const found = [...(exact ? [exact] : []), ...alike];
    return found.length === 0 ? undefined : together(found.map(traitsOf));
  }

  async #alike(look: string) {
    const candidates = await this.#db
      .selectFrom("made_pictures")
      .selectAll()
      .where("digest", "in", (near) =>
        near.selectFrom("made_looks").select("digest").where("part", "in", partsOf(look)),
      )
      .execute();
    return candidates.filter((row) => row.look !== null && looksAlike(row.look, look));
  }
}

async function rememberIn(db: Database["kysely"], { digest, look }: Print, traits: Traits, at: number) {
  // Hardly any is made a second time.
  const { numInsertedOrUpdatedRows } = await db
    .insertInto("made_pictures")
    .values({ digest, ...rowOf(look, together([traits]), at) })
    .onConflict((conflict) => conflict.column("digest").doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n) {
    const made = db.selectFrom("made_pictures").selectAll().where("digest", "=", digest);
    const all = together([traits, traitsOf(await made.executeTakeFirstOrThrow())]);
    await db
      .updateTable("made_pictures")
      .set(rowOf(look, all, at))
      .where("digest", "=", digest)
      .execute();
  } else if (look !== null) {
    const parts = partsOf(look).map((part) => ({ part, digest }));
    await db.insertInto("made_looks").values(parts).execute();
  }
}

const rowOf = (look: string | null, { signs, mature, photo }: Traits, at: number) => ({
  look,
  signs: signs.join(","),
  mature: Number(mature),
  photo: Number(photo),
  at,
});

function traitsOf(row: { readonly signs: string; readonly mature: number; readonly photo: number }): Traits {
  const signs = row.signs.split(",").filter(Boolean) as Sign[];
  return { signs, mature: row.mature === 1, photo: row.photo === 1 };
}
