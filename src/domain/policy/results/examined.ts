import type { TakenFile } from "../../../infrastructure/media/files/taken.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import type { Examiner } from "./examiner.ts";
import { currentTime } from "../../../common/time.ts";

/** What examiners flagged pictures for: nobody asks twice about one. */
export class ExaminedPictures {
  readonly #db: Database["kysely"];

  constructor({ kysely }: Pick<Database, "kysely">) {
    this.#db = kysely;
  }

  /**
   * What an examiner flags a picture for; undefined where it could not be asked and nothing passes meanwhile.
   * @throws the signal's reason
   */
  async ask(
    examiner: Examiner,
    picture: TakenFile,
    signal: AbortSignal,
  ): Promise<readonly string[] | undefined> {
    const { digest } = picture;
    const before = await this.#find(digest, examiner.name);
    if (before) return before;
    const said = await examiner.look(picture, signal);
    if (said === "unchecked") return undefined;
    if (said === "passed_by") return [];
    await this.#note(digest, examiner.name, said);
    return said;
  }

  /** Undefined where it was not asked. */
  async #find(digest: string, by: string): Promise<readonly string[] | undefined> {
    const row = await this.#db
      .selectFrom("examined_pictures")
      .select("categories")
      .where("digest", "=", digest)
      .where("examiner", "=", by)
      .executeTakeFirst();
    return row?.categories.split(",").filter(Boolean);
  }

  async #note(digest: string, by: string, categories: readonly string[]): Promise<void> {
    const row = {
      categories: categories.map((name) => name.replaceAll(",", " ")).join(","),
      at: currentTime(),
    };
    await this.#db
      .insertInto("examined_pictures")
      .values({ digest, examiner: by, ...row })
      .onConflict((conflict) => conflict.columns(["digest", "examiner"]).doUpdateSet(row))
      .execute();
  }
}
