import type { Audit } from "../audit/audit.ts";
import type { Origin } from "../../seam/origin.ts";
import type { ChatId, Platform, UserId } from "../../seam/values.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Job } from "../jobs/job.ts";
import type { Ledger } from "../jobs/ledger.ts";
import type { Database } from "../../infrastructure/storage/database.ts";
import { exclusive } from "../../infrastructure/storage/exclusive.ts";
import {
  canBeReported,
  type DecidingRole,
  FORGOTTEN,
  type Measure,
  type Report,
  MEASURES,
} from "./report.ts";
import type { ReportNews } from "./report-news.ts";
import { decideReport, findReport, hasReported, reportedSince, reportOf, reportsIn } from "./report-rows.ts";
import { currentTime } from "../../common/time.ts";

/** How many results one person may report in {@link DAY_MS}: a crowd takes a result down, not one busy person. */
const MOST_A_DAY = 20;
const DAY_MS = 24 * 60 * 60_000;

/** Who decides what reports or an examination do. */
const NOBODY = { by: null, role: null } as const;

/** What reports stand on. */
export interface ReportsParts {
  readonly database: Database;
  readonly ledger: Ledger;
  readonly audit: Audit;
  readonly news: ReportNews;
  /** From how many reports on a result is withheld; 0: never. */
  readonly toWithhold: number;
  /** The platforms that this process is connected to. */
  readonly platforms: readonly Platform[];
}

/** What came of a report or of a decision. */
export interface ReportOutcome {
  readonly report: Report;
  /** False where it was so already: the same person reported it before, or another operator was faster. */
  readonly changed: boolean;
}

/** The same, and whether people are to be shown something else than before. */
type Change = ReportOutcome & { readonly retell: boolean };

/**
 * Results that people reported, and what became of them. Whatever changes what people are to see is written together
 * with the wish to tell the outcome of the job anew: the outbox does that, after a crash too.
 */
export class Reports {
  readonly #db: Database["kysely"];
  readonly #parts: ReportsParts;

  constructor(parts: ReportsParts) {
    this.#db = parts.database.kysely;
    this.#parts = parts;
  }

  /**
   * Counts somebody's report of a result, once, and withholds it where enough people did.
   * @throws ReelayError `stale_button` where there is no such result, `not_yours` for one of another place,
   * `too_many_reports`
   */
  add(id: string, { user, chat, platform: surface }: Origin, at = currentTime()): Promise<ReportOutcome> {
    return this.#change(id, async (db, job) => {
      if (!canBeReported(job)) throw new ReelayError("stale_button");
      if (chat === undefined || job.chat !== chat) throw new ReelayError("not_yours");
      const before = await findReport(db, id);
      if (before && (await hasReported(db, id, [user, this.#nameless(id, user)])))
        return { report: before, changed: false, retell: false };
      if ((await reportedSince(db, user, at - DAY_MS)) >= MOST_A_DAY)
        throw new ReelayError("too_many_reports", { max: MOST_A_DAY });
      await db.insertInto("reports").values({ job: id, reporter: user, at }).execute();
      const { operation } = job;
      const { audit, news, toWithhold } = this.#parts;
      await audit.write({ act: "report", user, surface, chat, job: id, operation }, { kysely: db });
      const report = await decideReport(db, id, before ?? { state: "open", at, ...NOBODY });
      if (report.state !== "open" || toWithhold === 0 || report.reports < toWithhold) {
        await news.add(db, job, report, report.reports === 1 ? "result.reported" : undefined);
        return { report, changed: true, retell: false };
      }
      const withheld = await decideReport(db, id, { state: "withheld", at, ...NOBODY });
      const rule = `reports ${report.reports}`;
      await audit.write({ act: "withhold", surface, chat, job: id, operation, rule }, { kysely: db });
      await news.add(db, job, withheld, "result.withheld");
      return { report: withheld, changed: true, retell: true };
    });
  }

  /**
   * Does what was decided about a result.
   * @param role as what they decide
   * @param refuse throws where it is not theirs to decide, in the transaction that writes it
   * @param confirms whether what was decided before is written anew by them, where it is the same
   * @throws ReelayError `stale_button` where there is no such result
   */
  decide(
    id: string,
    measure: Measure,
    { user: by, platform: surface }: Pick<Origin, "user" | "platform">,
    role: DecidingRole,
    {
      refuse,
      confirms = () => false,
      at = currentTime(),
    }: {
      refuse?: (job: Job, before: Report | undefined) => void;
      confirms?: (before: Report) => boolean;
      at?: number;
    } = {},
  ): Promise<ReportOutcome> {
    const { from, to: state } = MEASURES[measure];
    return this.#change(id, async (db, job) => {
      const before = await findReport(db, id);
      refuse?.(job, before);
      // What was made in private nobody decides about, but where it was withheld before anybody saw it.
      if (!before && !canBeReported(job)) throw new ReelayError("stale_button");
      const isConfirmed = before?.state === state && confirms(before);
      if (!isConfirmed && !from.some((one) => one === (before?.state ?? "open"))) {
        if (!before) throw new ReelayError("stale_button");
        return { report: before, changed: false, retell: false };
      }
      const report = await decideReport(db, id, { state, at, by, role });
      const { audit, news } = this.#parts;
      const { chat, operation } = job;
      await audit.write({ act: measure, user: by, surface, chat, job: id, operation }, { kysely: db });
      await news.add(db, job, report, state === "withheld" ? "result.withheld" : undefined);
      return { report, changed: true, retell: !isConfirmed && measure !== "settle" };
    });
  }

