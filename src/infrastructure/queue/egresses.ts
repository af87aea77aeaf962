import { steady } from "../../common/time.ts";

/** What the choice is made of. */
interface EgressesOptions {
  readonly names: readonly string[];
  /** Whether no connection could be made by one of them, when that was last tried. */
  readonly isAway: (name: string) => boolean;
  /** How long one is passed over by which none could be made, in milliseconds. */
  readonly passedOverMs: number;
}

/** A line for places at any of them; what nobody waits for has lines of its own. */
interface Line {
  readonly group: string;
  readonly background: boolean;
}

/**
 * The addresses that requests leave by, and in which order a place in their windows is asked for: in turn, but first where one is
 * likely to be free. One that cannot be left by is passed over while there are others; once in a while a request tries it that
 * nobody waits for, and that is repeated.
 */
export class Egresses {
  readonly #options: EgressesOptions;
  /** That by which something left last is at the end. */
  readonly #inTurn: string[];
  /** Until when each one's window is known to be full, by its line and name. */
  readonly #fullUntil = new Map<string, number>();
  /** When those are tried again that cannot be left by. */
  readonly #triedAgainAt = new Map<string, number>();

  constructor(options: EgressesOptions) {
    this.#options = options;
    this.#inTurn = [...options.names];
  }

  /**
   * Whom to ask for a place now: at least one, so that whoever waits is known to wait there, and of the others those that are not
   * known to be full.
   */
  toAsk(line: Line): readonly string[] {
    const now = steady();
    const fullUntil = (name: string) => Math.max(now, this.#fullUntil.get(nameOf(line, name)) ?? now);
    const all = this.#usable(line).toSorted((a, b) => fullUntil(a) - fullUntil(b));
    return all.filter((name, place) => place === 0 || fullUntil(name) === now);
  }

  /** When one of them is free, as far as is known, by {@link steady}. */
  freeAt(line: Line): number {
    return Math.min(...this.#usable(line).map((name) => this.#fullUntil.get(nameOf(line, name)) ?? 0));
  }

  /** @param ms for how long it has no place, as far as is known */
  noteFull(line: Line, name: string, ms: number): void {
    this.#fullUntil.set(nameOf(line, name), steady() + ms);
  }

  /** A request is about to leave by this one. */
  noteTaken(name: string): void {
    this.#inTurn.splice(this.#inTurn.indexOf(name), 1);
    this.#inTurn.push(name);
    if (this.#triedAgainAt.has(name)) this.#passOver(name);
  }

  #usable({ background }: Line): readonly string[] {
    const there = this.#inTurn.filter((name) => {
      const { isAway } = this.#options;
      if (!isAway(name)) return this.#triedAgainAt.delete(name) || true;
      const again = this.#triedAgainAt.get(name) ?? this.#passOver(name);
      return background && again <= steady();
    });
    return there.length > 0 ? there : this.#inTurn;
  }

  #passOver(name: string): number {
    const again = steady() + this.#options.passedOverMs;
    this.#triedAgainAt.set(name, again);
    return again;
  }
}

const nameOf = ({ group, background }: Line, name: string) => JSON.stringify([group, background, name]);
