import type { UserId } from "../../seam/values.ts";

/** How quickly a receiver answered lately: at once (or it is not known yet), late, or not at all. */
type Promptness = "quick" | "late" | "silent";

/**
 * How many tries may be begun of each class: in all, for one partner, for one receiver. Whoever keeps us waiting has only
 * places that nobody else needs.
 */
const CLASSES: Readonly<
  Record<Promptness, { readonly all: number; readonly user: number; readonly receiver: number }>
> = {
  quick: { all: 64, user: 8, receiver: 4 },
  late: { all: 64, user: 4, receiver: 2 },
  silent: { all: 32, user: 2, receiver: 1 },
};

/** How many tries may hang at once, of one partner and in all: of more, the one that hangs longest is given up. */
const HANGING = { user: 16, all: 256 } as const;

/** How long a try may take before it gives back its quick place, in milliseconds; an answer takes tens of them. */
export const PATIENCE_MS = 1_000;

/** How long a receiver that answered nothing is left alone: doubled each time, up to the second. In milliseconds. */
const REST_MS = { first: 5_000, longest: 5 * 60_000 } as const;

/** Whom a try is for. */
export interface Receiver {
  /** An endpoint, or all addresses of one host that came with one partner's requests. */
  readonly receiver: string;
  readonly user: UserId;
}

/** A try that is under way. */
export interface SendingPlace extends Receiver {
  /** Gives it up: what comes of it counts as nothing answered. */
  readonly giveUp: () => void;
}

interface Taken {
  promptness: Promptness;
  /** Whether it has taken longer than an answer should. */
  hangs: boolean;
}

/** What is remembered of a receiver that did not answer at once; one that did is forgotten. */
interface Slow {
  /** Tries in a row that answered nothing. */
  readonly unanswered: number;
  /** Nothing is begun before, in milliseconds since 1970. */
  readonly notBefore: number;
}

/**
 * Who may be tried now. A receiver that is not known to be slow has the quick places; it keeps one for
 * {@link PATIENCE_MS} at most, so that however many fall silent at once, everybody else's turn comes.
 */
export class SendingPlaces {
  /** In the order in which they were taken. */
  readonly #taken = new Map<SendingPlace, Taken>();
  readonly #slow = new Map<string, Slow>();

  /** Whether something may be begun for a receiver. @param now milliseconds since 1970 */
  mayBegin({ receiver, user }: Receiver, now: number): boolean {
    const rest = (this.#slow.get(receiver)?.notBefore ?? 0) - now;
    // One that seems to be far longer than any dates from before the clock was set back.
    if (rest > 0 && rest <= 2 * REST_MS.longest) return false;
    const promptness = this.#promptnessOf(receiver);
    const most = CLASSES[promptness];
    const alike = [...this.#taken]
      .filter(([, taken]) => taken.promptness === promptness)
      .map(([place]) => place);
    return (
      alike.length < most.all &&
      alike.filter((place) => place.user === user).length < most.user &&
      this.#count((place) => place.receiver === receiver) < most.receiver
    );
  }

  /** How many tries of a partner are under way. */
  of(user: UserId): number {
    return this.#count((place) => place.user === user);
  }

  take(place: SendingPlace): void {
    this.#taken.set(place, { promptness: this.#promptnessOf(place.receiver), hangs: false });
  }

  /** Notes that a try has taken {@link PATIENCE_MS}. Whoever has too many of them loses the oldest. */
  hangs(place: SendingPlace): void {
    const taken = this.#taken.get(place);
    if (!taken) return;
    taken.hangs = true;
    if (taken.promptness === "quick") taken.promptness = "late";
    if (!this.#slow.has(place.receiver)) this.#slow.set(place.receiver, { unanswered: 0, notBefore: 0 });
    const hanging = [...this.#taken].filter(([, one]) => one.hangs).map(([one]) => one);
    const own = hanging.filter(({ user }) => user === place.user);
    if (own.length > HANGING.user) own[0]?.giveUp();
    else if (hanging.length > HANGING.all) hanging[0]?.giveUp();
  }

  /** Gives a place back. @param answered whether there was any answer */
  leave(place: SendingPlace, answered: boolean, now: number): void {
    const hung = this.#taken.get(place)?.hangs ?? false;
    this.#taken.delete(place);
    const { receiver } = place;
    if (!hung) this.#slow.delete(receiver);
    else if (answered) this.#slow.set(receiver, { unanswered: 0, notBefore: 0 });
    else {
      const unanswered = (this.#slow.get(receiver)?.unanswered ?? 0) + 1;
      const rest = Math.min(REST_MS.first * 2 ** (unanswered - 1), REST_MS.longest);
      this.#slow.set(receiver, { unanswered, notBefore: now + rest });
    }
  }

  /** Forgets those who were last tried long ago: they are tried as anybody is. */
  forget(before: number): void {
    for (const [receiver, { notBefore }] of this.#slow) if (notBefore < before) this.#slow.delete(receiver);
  }

  #promptnessOf(receiver: string): Promptness {
    const slow = this.#slow.get(receiver);
    if (!slow) return "quick";
    return slow.unanswered === 0 ? "late" : "silent";
  }

  #count(counts: (place: SendingPlace) => boolean): number {
    return [...this.#taken.keys()].filter(counts).length;
  }
}
