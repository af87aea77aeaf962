import type { Surface } from "../../seam/surface/surface.ts";
import type { Receipt, UserId } from "../../seam/values.ts";
import type { NoticeView } from "../../seam/views.ts";
import { asReelayError } from "../../common/errors.ts";
import type { Ledger } from "../jobs/ledger.ts";
import type { Blocks } from "../policy/blocks.ts";
import type { PolicyConfig } from "../policy/config.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { sleep } from "../../common/time.ts";
import { isLeftToOperators, type News } from "./report.ts";
import type { ReportNews } from "./report-news.ts";
import { reportCard } from "./report-view.ts";

/** Another process may have written something, in milliseconds. */
const LOOK_EVERY_MS = 5_000;

/** The first pause after a failure; doubles up to the longest, in milliseconds. */
const PAUSE_MS = { first: 2_000, longest: 10 * 60_000 } as const;

/** What a teller works with. */
export interface ReportTellerParts {
  readonly news: ReportNews;
  readonly ledger: Ledger;
  readonly blocks: Blocks;
  readonly policy: Pick<PolicyConfig, "operators">;
  readonly log: Logger;
  readonly surface: Surface;
  /** Whom it tells there. */
  readonly recipient: UserId;
}

/**
 * Tells operators of reported results in a chat, until the platform has taken it. A notice follows its result, until
 * that is taken down by reports: this is told anew, and only that notice follows it from then on.
 */
export class ReportTeller {
  readonly #parts: ReportTellerParts;
  readonly #stop = new AbortController();
  #wake = new AbortController();
  #loop = Promise.resolve();
  #ignore = () => {};

  constructor(parts: ReportTellerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#ignore = this.#parts.news.onDue(() => this.#wake.abort());
    this.#loop = this.#run();
  }

  async stop(): Promise<void> {
    this.#ignore();
    this.#stop.abort();
    this.#wake.abort();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      this.#wake = new AbortController();
      await this.#tellAll().catch((err: unknown) =>
        this.#parts.log.error({ err }, "Reports that operators are to be told of could not be read"),
      );
      await sleep(LOOK_EVERY_MS, this.#wake.signal).catch(() => undefined);
    }
  }

  async #tellAll(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      const news = await this.#parts.news.claim(Date.now());
      if (!news) return;
      await this.#tell(news);
    }
  }

  async #tell(news: News): Promise<void> {
    const { ledger, blocks, policy, log } = this.#parts;
    const { report, failures } = news;
    const job = await ledger.find(report.job);
    // Erased a moment ago, and its report with it.
    if (!job) return;
    try {
      const card = reportCard(report, job, {
        isBlocked: await blocks.has({ user: job.user }),
        isLeft: isLeftToOperators(report, policy.operators),
      });
      await this.#parts.news.told(news, await this.#post(card, news));
    } catch (err) {
      const pause = Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.longest);
      await this.#parts.news.putOff(news, Date.now() + pause);
      if (!this.#stop.signal.aborted)
        log.warn({ err, job: job.id }, "Operators could not be told of a report");
    }
  }

  async #post(card: NoticeView, { notice, anew }: News): Promise<Receipt> {
    const { surface, recipient } = this.#parts;
    const revised = !anew && notice && (await surface.revise(notice, card).catch(unlessGone));
    return revised || surface.deliver(await surface.reach(recipient), card);
  }
}

/** A notice that somebody deleted is posted anew. */
function unlessGone(error: unknown): undefined {
  if (asReelayError(error).code !== "undeliverable") throw error;
}
