import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import { platformOf, type UserId } from "../../../src/seam/values.ts";
import type { ChatNotes } from "../messages/notes.ts";
import { PostedLately } from "../messages/posted-lately.ts";
import type { Windows } from "../messages/windows.ts";
import type { Delivery, DeliveryStore } from "./delivery-store.ts";
import { type FileDelivery, partsOf } from "./file-by-file.ts";
import { firstTaken } from "./forms.ts";

/** How often a job's end is told anew because it did not arrive: after that it waits for its person's next word. */
const MOST_FAILURES = 4;

/** A message that shows a result. */
interface Sent {
  readonly job: string;
  /** What the file was posted as. */
  readonly as: string;
}

type Delivered = Delivery &
  Pick<FileDelivery<unknown, { readonly message: string; readonly url?: string }>, "posted">;

interface Failures {
  readonly count: number;
  readonly refused: readonly string[];
}

/**
 * What keeps a message from arriving: it may be said no more, or not to them, until their next word; it is not taken like that; or
 * something that passes.
 */
export const HINDRANCES = ["window", "unreachable", "refused", "down"] as const;

/** One of {@link HINDRANCES}. */
export type Hindrance = (typeof HINDRANCES)[number];

interface ArrivalParts {
  readonly notes: ChatNotes;
  readonly windows: Windows;
  readonly intake: Pick<Intake, "notArrived">;
  /** What was posted of each result. */
  readonly deliveries: Pick<DeliveryStore<Delivered>, "find" | "drop">;
}

/**
 * The results that a platform took, on a platform that tells only later whether they arrived. What could not be brought is told anew: in
 * another form, or when its person may be spoken to again.
 */
export class Arrivals {
  /** Whatever else was posted. */
  readonly lately = new PostedLately();
  readonly #parts: ArrivalParts;

  constructor(parts: ArrivalParts) {
    this.#parts = parts;
  }

  /**
   * Tries one way to post a result after the other until the platform takes one, but those in which it could not be brought before.
   * @param ways each gets the name of its message: another one after each that did not arrive
   * @param failing the error that stands for what keeps it from arriving, where that is known already
   * @returns undefined when it takes none
   */
  async firstTaken<T extends { readonly message: string }>(
    user: UserId,
    job: string,
    ways: readonly (readonly [as: string, way: (name: string) => Promise<T | undefined>])[],
    isRefusal: (error: unknown) => boolean,
    failing: (hindrance: Hindrance) => Error,
  ): Promise<T | undefined> {
    const { count, refused } = await this.#failures(user, job);
    const left = ways.filter(([as]) => !refused.includes(as));
    const tries = left.map(([as, way]) => async () => {
      const taken = await way(`${job}:${as}:${count}`);
      const hindrance = taken && (await this.#sent(user, taken.message, { job, as }));
      if (!hindrance) return taken;
      await this.#fail(user, { job, as }, hindrance);
      throw failing(hindrance);
    });
    return firstTaken(tries, isRefusal);
  }

  /** Remembers a message until it has arrived. What keeps it from that may be heard before the answer to the call that posts it. */
  async #sent(user: UserId, message: string, sent: Sent): Promise<Hindrance | undefined> {
    const { notes } = this.#parts;
    const [chat, name] = [chatOf(user), `sent:${message}`];
    await notes.keep(chat, name, sent);
    const hindrance = await notes.find<Hindrance>(chat, failedOf(message));
    if (hindrance !== undefined) await notes.drop(chat, name);
    return hindrance;
  }

  /** Hears that a message has arrived: what may be said of it later changes nothing. */
  arrived(user: UserId, message: string): Promise<void> {
    return this.#parts.notes.drop(chatOf(user), `sent:${message}`);
  }

  /** Hears that a message will not arrive: a result is told anew, and what else was said is posted again where that may help. */
  async failed(user: UserId, message: string, hindrance: Hindrance): Promise<void> {
    const { notes, windows, intake } = this.#parts;
    const chat = chatOf(user);
    if (hindrance === "window" || hindrance === "unreachable")
      await windows.close(chat, hindrance === "unreachable");
    // Before it is looked for: whoever posts it does the two the other way round, and one of both sees the other.
    await notes.keep(chat, failedOf(message), hindrance);
    const sent = await notes.find<Sent>(chat, `sent:${message}`);
    if (!sent) return hindrance === "down" ? this.lately.lost(message) : undefined;
    await this.#fail(user, sent, hindrance);
    await this.forgetLost(user, sent.job);
    await intake.notArrived(user, sent.job);
    await notes.drop(chat, `sent:${message}`);
  }

  /**
   * Forgets that a result was posted where a message of it did not arrive. That is heard while it is being posted, too, before it
   * is noted that it was: so this comes before it is told anew as well.
   */
  async forgetLost(user: UserId, job: string): Promise<void> {
    const { notes, deliveries } = this.#parts;
    const delivery = await deliveries.find(job);
    for (const { message } of delivery ? partsOf(delivery) : [])
      if ((await notes.find(chatOf(user), failedOf(message))) !== undefined) return deliveries.drop(job);
  }

  /**
   * Takes a result back where only its person can delete what was posted: our links to it end.
   */
  async takeBack(job: string | undefined, user: UserId, links: SurfaceHost["links"]): Promise<void> {
    const { deliveries } = this.#parts;
    const delivery = job === undefined ? undefined : await deliveries.find(job);
    if (job === undefined || !delivery) return;
    for (const { url } of partsOf(delivery)) if (url !== undefined) await links.revoke(url);
    await deliveries.drop(job);
    await this.postAnew(user, job);
  }

  /** Whether a result is there for the first time, however often it is told anew. */
  async isNews(user: UserId, job: string): Promise<boolean> {
    const { notes } = this.#parts;
    const [chat, name] = [chatOf(user), `there:${job}`];
    if (await notes.find(chat, name)) return false;
    await notes.keep(chat, name, true);
    return true;
  }

  /** Has a result that was taken back posted in messages of its own, should it be shown again. */
  async postAnew(user: UserId, job: string): Promise<void> {
    const { count, refused } = await this.#failures(user, job);
    await this.#parts.notes.keep(chatOf(user), failuresOf(job), { count: count + 1, refused });
  }

  /** Remembers that a message did not arrive. */
  async #fail(user: UserId, { job, as }: Sent, hindrance: Hindrance): Promise<void> {
    const { notes, windows } = this.#parts;
    const { count, refused } = await this.#failures(user, job);
    const isRefused = hindrance === "refused";
    await notes.keep(chatOf(user), failuresOf(job), {
      count: count + 1,
      refused: isRefused ? [...refused, as] : refused,
    });
    if (count + 1 >= MOST_FAILURES) await windows.close(chatOf(user), true);
  }

  async #failures(user: UserId, job: string): Promise<Failures> {
    const found = await this.#parts.notes.find<Failures>(chatOf(user), failuresOf(job));
    return found ?? { count: 0, refused: [] };
  }
}

const failedOf = (message: string) => `failed:${message}`;
const failuresOf = (job: string) => `failures:${job}`;
const chatOf = (user: UserId) => user.slice(platformOf(user).length + 1);
