import { work } from "./work.ts";

const codesOf = (letters: string) => Array.from(letters, (letter) => letter.charCodeAt(0));

/** What may stand for a letter beside itself: a stroke for `i` and `l`, an asterisk for a vowel. */
const [STROKE = 0, ASTERISK = 0] = codesOf("1*");
const STROKES = codesOf("il");
const VOWELS = codesOf("aeiou");

/** How many nodes letters may lead to at once; what stands for more letters than that is read by nobody. */
const MOST_NODES = 48;

const NONE: readonly number[] = [];

/** Nodes that letters lead to, and what each of them came with: both by the same index. */
export interface Reached {
  readonly nodes: number[];
  readonly marks: number[];
}

/** Words by their letters: nodes are numbers, and each holds what the words mean that end there or go on from there. */
export class Trie {
  static readonly ROOT = 0;

  /** By node: its letter, its first child, the next child of its parent. */
  readonly #letter: number[] = [0];
  readonly #first: number[] = [0];
  readonly #next: number[] = [0];
  readonly #beginning = new Map<number, number>();
  /** By node: the last step that led there, and where it stands among what that one reached. */
  readonly #reachedIn: number[] = [0];
  readonly #reachedAt: number[] = [0];
  #turn = 0;
  readonly #whole: (number[] | undefined)[] = [undefined];
  readonly #open: (number[] | undefined)[] = [undefined];

  add(word: string, meaning: number, isOpen: boolean): void {
    let node = Trie.ROOT;
    for (let index = 0; index < word.length; index++) {
      const letter = word.charCodeAt(index);
      node = this.child(node, letter) ?? this.#grow(node, letter);
    }
    const known = (isOpen ? this.#open : this.#whole)[node];
    if (!known) (isOpen ? this.#open : this.#whole)[node] = [meaning];
    else if (!known.includes(meaning)) known.push(meaning);
  }

  /** What the words mean that end at a node. */
  whole(node: number): readonly number[] {
    return this.#whole[node] ?? NONE;
  }

  /** What all words mean that go on from a node. */
  open(node: number): readonly number[] {
    return this.#open[node] ?? NONE;
  }

  child(node: number, letter: number): number | undefined {
    work.steps++;
    if (node === Trie.ROOT) return this.#beginning.get(letter);
    for (let child = this.#first[node] ?? 0; child !== 0; child = this.#next[child] ?? 0)
      if (this.#letter[child] === letter) return child;
    return undefined;
  }

  /** The nodes behind one by any Latin letter. */
  *latinChildren(node: number): Generator<number> {
    for (let child = this.#first[node] ?? 0; child !== 0; child = this.#next[child] ?? 0) {
      work.steps++;
      if ((this.#letter[child] ?? 0) < 0x80) yield child;
    }
  }

  /** The nodes behind some others by a letter, each with what those came with; of two the larger. */
  step(from: Reached, letter: string, mayStretch: boolean): Reached {
    const to: Reached = { nodes: [], marks: [] };
    this.#turn++;
    const code = letter.charCodeAt(0);
    const others = code === STROKE ? STROKES : code === ASTERISK ? VOWELS : NONE;
    for (let index = 0; index < from.nodes.length; index++) {
      const node = from.nodes[index] ?? Trie.ROOT;
      const mark = from.marks[index] ?? 0;
      this.#reach(to, this.child(node, code), mark);
      for (const other of others) this.#reach(to, this.child(node, other), mark);
      const own = this.#letter[node] ?? 0;
      if (mayStretch && node !== Trie.ROOT && (own === code || others.includes(own)))
        this.#reach(to, node, mark);
    }
    return to;
  }

  #reach(to: Reached, node: number | undefined, mark: number): void {
    if (node === undefined) return;
    if (this.#reachedIn[node] === this.#turn) {
      const at = this.#reachedAt[node] ?? 0;
      to.marks[at] = Math.max(mark, to.marks[at] ?? 0);
    } else if (to.nodes.length < MOST_NODES) {
      this.#reachedIn[node] = this.#turn;
      this.#reachedAt[node] = to.nodes.length;
      to.nodes.push(node);
      to.marks.push(mark);
    }
  }

  #grow(parent: number, letter: number): number {
    const node = this.#letter.length;
    this.#letter.push(letter);
    this.#whole.push(undefined);
    this.#open.push(undefined);
    this.#first.push(0);
    this.#reachedIn.push(0);
    this.#reachedAt.push(0);
    if (parent === Trie.ROOT) {
      this.#beginning.set(letter, node);
      this.#next.push(0);
    } else {
      this.#next.push(this.#first[parent] ?? 0);
      this.#first[parent] = node;
    }
    return node;
  }
}