  /**
   * Withholds a result before anybody sees it, because it was flagged when it was examined.
   * @param rule who flagged it for what
   */
  async withholdFlagged({ id }: Job, rule: string, at = currentTime()): Promise<void> {
    await this.#change(id, async (db, job) => {
      const before = await findReport(db, id);
      // An operator was faster.
      if (before && before.state !== "open") return { report: before, changed: false, retell: false };
      const report = await decideReport(db, id, { state: "withheld", at, ...NOBODY });
      const { audit, news } = this.#parts;
      const { chat, operation, surface } = job;
      const where = { surface, ...(chat !== null && { chat }) };
      await audit.write({ act: "withhold", ...where, job: id, operation, rule }, { kysely: db });
      await news.add(db, job, report, "result.withheld");
      return { report, changed: true, retell: false };
    });
  }

  /** Undefined for a result that nobody reported. */
  find(job: string): Promise<Report | undefined> {
    return findReport(this.#db, job);
  }

  /** Whether a result is not to be seen. */
  async isWithheld(job: string): Promise<boolean> {
    // Few are, and every result is asked about several times.
    const { kysely, reads } = this.#parts.database;
    const withheld = await reads.get("reported", "withheld", async () => {
      const rows = kysely.selectFrom("reported").select("job").where("state", "=", "withheld");
      return new Set((await rows.execute()).map((row) => row.job));
    });
    return withheld.has(job);
  }

  /**
   * Results that wait for a decision, or are withheld; the latest job first.
   * @param before only those of older jobs
   * @param left also what those who moderate a place left up
   * @param chat only those of this group that somebody there reported, or took down
   */
  async waiting(
    limit: number,
    {
      before,
      left = false,
      chat,
    }: {
      before?: string | undefined;
      left?: boolean | undefined;
      chat?: ChatId | undefined;
    } = {},
  ): Promise<readonly Report[]> {
    let query = reportsIn(this.#db).where((report) =>
      report.or([
        report("state", "in", ["open", "withheld"]),
        ...(left ? [report("role", "=", "moderator")] : []),
      ]),
    );
    if (before !== undefined) query = query.where("job", "<", before);
    if (chat !== undefined)
      query = query
        .where("job", "in", (jobs) => jobs.selectFrom("jobs").select("id").where("chat", "=", chat))
        .where((report) =>
          report.or([
            report("by", "is not", null),
            report("job", "in", (made) => made.selectFrom("reports").select("job")),
          ]),
        );
    return (await query.orderBy("job", "desc").limit(limit).execute()).map(reportOf);
  }

  /** What somebody reported; times are milliseconds since 1970. */
  madeBy(reporter: UserId): Promise<readonly { readonly job: string; readonly at: number }[]> {
    const own = this.#db.selectFrom("reports").select(["job", "at"]).where("reporter", "=", reporter);
    return own.orderBy("at").execute();
  }

  /** Takes somebody's name from what they reported and decided; that it was, how often, and as what, stays. */
  async forget(user: UserId): Promise<void> {
    await exclusive(this.#db, ["reports"], async (db) => {
      const own = await db.selectFrom("reports").select("job").where("reporter", "=", user).execute();
      for (const { job } of own)
        await db
          .updateTable("reports")
          .set({ reporter: this.#nameless(job, user) })
          .where("job", "=", job)
          .where("reporter", "=", user)
          .execute();
      // Null would say that reports decided it.
      await db.updateTable("reported").set({ by: FORGOTTEN }).where("by", "=", user).execute();
    });
  }

  /**
   * Erases what was decided before a time, but of results that are withheld: they stay so as long as their job is kept.
   * @param before milliseconds since 1970
   */
  async expire(before: number): Promise<void> {
    await exclusive(this.#db, ["reports"], async (db) => {
      const old = db
        .selectFrom("reported")
        .select("job")
        .where("at", "<", before)
        .where("state", "!=", "withheld");
      await db.deleteFrom("reports").where("job", "in", old).execute();
      await db.deleteFrom("reported").where("at", "<", before).where("state", "!=", "withheld").execute();
    });
  }

  /** What stands for somebody who was forgotten: whoever has themselves forgotten is not counted a second time. */
  #nameless(job: string, reporter: UserId): string {
    return this.#parts.audit.digestOf({ job, reporter });
  }

  /** In one transaction: what is decided, who is to hear of it, and that the outcome is told anew. */
  async #change(
    id: string,
    decide: (db: Database["kysely"], job: Job) => Promise<Change>,
  ): Promise<ReportOutcome> {
    const { ledger, news, platforms } = this.#parts;
    const decideAlone = ({ kysely }: Pick<Database, "kysely">, job: Job) => {
      if (job.state !== "completed") throw new ReelayError("stale_button");
      return decide(kysely, job);
    };
    const change = await ledger.retell(id, platforms, decideAlone, ["reports"]);
    if (!change) throw new ReelayError("stale_button");
    if (change.changed) news.ring();
    return change;
  }
}
