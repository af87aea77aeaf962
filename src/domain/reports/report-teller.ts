import type { Surface } from "../../seam/surface/surface.ts";
import type { ChatId, Platform, Receipt } from "../../seam/values.ts";
import type { NoticeView } from "../../seam/views.ts";
import { asReelayError } from "../../common/errors.ts";
import type { Ledger } from "../jobs/ledger.ts";
import type { Blocks } from "../policy/blocks.ts";
import type { Logger } from "../../infrastructure/telemetry/telemetry.ts";
import { Sleeper } from "../../common/sleeper.ts";
import { currentTime } from "../../common/time.ts";
import { type Audience, type News, OPERATORS } from "./report.ts";
import type { LeftNotices } from "./left-notices.ts";
import type { ReportNews } from "./report-news.ts";
import { seenBy } from "./report-seen.ts";
import { reportCard } from "./report-view.ts";

/** Another process may have written something, in milliseconds. */
const LOOK_EVERY_MS = 5_000;

/** The first pause after a failure; doubles up to the longest, in milliseconds. */
const PAUSE_MS = { first: 2_000, longest: 10 * 60_000 } as const;

/** Who is told, and where. */
export interface Readers {
  /** A platform stands for those who manage groups there. */
  readonly of: typeof OPERATORS | Platform;
  /** Where they are told; undefined: nowhere. */
  readonly place: (audience: Audience) => Promise<ChatId | undefined>;
  /** Notes that nothing can be posted there any more; left out where that is tried on. */
  readonly lose?: (audience: Audience, place: ChatId) => Promise<void>;
}

/** What a teller works with. */
export interface ReportTellerParts {
  readonly news: ReportNews;
  readonly left: LeftNotices;
  readonly ledger: Ledger;
  readonly blocks: Blocks;
  readonly log: Logger;
  readonly surface: Surface;
  readonly readers: Readers;
}

/**
 * Tells of reported results in chats, until the platform has taken it. A notice follows its result, until
 * that is taken down by reports: this is told anew, and only that notice follows it from then on.
 */
export class ReportTeller {
  readonly #parts: ReportTellerParts;
  readonly #stop = new AbortController();
  readonly #sleeper = new Sleeper();
  #loop = Promise.resolve();
  #ignore = () => {};

  constructor(parts: ReportTellerParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#ignore = this.#parts.news.onDue(() => this.#sleeper.wake());
    this.#loop = this.#leaveFormer().then(() => this.#run());
  }

  async stop(): Promise<void> {
    this.#ignore();
    this.#stop.abort();
    this.#sleeper.wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    while (!this.#stop.signal.aborted) {
      await Promise.all([this.#tellAll(), this.#closeLeft()]).catch((err: unknown) =>
        this.#parts.log.error({ err }, "What is to be told of reports could not be read"),
      );
      await this.#sleeper.sleep(LOOK_EVERY_MS);
    }
  }

  /** Where operators are told, the settings say, which may have changed since the last start. */
  async #leaveFormer(): Promise<void> {
    const { left, log, readers } = this.#parts;
    if (readers.of !== OPERATORS) return;
    const to = await readers.place(OPERATORS);
    await left
      .leave(OPERATORS, to)
      .catch((err: unknown) =>
        log.error({ err }, "Notices where operators were told before are still to be closed"),
      );
  }

  async #tellAll(): Promise<void> {
    const { news, readers } = this.#parts;
    while (!this.#stop.signal.aborted) {
      const next = await news.claim(currentTime(), readers.of);
      if (!next) break;
      await this.#tell(next);
    }
  }

  /** Takes the buttons and the names from notices that stand where nobody is told any more. */
  async #closeLeft(): Promise<void> {
    const { left, log, surface } = this.#parts;
    while (!this.#stop.signal.aborted) {
      const next = await left.claim(currentTime(), surface.name);
      if (!next) return;
      try {
        await surface.revise(next.notice, { kind: "notice", text: { key: "report.left" } }).catch(unlessGone);
        await left.closed(next);
      } catch (err) {
        await left.putOff(next, currentTime() + pauseAfter(next.failures));
        if (!this.#stop.signal.aborted)
          log.warn({ err }, "A notice where reports are told no more could not be closed");
      }
    }
  }

  async #tell(next: News): Promise<void> {
    const { ledger, news, readers, log } = this.#parts;
    const { report, audience, failures } = next;
    const job = await ledger.find(report.job);
    // Erased a moment ago, and its report with it.
    if (!job) return;
    const place = await readers.place(audience);
    if (place === undefined) return news.told(next);
    try {
      // Told there before another place was chosen: what is told now would take that notice's place in the row.
      if (next.place !== null && next.place !== place) await this.#leave(audience, place);
      const card = reportCard(report, job, await seenBy(audience, report, job, this.#parts));
      await news.told(next, { notice: await this.#post(card, next, place), place });
      // Another place may have been chosen while it was posted.
      const now = await readers.place(audience);
      if (now !== place) await this.#leave(audience, now);
    } catch (err) {
      if (readers.lose && asReelayError(err).code === "undeliverable") {
        await readers.lose(audience, place);
        await news.told(next);
        return;
      }
      await news.putOff(next, currentTime() + pauseAfter(failures));
      if (!this.#stop.signal.aborted)
        log.warn({ err, job: job.id }, "Those who decide about a result could not be told of a report");
    }
  }

  async #leave(audience: Audience, to: ChatId | undefined): Promise<void> {
    await this.#parts.left.leave(audience, to);
    // To be closed at once.
    this.#sleeper.wake();
  }

  async #post(card: NoticeView, news: News, place: ChatId): Promise<Receipt> {
    const { surface } = this.#parts;
    const { audience, notice, anew } = news;
    const isThere = news.place === null || news.place === place;
    // Whether they are to be told there is asked each time: whoever managed a group may do so no more.
    const address = await surface.reach(place, audience === OPERATORS ? undefined : audience);
    const revised = !anew && isThere && notice && (await surface.revise(notice, card).catch(unlessGone));
    return revised || surface.deliver(address, card);
  }
}

const pauseAfter = (failures: number) => Math.min(PAUSE_MS.first * 2 ** failures, PAUSE_MS.longest);

/** A notice that somebody deleted is posted anew. */
function unlessGone(error: unknown): undefined {
  if (asReelayError(error).code !== "undeliverable") throw error;
}
