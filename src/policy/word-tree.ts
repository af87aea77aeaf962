import { fold } from "./fold.ts";
import { shape } from "./readings.ts";

/** A letter of words that begin alike. */
interface Node {
  readonly letter: string;
  readonly next: Map<string, Node>;
  /** What the words mean that end here. */
  readonly whole: number[];
  /** What all words mean that go on from here. */
  readonly open: number[];
}

/** A word that was found: what it means, and the place behind it. */
export interface Meant {
  readonly meaning: number;
  readonly to: number;
}

/** What may stand for a letter beside itself: a stroke for `i` and `l`, an asterisk for a vowel. */
const STANDS_FOR: Readonly<Record<string, readonly string[]>> = {
  1: ["i", "l"],
  "*": ["a", "e", "i", "o", "u"],
};

/** How long a piece of a word may be that was parted by spaces: longer ones are words of their own. */
const LONGEST_PIECE = 3;

/** How many of them may make a word. */
const MOST_PIECES = 24;

/** Words by their letters, each with a number that says what it means. Words to look in have been given their {@link shape}. */
export class WordTree {
  readonly #root = nodeOf("");
  readonly #exact: boolean;

  /** @param exact whether words are looked for as they stand, with no letter repeated */
  constructor(exact = false) {
    this.#exact = exact;
  }

  /** @param word `porn*` is every word that begins so; umlauts may be written out in a text */
  add(word: string, meaning: number): void {
    const isOpen = word.endsWith("*");
    for (const spelling of spellings(isOpen ? word.slice(0, -1) : word)) {
      let node = this.#root;
      for (const letter of shape(fold(spelling))) node = child(node, letter);
      (isOpen ? node.open : node.whole).push(meaning);
    }
  }

  /** The words that begin at a place of a line, whole or in pieces; `to` is the place in the line behind each. */
  at(line: readonly string[], from: number): Meant[] {
    const found: Meant[] = [];
    if (isWithinNumber(line, from)) return found;
    let here: readonly Node[] = [this.#root];
    for (let place = from; place < line.length && place < from + MOST_PIECES; place++) {
      const word = line[place] ?? "";
      if (place > from && !(isPiece(line[place - 1]) && isPiece(word))) break;
      const { nodes, ends } = this.#read(here, word);
      here = nodes;
      if (!isWithinNumber(line, place + 1))
        for (const meaning of ends) found.push({ meaning, to: place + 1 });
      if (here.length === 0) break;
    }
    return found;
  }

  /** The words that begin at a letter of a word; `to` is the letter behind each. */
  within(word: string, from: number): Meant[] {
    const found: Meant[] = [];
    let here: readonly Node[] = [this.#root];
    for (let place = from; place < word.length && here.length > 0; place++) {
      here = this.#step(here, word.charAt(place));
      for (const { whole, open } of here) {
        for (const meaning of [...whole, ...open]) found.push({ meaning, to: place + 1 });
        for (const meaning of open) found.push({ meaning, to: word.length });
      }
    }
    return found;
  }

  /** Goes on by a word. */
  #read(from: readonly Node[], word: string): { nodes: readonly Node[]; ends: ReadonlySet<number> } {
    const ends = new Set<number>();
    let nodes = from;
    for (const letter of word.replace("'", "")) {
      const before = nodes;
      nodes = this.#step(nodes, letter);
      for (const { open } of nodes) for (const meaning of open) ends.add(meaning);
      if (nodes.length === 0 && letter !== "z") return { nodes, ends };
      // A plural may end so.
      if (letter === "z" && word.endsWith("z"))
        for (const { whole } of this.#step(before, "s")) for (const meaning of whole) ends.add(meaning);
    }
    for (const { whole } of nodes) for (const meaning of whole) ends.add(meaning);
    return { nodes, ends };
  }

  #step(from: readonly Node[], letter: string): readonly Node[] {
    const to = new Set<Node>();
    for (const node of from)
      for (const meant of [letter, ...(STANDS_FOR[letter] ?? [])]) {
        const next = node.next.get(meant);
        if (next) to.add(next);
        if (node.letter === meant && !this.#exact) to.add(node);
      }
    return [...to];
  }
}

const nodeOf = (letter: string): Node => ({ letter, next: new Map(), whole: [], open: [] });

function child(node: Node, letter: string): Node {
  const known = node.next.get(letter);
  if (known) return known;
  const made = nodeOf(letter);
  node.next.set(letter, made);
  return made;
}

/** With umlauts as plain letters, as accents fold, and written out. */
export function spellings(word: string): readonly string[] {
  const out = word.replaceAll(/[äöü]/g, (umlaut) => `${fold(umlaut)}e`);
  return out === word ? [word] : [word, out];
}

/** What follows an apostrophe is no piece. */
const isPiece = (word = "") => word.length <= LONGEST_PIECE && !word.startsWith("'");

/** Whether a place is between two digits: those that stand alone in a row are one number. */
const isWithinNumber = (line: readonly string[], at: number) =>
  /^\d$/.test(line[at - 1] ?? "") && /^\d$/.test(line[at] ?? "");
