import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { ReelayError } from "../../../common/errors.ts";
import { NotFound } from "../../../infrastructure/api/media-api.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import type { StoredMemory } from "../../../infrastructure/storage/key-value.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import type { Surfaces } from "../../../seam/surface/surfaces.ts";
import { deletedNotice } from "../../../seam/text/notices.ts";
import type { Address, Platform, Receipt, UserId } from "../../../seam/values.ts";
import type { ResultView, View } from "../../../seam/views.ts";
import type { Job } from "../job.ts";
import type { JobMessage } from "./take-backs.ts";
import { currentTime } from "../../../common/time.ts";

/** Who sees a copy: whoever asked for the job, elsewhere; or who decides about it. */
export type CopyFor = "owner" | "operators";

/** Where a copy goes. */
export interface CopyAddress {
  readonly platform: Platform;
  readonly address: Address;
}

interface Copy extends CopyAddress {
  readonly for: CopyFor;
  /** What its platform knows it by: it shows the result of a job once, and that one is elsewhere. */
  readonly name: string;
  /** When it was shown last, in milliseconds since 1970; 0 until then. */
  readonly at: number;
  /** The message that shows it, or says that it is on its way; null until there is one. */
  readonly receipt: Receipt | null;
}

interface Kept {
  readonly user: UserId;
  readonly copies: readonly Copy[];
}

/** What is asked for again within this is one press, in milliseconds. */
const ONE_PRESS_MS = 10_000;

/** How long a copy can be found, in milliseconds: as long as platforms remember where they posted a result. */
const KEPT_MS = 90 * 24 * 3_600_000;

const FAILED = { kind: "notice", text: { key: "send.failed" } } as const;

/** Results that are shown in a second place, and found there again: to be taken back with their job. */
export class Copies {
  readonly #memory: StoredMemory;
  readonly #surfaces: Pick<Surfaces, "of">;
  readonly #log: Pick<Logger, "warn">;
  /** Those that are on their way, by name. */
  readonly #posting = new Map<string, Promise<void>>();

  constructor(memory: StoredMemory, surfaces: Pick<Surfaces, "of">, log: Pick<Logger, "warn">) {
    this.#memory = memory;
    this.#surfaces = surfaces;
    this.#log = log;
  }

  /**
   * Shows a result in a second place, once: where it is there, its platform points at it, and posts it anew where somebody
   * deleted it. First there is a message that says that it is on its way, and the result takes its place: whatever answer is
   * lost then, it is known where it would be.
   * @throws ReelayError `result_gone` where the service has it no more, `stale_button` where it was taken back meanwhile; as
   * `Surface.deliver`
   */
  async show(
    job: Pick<Job, "id" | "user">,
    view: ResultView,
    to: CopyAddress,
    whose: CopyFor,
  ): Promise<void> {
    const copy = await this.#begin(job, to, whose);
    const { name, at } = copy;
    if (Math.abs(currentTime() - at) < ONE_PRESS_MS) return;
    const posting = this.#posting.get(name) ?? this.#post(job, copy, asCopy(view, name));
    this.#posting.set(name, posting);
    await posting.finally(() => this.#posting.delete(name));
  }

  /** Says something in place of the copies of a job that are of one kind, and forgets them. */
  async replace(job: string, view: View, whose: CopyFor): Promise<void> {
    for (const { platform, receipt, name } of await this.release(job, whose))
      await this.#surfaces
        .of(platform)
        .revise(receipt, asCopy(view, name))
        .catch((err: unknown) => this.#log.warn({ err, job }, "A copy of a result could not be taken back"));
  }

  /** Forgets the copies of a job, of one kind, if given. @returns the messages that show them, all in private */
  async release(job: string, whose?: CopyFor): Promise<readonly JobMessage[]> {
    const kept = await this.#memory.get<Kept>(job);
    if (!kept) return [];
    const isMeant = (copy: Copy) => whose === undefined || copy.for === whose;
    let gone: readonly Copy[] = [];
    await this.#change({ id: job, user: kept.user }, (copies) => {
      gone = copies.filter(isMeant);
      return copies.filter((copy) => !isMeant(copy));
    });
    return messagesOf(gone);
  }

