import { fold } from "./fold.ts";
import { AS_LETTER, shape } from "./readings.ts";

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
  readonly #begin: readonly Node[] = [this.#root];
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
      for (const letter of shape(fold(spelling)).split("")) node = child(node, letter);
      (isOpen ? node.open : node.whole).push(meaning);
    }
  }

  /** The words that begin at a place of a line, whole or in pieces; `to` is the place in the line behind each. */
  at(line: readonly string[], from: number): Meant[] {
    const found: Meant[] = [];
    if (isWithinNumber(line, from)) return found;
    const note = (meanings: readonly number[], to: number) => {
      if (meanings.length > 0 && !isWithinNumber(line, to))
        for (const meaning of meanings) found.push({ meaning, to });
    };
    note(this.#read(this.#begin, line[from] ?? "", !this.#exact).ends, from + 1);
    let here = this.#begin;
    for (let place = from; place < from + MOST_PIECES && here.length > 0; place++) {
      const piece = line[place];
      if (!isPiece(piece)) break;
      // A digit by itself is a number to a reader, but not among pieces.
      const letter = AS_LETTER[piece];
      const read = (letter === undefined ? [piece] : [piece, letter]).map((as) =>
        this.#read(here, as, isOneLetter(as)),
      );
      if (place > from) for (const { ends } of read) note(ends, place + 1);
      here = read.flatMap(({ nodes }) => nodes);
    }
    return found;
  }

  /** The words that begin at a letter of a word; `to` is the letter behind each. */
  within(word: string, from: number): Meant[] {
    const found: Meant[] = [];
    let here = this.#begin;
    for (let place = from; place < word.length && here.length > 0; place++) {
      here = step(here, word.charAt(place), !this.#exact);
      for (const { whole, open } of here) {
        for (const meaning of whole) found.push({ meaning, to: place + 1 });
        for (const meaning of open) found.push({ meaning, to: place + 1 }, { meaning, to: word.length });
      }
    }
    return found;
  }

  /** Goes on by a word, whose letters may be stretched. */
  #read(from: readonly Node[], word: string, mayStretch: boolean): Reached {
    const ends: number[] = [];
    let nodes = from;
    for (let index = word.startsWith("'") ? 1 : 0; index < word.length && nodes.length > 0; index++) {
      const letter = word.charAt(index);
      const isLast = index === word.length - 1;
      // A plural may end so.
      if (isLast && letter === "z") for (const { whole } of step(nodes, "s", mayStretch)) ends.push(...whole);
      nodes = step(nodes, letter, mayStretch);
      for (const { whole, open } of nodes) ends.push(...open, ...(isLast ? whole : []));
    }
    return { nodes, ends };
  }
}

/** How far letters lead, and what those words mean that end there. */
interface Reached {
  readonly nodes: readonly Node[];
  readonly ends: readonly number[];
}

/** The nodes behind some others by a letter. */
function step(from: readonly Node[], letter: string, mayStretch: boolean): readonly Node[] {
  const to: Node[] = [];
  const add = (node: Node | undefined) => {
    if (node && !to.includes(node)) to.push(node);
  };
  const others = STANDS_FOR[letter];
  for (const node of from) {
    add(node.next.get(letter));
    for (const other of others ?? []) add(node.next.get(other));
    if (mayStretch && (node.letter === letter || others?.includes(node.letter))) add(node);
  }
  return to;
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
const isPiece = (word: string | undefined): word is string =>
  word !== undefined && word.length <= LONGEST_PIECE && !word.startsWith("'");

/** Whether a piece is one letter that is repeated. */
const isOneLetter = (piece: string) => piece.length > 1 && piece === piece.charAt(0).repeat(piece.length);

/** Whether a place is between two digits: those that stand alone in a row are one number. */
const isWithinNumber = (line: readonly string[], at: number) => isDigit(line[at - 1]) && isDigit(line[at]);

const isDigit = (word = "") => word.length === 1 && word >= "0" && word <= "9";
