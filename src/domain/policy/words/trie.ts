import { Meanings } from "./meanings.ts";
import { work } from "./work.ts";

const codesOf = (letters: string) => Array.from(letters, (letter) => letter.charCodeAt(0));

/** What is a letter and may stand for others: a stroke for `i` and `l`, an asterisk for a vowel. */
const [STROKE = 0, ASTERISK = 0] = codesOf("1*");
const STROKES = codesOf("1il");
const VOWELS = codesOf("*aeiou");

/** How many nodes letters may lead to at once; what stands for more letters than that is read by nobody. */
const MOST_NODES = 48;

/** In place of a node where there is none: the root is nobody's child. */
const NOBODY = 0;

/** One bit of 32. */
const bitOf = (letter: number) => 1 << (letter & 31);
const allBitsOf = (letters: readonly number[]) => letters.reduce((bits, letter) => bits | bitOf(letter), 0);
const STROKE_BITS = allBitsOf(STROKES);
const VOWEL_BITS = allBitsOf(VOWELS);

/** The bits of all letters that one may stand for. */
export const bitsOf = (letter: number) =>
  letter === STROKE ? STROKE_BITS : letter === ASTERISK ? VOWEL_BITS : bitOf(letter);

/** Spreads children over their table: parents are numbered in a row, and so are letters. */
const hashOf = (parent: number, letter: number) =>
  (Math.imul(parent, 0x9e3779b1) ^ Math.imul(letter, 0x85ebca6b)) >>> 8;

/** Nodes that letters lead to, and what each of them came with: both by the same index, as far as `length`. */
export class Reached {
  /** Two steps' worth, and the root. */
  readonly nodes = new Int32Array(2 * MOST_NODES + 1);
  readonly marks = new Int32Array(2 * MOST_NODES + 1);
  length = 0;

  add(node: number, mark: number): void {
    this.nodes[this.length] = node;
    this.marks[this.length++] = mark;
  }

  addAll(others: Reached): void {
    for (let index = 0; index < others.length; index++)
      this.add(others.nodes[index] ?? NOBODY, others.marks[index] ?? 0);
  }
}

/** What words mean that were come by, and what each of those came with: both by the same index. */
export class Told {
  readonly meanings: Meanings[] = [];
  readonly marks: number[] = [];
  length = 0;

  add(meanings: Meanings, mark: number): void {
    this.meanings[this.length] = meanings;
    this.marks[this.length++] = mark;
  }

  tellAll(take: (meanings: Meanings, mark: number) => unknown): void {
    for (let index = 0; index < this.length; index++) {
      const meanings = this.meanings[index];
      if (meanings) take(meanings, this.marks[index] ?? 0);
    }
  }
}

/** Words by their letters: nodes are numbers, and each holds what the words mean that end there or go on from there. */
export class Trie {
  static readonly ROOT = 0;

  /** By node: its letter, its first child, the next child of its parent. */
  readonly #letter: number[] = [NOBODY];
  readonly #first: number[] = [NOBODY];
  readonly #next: number[] = [NOBODY];
  readonly #letters = new Set<number>();
  /** By node: a bit for each letter of its children, some of which share one: most have not what is looked for. */
  readonly #bits: number[] = [0];
  readonly #parent: number[] = [NOBODY];
  /** Children by the hash of their parent and letter, each in the first place from there that was free. */
  #children = new Int32Array(1 << 10);
  /** By node: where it stood among what the last step reached that led there. */
  readonly #reachedAt: number[] = [0];
  /** By node: what the words mean that end there, and those that go on from there. */
  readonly #whole: (Meanings | undefined)[] = [undefined];
  readonly #open: (Meanings | undefined)[] = [undefined];

  add(word: string, meaning: number, isOpen: boolean): void {
    let node = Trie.ROOT;
    for (let index = 0; index < word.length; index++) {
      const letter = word.charCodeAt(index);
      node = this.child(node, letter) ?? this.#grow(node, letter);
    }
    const meanings = isOpen ? this.#open : this.#whole;
    (meanings[node] ??= new Meanings()).add(meaning);
  }

  /** What the words mean that end at a node. */
  whole(node: number): Meanings | undefined {
    return this.#whole[node];
  }

  /** What all words mean that go on from a node. */
  open(node: number): Meanings | undefined {
    return this.#open[node];
  }

  /** Tells what the words mean that end at nodes, with what those came with. */
  tellWhole(reached: Reached, told: Told): void {
    const { nodes, marks, length } = reached;
    for (let index = 0; index < length; index++) {
      const whole = this.#whole[nodes[index] ?? NOBODY];
      if (whole) told.add(whole, marks[index] ?? 0);
    }
  }