  /** Forgets all copies of a job, in the transaction that erases it. @returns as {@link release} */
  async erase(transaction: Pick<Database, "kysely">, job: string): Promise<readonly JobMessage[]> {
    const entries = this.#memory.within(transaction);
    const { copies = [] } = (await entries.get<Kept>(job)) ?? {};
    await entries.delete(job);
    return messagesOf(copies);
  }

  /** Erases where a person's results were shown. */
  async forget(user: UserId): Promise<void> {
    for (const [job, kept] of await this.#memory.entries<Kept>())
      if (kept.user === user) await this.#memory.delete(job);
  }

  async #post(job: Pick<Job, "id" | "user">, copy: Copy, view: ResultView): Promise<void> {
    const { platform, address, name } = copy;
    const surface = this.#surfaces.of(platform);
    const isShown = copy.at > 0;
    const receipt =
      copy.receipt ?? (await surface.deliver(address, { kind: "progress", job: view.job, phase: "sending" }));
    if (!copy.receipt) await this.#keep(job, { platform, name, receipt, at: 0 }, view);
    const shown = await (isShown ? surface.deliver(address, view) : surface.revise(receipt, view)).catch(
      async (cause: unknown) => {
        if (!isShown) await this.#sayFailed(platform, receipt, view);
        throw cause instanceof NotFound ? new ReelayError("result_gone", {}, { cause }) : cause;
      },
    );
    await this.#keep(job, { platform, name, receipt: shown, at: currentTime() }, view);
  }

  /** Notes where a copy is. @throws ReelayError `stale_button` where it was taken back meanwhile: it is no more */
  async #keep(
    job: Pick<Job, "id" | "user">,
    { platform, name, ...news }: Pick<Copy, "platform" | "name" | "at"> & { readonly receipt: Receipt },
    view: ResultView,
  ): Promise<void> {
    let kept: Copy | undefined;
    // It is there.
    await this.#memory.keep(() =>
      this.#change(job, (copies) => {
        kept = copies.find((copy) => copy.name === name);
        return copies.map((copy) => (copy === kept ? { ...copy, ...news } : copy));
      }),
    );
    if (kept) return;
    await this.#surfaces.of(platform).revise(news.receipt, deletedNotice(view.job));
    throw new ReelayError("stale_button");
  }

  /** Says in its place that a copy is not there: if its answer alone was lost, that is true from then on. */
  async #sayFailed(platform: Platform, receipt: Receipt, { job }: ResultView): Promise<void> {
    await this.#surfaces
      .of(platform)
      .revise(receipt, { ...FAILED, job })
      .catch((err: unknown) => this.#log.warn({ err, job: job.id }, "A copy of a result stayed on its way"));
  }

  /** The copy that is to be there; written down first, so that one that was interrupted is gone on with. */
  async #begin(job: Pick<Job, "id" | "user">, to: CopyAddress, whose: CopyFor): Promise<Copy> {
    const { platform, address } = to;
    const fresh: Copy = {
      platform,
      address,
      for: whose,
      name: `${job.id}-${randomUUID().slice(0, 8)}`,
      at: 0,
      receipt: null,
    };
    let begun = fresh;
    await this.#change(job, (copies) => {
      const known = copies.find(
        (copy) =>
          copy.for === whose && copy.platform === platform && isDeepStrictEqual(copy.address, address),
      );
      begun = known ?? fresh;
      return known ? copies : [...copies, fresh];
    });
    return begun;
  }

  #change(
    { id, user }: Pick<Job, "id" | "user">,
    change: (copies: readonly Copy[]) => readonly Copy[],
  ): Promise<void> {
    return this.#memory.change<Kept>(
      id,
      (before) => ({ user, copies: change(before?.copies ?? []) }),
      KEPT_MS,
    );
  }
}

/** The messages that show copies; none of one that is nowhere yet. */
const messagesOf = (copies: readonly Copy[]): readonly JobMessage[] =>
  copies.flatMap(({ platform, receipt, name }) => (receipt ? [{ platform, receipt, name, chat: null }] : []));

/** A view of a copy: its platform knows that by a name of its own. */
function asCopy<V extends View>(view: V, name: string): V {
  return "job" in view && view.job ? { ...view, job: { ...view.job, id: name } } : view;
}
