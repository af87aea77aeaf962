import { EventEmitter } from "node:events";
import type { ReportEvent } from "../../seam/access/webhooks.ts";
import type { Json } from "../../common/json.ts";
import type { ChatId, Platform, Receipt, UserId } from "../../seam/values.ts";
import type { Job } from "../jobs/job.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { atomically, claimed } from "../../infrastructure/storage/exclusive.ts";
import { type Audience, audiencesOf, type News, OPERATORS, type Report } from "./report.ts";
import { findReport } from "./report-rows.ts";

/** For how long news belong to the process that took them, in milliseconds: longer than posting takes. */
const CLAIM_MS = 60_000;

/** Of so many results a group's managers are told at once, where they begin to be told. */
const LATEST = 20;

/** Tells an address of the operator's, as far as writing that down goes. */
export type TellAddress = (
  db: Database["kysely"],
  type: ReportEvent,
  job: string,
  data: Json,
) => Promise<void>;

/**
 * What somebody is still to be told of reported results: written in the transaction in which it happened. Of
 * several changes the newest state is told, not each.
 */
export class ReportNews {
  readonly #db: Database["kysely"];
  readonly #keeper: Database["keeper"];
  readonly #tellAddress: TellAddress | undefined;
  readonly #bell = new EventEmitter<{ due: [] }>();

  /** @param tellAddress where operators have an address called instead of reading notices in a chat */
  constructor(database: Database, tellAddress: TellAddress | undefined) {
    this.#db = database.kysely;
    this.#keeper = database.keeper;
    this.#tellAddress = tellAddress;
  }

  /** Calls back when this process wrote something that can be told at once. Returns the way to stop it. */
  onDue(listener: () => void): () => void {
    this.#bell.on("due", listener);
    return () => this.#bell.off("due", listener);
  }

  /** Says that something can be told: after the transaction in which it was written. */
  ring(): void {
    this.#bell.emit("due");
  }

  /** @param type what it is, where it is more than a change to a notice that stands already */
  async add(db: Database["kysely"], job: Job, report: Report, type: ReportEvent | undefined): Promise<void> {
    const isCalled = this.#tellAddress !== undefined;
    if (type) await this.#tellAddress?.(db, type, job.id, dataOf(job, report));
    const audiences = audiencesOf(report, job).filter((one) => !(isCalled && one === OPERATORS));
    if (audiences.length === 0) return;
    const isAnew = type !== undefined && report.by === null;
    await db
      .insertInto("report_notices")
      .values(audiences.map((audience) => ({ job: job.id, audience, news: 1, ping: isAnew ? 1 : 0 })))
      .onConflict((conflict) =>
        conflict.columns(["job", "audience"]).doUpdateSet((row) => ({
          news: row("report_notices.news", "+", 1),
          ...(isAnew && { ping: row("report_notices.news", "+", 1) }),
          next_at: 0,
          failures: 0,
        })),
      )
      .execute();
  }

  /** Has every notice that they have about somebody's results changed: something else about them was decided. */
  async renew(owner: UserId, audience: Audience): Promise<void> {
    await this.#db
      .updateTable("report_notices")
      .set((row) => ({ news: row("news", "+", 1), next_at: 0 }))
      .where("audience", "=", audience)
      .where("notice", "is not", null)
      .where("job", "in", (own) => own.selectFrom("jobs").select("id").where("user", "=", owner))
      .execute();
    this.ring();
  }

  /** Has a group's managers told of what waits there for a decision, or is down: the latest {@link LATEST}. */
  async retell(group: ChatId): Promise<void> {
    await this.#db
      .updateTable("report_notices")
      .set((row) => ({ news: row("news", "+", 1), next_at: 0, failures: 0 }))
      .where("audience", "=", group)
      .where("job", "in", (reported) =>
        reported
          .selectFrom("report_notices")
          .innerJoin("reported", "reported.job", "report_notices.job")
          .select("reported.job")
          .where("audience", "=", group)
          .where("state", "in", ["open", "withheld"])
          .orderBy("reported.job", "desc")
          .limit(LATEST),
      )
      .execute();
    this.ring();
  }

  /** Erases what is kept of notices for a group's managers. */
  async forget(group: ChatId): Promise<void> {
    await this.#db.deleteFrom("report_notices").where("audience", "=", group).execute();
  }

  /**
   * Takes what is to be told next, for {@link CLAIM_MS}: of several processes one tells it. In one transaction, or what
   * happens in between would be told as it is then, and once more as news of its own.
   * @param of whom it is for: a platform stands for those who manage groups there
   */
  claim(now: number, of: typeof OPERATORS | Platform): Promise<News | undefined> {
    return atomically(this.#db, async (db) => {
      const row = await db
        .updateTable("report_notices")
        .set({ next_at: now + CLAIM_MS })
        .where((row) => {
          const notices = row.selectFrom("report_notices").select(["job", "audience"]);
          const due = notices.whereRef("told", "<", "news").where("next_at", "<=", now);
          const theirs =
            of === OPERATORS ? due.where("audience", "=", of) : due.where("audience", "like", `${of}:%`);
          const next = claimed(db, theirs.orderBy("next_at").limit(1));
          return row(row.refTuple("job", "audience"), "in", next.$asTuple("job", "audience"));
        })
        .returning(["job", "audience", "news", "told", "ping", "notice", "place", "failures"])
        .executeTakeFirst();
      const report = row && (await findReport(db, row.job));
      if (!report) return undefined;
      const { news: count, failures, place } = row;
      const audience = row.audience as Audience;
      return { report, audience, count, anew: row.ping > row.told, notice: receiptIn(row), place, failures };
    });
  }

  /** The notice about a result that somebody has, where there is one. */
  async noticeOf(job: string, audience: Audience): Promise<Receipt | undefined> {
    const notices = this.#db.selectFrom("report_notices").select("notice");
    const row = await notices.where("job", "=", job).where("audience", "=", audience).executeTakeFirst();
    return (row && receiptIn(row)) ?? undefined;
  }

  /**
   * Notes that something was told; what happened meanwhile is still to be told.
   * @param posted the notice and where it stands; left out where there is nobody to tell it to
   */
  async told(news: News, posted?: { readonly notice: Receipt; readonly place: string }): Promise<void> {
    const told = this.#changing(news).set({
      told: news.count,
      ...(posted && { notice: JSON.stringify(posted.notice), place: posted.place }),
      next_at: 0,
      failures: 0,
    });
    await this.#keeper.keep(() => told.execute());
  }

  /** Puts off what could not be told. @param until milliseconds since 1970 */
  async putOff(news: News, until: number): Promise<void> {
    await this.#changing(news)
      .set({ next_at: until, failures: news.failures + 1 })
      .execute();
  }

  #changing({ report, audience }: News) {
    const notices = this.#db.updateTable("report_notices");
    return notices.where("job", "=", report.job).where("audience", "=", audience);
  }
}

const receiptIn = ({ notice }: { readonly notice: string | null }) =>
  notice === null ? null : (JSON.parse(notice) as Receipt);

/** What a program is told of a result: neither words nor files. */
function dataOf({ id: job, operation, user, chat, surface }: Job, { reports, state, at }: Report): Json {
  return { job, operation, user, chat, surface, reports, state, at: new Date(at).toISOString() };
}
