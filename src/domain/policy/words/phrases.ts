import { GAP } from "./compile.ts";

/** One bit of 32 for what a word means. */
export const bitOf = (meaning: number) => 1 << (meaning & 31);

export const GAP_BIT = bitOf(GAP);

/** In place of where a phrase begins: behind every place. */
export const NOWHERE = Infinity;

/** Where phrases go on. */
export class PhraseNode {
  /** What their next words mean, and where those lead to. */
  readonly next: { readonly meaning: number; readonly bit: number; readonly to: PhraseNode }[] = [];
  /** {@link bitOf} each of these meanings. */
  wanted = 0;
  /** What goes on behind a gap. */
  gap: PhraseNode | undefined;
  /** The lists of which there is a phrase that ends here. */
  readonly ends: number[] = [];
  /** Where phrases begin that have come to the place that is looked at: the first of them. */
  from = NOWHERE;

  /** Where a word leads to that is added behind. */
  grow(meaning: number): PhraseNode {
    if (meaning === GAP) return (this.gap ??= new PhraseNode());
    const known = this.next.find((one) => one.meaning === meaning);
    if (known) return known.to;
    const to = new PhraseNode();
    this.next.push({ meaning, bit: bitOf(meaning), to });
    this.wanted |= bitOf(meaning);
    return to;
  }
}

/** The phrases that begin with one of several meanings. */
export class Beginning {
  /** The lists of those that end there. */
  readonly ends: number[] = [];
  /** Where others go on, and {@link bitOf} each meaning by which they may. */
  readonly nodes: PhraseNode[] = [];
  wanted = 0;

  add(node: PhraseNode): void {
    for (const list of node.ends) if (!this.ends.includes(list)) this.ends.push(list);
    if (node.next.length === 0 && !node.gap) return;
    this.nodes.push(node);
    this.wanted |= node.wanted | (node.gap ? node.gap.wanted | GAP_BIT : 0);
  }
}
