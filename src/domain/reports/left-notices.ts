import type { ChatId, Platform, Receipt } from "../../seam/values.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { atomically, claimed, held } from "../../infrastructure/storage/exclusive.ts";
import type { Audience } from "./report.ts";

/** For how long one belongs to the process that took it, in milliseconds: longer than an edit takes. */
const CLAIM_MS = 60_000;

/** A notice that stands where its readers are told no more. */
export interface LeftNotice {
  /** As it is stored. */
  readonly id: string;
  readonly notice: Receipt;
  /** Tries to close it that failed. */
  readonly failures: number;
}

/** Notices that were left behind where reports were told before: whoever reads them there decides by them no more. */
export class LeftNotices {
  readonly #db: Database["kysely"];

  constructor({ kysely }: Pick<Database, "kysely">) {
    this.#db = kysely;
  }

  /**
   * Leaves all notices of an audience that stand elsewhere than where it is told now; what happens next is told there anew.
   * @param to undefined: nowhere
   */
  async leave(audience: Audience, to: ChatId | undefined): Promise<void> {
    await atomically(this.#db, async (db) => {
      const theirs = db
        .selectFrom("report_notices")
        .select(["job", "notice", "place"])
        .where("audience", "=", audience);
      for (const { job, notice, place } of await held(db, theirs).execute()) {
        // Of an earlier version's nobody knows where they stand.
        if (notice === null || place === null || place === to) continue;
        await db
          .insertInto("left_notices")
          .values({ notice, surface: place.slice(0, place.indexOf(":")) })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await db
          .updateTable("report_notices")
          .set({ notice: null, place: null })
          .where("job", "=", job)
          .where("audience", "=", audience)
          .execute();
      }
    });
  }

  /** Takes the next of a platform's that is due: of several processes one closes it. */
  async claim(now: number, surface: Platform): Promise<LeftNotice | undefined> {
    const row = await atomically(this.#db, (db) =>
      db
        .updateTable("left_notices")
        .set({ next_at: now + CLAIM_MS })
        .where("notice", "in", (left) =>
          claimed(
            db,
            left
              .selectFrom("left_notices")
              .select("notice")
              .where("surface", "=", surface)
              .where("next_at", "<=", now)
              .orderBy("next_at")
              .limit(1),
          ),
        )
        .returning(["notice", "failures"])
        .executeTakeFirst(),
    );
    return row && { id: row.notice, notice: JSON.parse(row.notice) as Receipt, failures: row.failures };
  }

  /** Notes that one has no buttons any more, or cannot be reached. */
  async closed({ id }: LeftNotice): Promise<void> {
    await this.#db.deleteFrom("left_notices").where("notice", "=", id).execute();
  }

  /** @param until milliseconds since 1970 */
  async putOff({ id, failures }: LeftNotice, until: number): Promise<void> {
    await this.#db
      .updateTable("left_notices")
      .set({ next_at: until, failures: failures + 1 })
      .where("notice", "=", id)
      .execute();
  }
}
