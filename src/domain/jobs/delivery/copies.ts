import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { SharedMemory } from "../../../common/memory.ts";
import { ReelayError } from "../../../common/errors.ts";
import { NotFound } from "../../../infrastructure/api/media-api.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import type { Surfaces } from "../../../seam/surface/surfaces.ts";
import type { Address, Platform, Receipt, UserId } from "../../../seam/values.ts";
import type { ResultView, View } from "../../../seam/views.ts";
import type { Job } from "../job.ts";

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
  /** When it was asked for last, in milliseconds since 1970. */
  readonly at: number;
  /** Null until it is there. */
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

const TAKEN_BACK = { kind: "notice", text: { key: "job.deleted" } } as const;

/** Results that are shown in a second place, and found there again: to be taken back with their job. */
export class Copies {
  readonly #memory: SharedMemory;
  readonly #surfaces: Pick<Surfaces, "of">;
  readonly #log: Pick<Logger, "warn">;
  /** Those that are on their way, by name. */
  readonly #posting = new Map<string, Promise<Receipt>>();

  constructor(memory: SharedMemory, surfaces: Pick<Surfaces, "of">, log: Pick<Logger, "warn">) {
    this.#memory = memory;
    this.#surfaces = surfaces;
    this.#log = log;
  }

  /**
   * Shows a result in a second place, once: where it is there, its platform points at it, and posts it anew where somebody
   * deleted it.
   * @throws ReelayError `result_gone` where the service has it no more, `stale_button` where it was taken back meanwhile; as
   * `Surface.deliver`
   */
  async show(
    job: Pick<Job, "id" | "user">,
    view: ResultView,
    to: CopyAddress,
    whose: CopyFor,
  ): Promise<void> {
    const { name, receipt: shown, at } = await this.#begin(job, to, whose);
    if (shown && at > Date.now() - ONE_PRESS_MS) return;
    const posting = this.#posting.get(name) ?? this.#post(name, view, to);
    this.#posting.set(name, posting);
    const receipt = await posting.finally(() => this.#posting.delete(name));
    let isKept = false;
    await this.#change(job, (copies) => {
      isKept = copies.some((copy) => copy.name === name);
      return copies.map((copy) => (copy.name === name ? { ...copy, receipt, at: Date.now() } : copy));
    });
    if (isKept) return;
    await this.#surfaces.of(to.platform).revise(receipt, { ...TAKEN_BACK, job: view.job });
    throw new ReelayError("stale_button");
  }

  /** Says something in place of the copies of a job, and forgets them; of one kind, if given. */
  async replace(job: string, view: View, whose?: CopyFor): Promise<void> {
    const kept = await this.#memory.get<Kept>(job);
    if (!kept) return;
    const isMeant = (copy: Copy) => whose === undefined || copy.for === whose;
    for (const { platform, receipt } of kept.copies.filter(isMeant)) {
      if (!receipt) continue;
      await this.#surfaces
        .of(platform)
        .revise(receipt, view)
        .catch((err: unknown) => this.#log.warn({ err, job }, "A copy of a result could not be taken back"));
    }
    await this.#change({ id: job, user: kept.user }, (copies) => copies.filter((copy) => !isMeant(copy)));
  }

  /** Erases where a person's results were shown. */
  async forget(user: UserId): Promise<void> {
    for (const [job, kept] of await this.#memory.entries<Kept>())
      if (kept.user === user) await this.#memory.delete(job);
  }

  #post(name: string, view: ResultView, { platform, address }: CopyAddress): Promise<Receipt> {
    return this.#surfaces
      .of(platform)
      .deliver(address, { ...view, job: { ...view.job, id: name } })
      .catch((cause: unknown) => {
        throw cause instanceof NotFound ? new ReelayError("result_gone", {}, { cause }) : cause;
      });
  }

  /** The copy that is to be there; written down first, so that one that was interrupted is gone on with. */
  async #begin(job: Pick<Job, "id" | "user">, to: CopyAddress, whose: CopyFor): Promise<Copy> {
    const { platform, address } = to;
    const fresh: Copy = {
      platform,
      address,
      for: whose,
      name: `${job.id}-${randomUUID().slice(0, 8)}`,
      at: Date.now(),
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