  /** Tells what all words mean that go on from nodes, with what those came with. */
  tellOpen(reached: Reached, told: Told): void {
    const { nodes, marks, length } = reached;
    for (let index = 0; index < length; index++) {
      const open = this.#open[nodes[index] ?? NOBODY];
      if (open) told.add(open, marks[index] ?? 0);
    }
  }

  child(node: number, letter: number): number | undefined {
    work.steps++;
    if (((this.#bits[node] ?? 0) & bitOf(letter)) === 0) return undefined;
    const children = this.#children;
    const last = children.length - 1;
    for (let place = hashOf(node, letter) & last; ; place = (place + 1) & last) {
      const child = children[place] ?? NOBODY;
      if (child === NOBODY) return undefined;
      if (this.#letter[child] === letter && this.#parent[child] === node) return child;
    }
  }

  /** The bits of a node's letter, and of those of its children. */
  bitsOf(node: number): number {
    return bitOf(this.#letter[node] ?? NOBODY);
  }

  bitsBehind(node: number): number {
    return this.#bits[node] ?? 0;
  }

  /** Whether a letter stands in any word. */
  has(letter: number): boolean {
    return this.#letters.has(letter);
  }

  /** The node that a word leads to as it stands. */
  descend(word: string): number | undefined {
    let node: number | undefined = Trie.ROOT;
    for (let index = 0; index < word.length && node !== undefined; index++)
      node = this.child(node, word.charCodeAt(index));
    return node;
  }

  /** The nodes behind one by any Latin letter. */
  *latinChildren(node: number): Generator<number> {
    for (let child = this.#first[node] ?? NOBODY; child !== NOBODY; child = this.#next[child] ?? NOBODY) {
      work.steps++;
      if ((this.#letter[child] ?? NOBODY) < 0x80) yield child;
    }
  }

  /**
   * Finds the nodes behind some others by a letter, each with what those came with; of two the larger.
   * @param to for those: what it held is forgotten
   */
  step(from: Reached, letter: number, mayStretch: boolean, to: Reached): void {
    to.length = 0;
    const letters = letter === STROKE ? STROKES : letter === ASTERISK ? VOWELS : undefined;
    const bits = bitsOf(letter);
    const { nodes, marks, length } = from;
    for (let index = 0; index < length; index++) {
      const node = nodes[index] ?? NOBODY;
      const mark = marks[index] ?? 0;
      work.steps++;
      // Most nodes go on by none of them.
      if (((this.#bits[node] ?? 0) & bits) !== 0) {
        if (letters) for (const one of letters) this.#reach(to, this.child(node, one), mark);
        else this.#reach(to, this.child(node, letter), mark);
      }
      if (!mayStretch || node === Trie.ROOT) continue;
      const own = this.#letter[node] ?? NOBODY;
      if (own === letter || letters?.includes(own)) this.#reach(to, node, mark);
    }
  }

  #reach(to: Reached, node: number | undefined, mark: number): void {
    if (node === undefined) return;
    const before = this.#reachedAt[node] ?? 0;
    // What another step led to may stand there by now.
    if (before < to.length && to.nodes[before] === node) {
      if (mark > (to.marks[before] ?? 0)) to.marks[before] = mark;
    } else if (to.length < MOST_NODES) {
      this.#reachedAt[node] = to.length;
      to.add(node, mark);
    }
  }

  #grow(parent: number, letter: number): number {
    const node = this.#letter.length;
    this.#letter.push(letter);
    this.#letters.add(letter);
    this.#parent.push(parent);
    this.#first.push(NOBODY);
    this.#next.push(this.#first[parent] ?? NOBODY);
    this.#first[parent] = node;
    this.#bits.push(0);
    this.#bits[parent] = (this.#bits[parent] ?? 0) | bitOf(letter);
    this.#reachedAt.push(0);
    this.#whole.push(undefined);
    this.#open.push(undefined);
    this.#place(node);
    // Where most places are taken it is far to a free one.
    if (node * 3 > this.#children.length) {
      this.#children = new Int32Array(this.#children.length * 2);
      for (let other = 1; other <= node; other++) this.#place(other);
    }
    return node;
  }

  #place(node: number): void {
    const children = this.#children;
    const last = children.length - 1;
    let place = hashOf(this.#parent[node] ?? NOBODY, this.#letter[node] ?? NOBODY) & last;
    while (children[place] !== NOBODY) place = (place + 1) & last;
    children[place] = node;
  }
}
