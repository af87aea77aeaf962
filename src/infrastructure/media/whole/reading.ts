/** What a format's rules ask of the bytes that come; `orEnd`: the file may as well end there. */
export type Demand =
  /** The next so many bytes, without taking them; fewer where the file ends before. */
  | { readonly peek: number }
  /** The next so many bytes; with `orEnd` fewer where the file ends before. */
  | { readonly take: number; readonly orEnd?: true }
  | { readonly skip: number; readonly orEnd?: true }
  /** Everything up to and including the next byte of this value. */
  | { readonly seek: number };

/** The rules of a format, byte by byte: they return where the file is whole, and throw where it breaks them. */
export type FormatRules<T = void> = Generator<Demand, T, Buffer>;

/** A file does not keep to the rules of its format, or ends too early. */
export class NotWhole extends Error {
  override readonly name = "NotWhole";
}

const NOTHING: Buffer = Buffer.alloc(0);

/** Applies rules to a file that comes in pieces. It holds no more of it than what is taken at once, a few hundred bytes. */
export class FileReading {
  readonly #rules: FormatRules;
  #demand: Demand | undefined;
  /** What came and was not taken yet. */
  #rest = NOTHING;
  /** How much of the demand to skip is left. */
  #left = 0;

  constructor(rules: FormatRules) {
    this.#rules = rules;
    this.#go(this.#rules.next());
  }

  /** @throws NotWhole as soon as the file breaks the rules */
  push(piece: Buffer): void {
    if (!this.#demand) return;
    this.#rest = this.#rest.length === 0 ? piece : Buffer.concat([this.#rest, piece]);
    while (this.#demand && this.#meet(this.#demand)) continue;
  }

  /** The file has ended. @throws NotWhole where that is too early */
  end(): void {
    while (this.#demand) {
      const demand: Demand = this.#demand;
      const mayEnd = "peek" in demand || ("orEnd" in demand && demand.orEnd);
      if (!mayEnd) throw new NotWhole("It ends too early.");
      const rest = this.#rest;
      if (!("peek" in demand)) this.#rest = NOTHING;
      this.#go(this.#rules.next("skip" in demand ? NOTHING : rest));
      while (this.#demand && this.#meet(this.#demand)) continue;
    }
  }

  /** Whether the demand could be met with what is there. */
  #meet(demand: Demand): boolean {
    const rest = this.#rest;
    if ("peek" in demand) {
      if (rest.length < demand.peek) return false;
      this.#go(this.#rules.next(rest.subarray(0, demand.peek)));
    } else if ("take" in demand) {
      if (rest.length < demand.take) return false;
      this.#rest = rest.subarray(demand.take);
      this.#go(this.#rules.next(rest.subarray(0, demand.take)));
    } else if ("skip" in demand) {
      const skipped = Math.min(this.#left, rest.length);
      this.#left -= skipped;
      this.#rest = rest.subarray(skipped);
      if (this.#left > 0) return false;
      this.#go(this.#rules.next(NOTHING));
    } else {
      const at = rest.indexOf(demand.seek);
      this.#rest = at < 0 ? NOTHING : rest.subarray(at + 1);
      if (at < 0) return false;
      this.#go(this.#rules.next(NOTHING));
    }
    return true;
  }

  #go({ done, value }: IteratorResult<Demand, void>): void {
    this.#demand = done ? undefined : value;
    if (!done && "skip" in value) this.#left = value.skip;
    if (done) this.#rest = NOTHING;
  }
}
