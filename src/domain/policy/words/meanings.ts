import { type Beginning, bitOf } from "./phrases.ts";

/** All that a word means. */
export class Meanings {
  readonly all: number[] = [];
  /** {@link bitOf} each of them. */
  bits = 0;
  /** The phrases that begin with one of them, once it was asked for. */
  beginning: Beginning | undefined;

  add(meaning: number): void {
    if (this.all.includes(meaning)) return;
    this.all.push(meaning);
    this.bits |= bitOf(meaning);
  }

  /** What several words mean together. */
  static of(several: readonly Meanings[]): Meanings | undefined {
    const [first] = several;
    if (several.every((one) => one === first)) return first;
    const together = new Meanings();
    for (const { all } of several) for (const meaning of all) together.add(meaning);
    return together;
  }
}
