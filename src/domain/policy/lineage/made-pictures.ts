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
    const looks = new Map(prints.map(({ digest, look }) => [digest, look]));
    if (looks.size === 0) return;
    const names = [...looks.keys()].map((digest) => `picture:${digest}` as const);
    await exclusive(this.#db, names, (db) => rememberIn(db, looks, traits, at));
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

/** @param looks by digest */
async function rememberIn(
  db: Database["kysely"],
  looks: ReadonlyMap<string, string | null>,
  traits: Traits,
  at: number,
) {
  // Hardly any is made a second time.
  const made = await db
    .insertInto("made_pictures")
    .values(Array.from(looks, ([digest, look]) => rowOf(digest, look, together([traits]), at)))
    .onConflict((conflict) => conflict.column("digest").doNothing())
    .returning("digest")
    .execute();
  const fresh = new Set(made.map(({ digest }) => digest));
  const parts = Array.from(looks).flatMap(([digest, look]) =>
    look !== null && fresh.has(digest) ? partsOf(look).map((part) => ({ part, digest })) : [],
  );
  if (parts.length > 0) await db.insertInto("made_looks").values(parts).execute();
  const again = [...looks.keys()].filter((digest) => !fresh.has(digest));
  if (again.length === 0) return;
  const before = await db.selectFrom("made_pictures").selectAll().where("digest", "in", again).execute();
  const rows = before.map((row) =>
    rowOf(row.digest, looks.get(row.digest) ?? null, together([traits, traitsOf(row)]), at),
  );
  await db
    .insertInto("made_pictures")
    .values(rows)
    .onConflict((conflict) =>
      conflict.column("digest").doUpdateSet((now) => ({
        look: now.ref("excluded.look"),
        signs: now.ref("excluded.signs"),
        mature: now.ref("excluded.mature"),
        photo: now.ref("excluded.photo"),
        at: now.ref("excluded.at"),
      })),
    )
    .execute();
}

const rowOf = (digest: string, look: string | null, { signs, mature, photo }: Traits, at: number) => ({
  digest,
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
