import { Follower, S } from "./follow.ts";
import type { Meanings } from "./meanings.ts";
import { bitsOf, Reached, Told, Trie } from "./trie.ts";
import { work } from "./work.ts";

/** A word that may be a piece of another one. */
export class WordPiece {
  /** As it stands, and as the letter for which it stands among pieces. */
  readonly spellings: readonly string[];
  /** What goes on by it, a bit for each letter; and what may be stretched by it. */
  readonly bits: number;
  readonly stretched: number;
  /** What it leads to where nothing has begun. */
  first: Way | undefined;
  /** How often it has been met there. */
  met = 0;

  constructor(spellings: readonly string[]) {
    this.spellings = spellings;
    let bits = 0;
    let stretched = 0;
    for (const letters of spellings) {
      const first = bitsOf(letters.charCodeAt(0));
      bits |= letters === "z" ? first | bitsOf(S) : first;
      if (isOneLetter(letters)) stretched |= first;
    }
    this.bits = bits;
    this.stretched = stretched;
  }
}

/** Takes down what is found between two places. */
export type Note = (from: number, to: number, meanings: Meanings) => void;

/** Where pieces have led: nodes, and for each the rank of the place at which its word began among those of all. */
interface State {
  readonly nodes: readonly number[];
  readonly ranks: readonly number[];
  /** How many such places there are. */
  readonly places: number;
  /** A bit for each letter by which one of the nodes goes on, and for each by which one was come to. */
  readonly bits: number;
  readonly letters: number;
  /** What the next piece leads to. */
  readonly ways: Map<WordPiece, Way>;
}

/** What one piece leads to. */
interface Way {
  readonly to: State;
  /** By rank of a place there: its rank before, or {@link HERE}. */
  readonly ranks: readonly number[];
  /** What has been put together: its meanings, and the rank before of the place at which it began. */
  readonly made: readonly (readonly [rank: number, meanings: Meanings])[];
}

/** In place of a rank: what begins with the piece itself. */
const HERE = -1;

/** How many ways are remembered, and how many may be learned in a line: that costs more than to go one. */
const MOST_WAYS = 10_000;
const MOST_LEARNED = 32;

/** How often a piece is met before it is learned what it leads to by itself. */
const LEAST_MET = 3;

/**
 * Puts pieces together to words, all that may have begun at once. The same few pieces come back in texts that are to
 * cost much, so what each leads to is remembered; what is new beyond a bound is gone through node by node.
 */
export class Pieces {
  readonly #trie: Trie;
  readonly #follower: Follower;
  readonly #states = new Map<string, State>();
  #ways = 0;
  #learned = 0;
  /** Where the pieces of a line have led, and the place of each rank. */
  #state: State | undefined;
  readonly #places: number[] = [];
  /** Or the nodes, with their places; and a bit for each letter by which one goes on, and by which one was come to. */
  #begun = new Reached();
  #bits = 0;
  #letters = 0;
  #reached = new Reached();
  readonly #made = new Told();

  constructor(trie: Trie) {
    this.#trie = trie;
    this.#follower = new Follower(trie);
  }

  /** Whether so much was learned that it should be forgotten, with all pieces. */
  get isFull(): boolean {
    return this.#ways >= MOST_WAYS;
  }

  forget(): void {
    this.#states.clear();
    this.#ways = 0;
  }

  /** Begins a line. */
  begin(): void {
    this.#learned = 0;
    this.#state = NOWHERE;
  }

  /** Goes on by what is no piece: nothing does. */
  part(): void {
    this.#state = NOWHERE;
  }

  /** Goes on by a piece that stands at a place. */
  goOn(piece: WordPiece, place: number, note: Note): void {
    const way = this.#wayOf(piece);
    if (way) this.#go(way, place, note);
    else this.#goOnByNodes(piece, place, note);
  }

  #goOnByNodes(piece: WordPiece, place: number, note: Note): void {
    if (this.#state) this.#beginFrom(this.#state, this.#places);
    this.#put(piece, place);
    const { meanings, marks, length } = this.#made;
    for (let index = 0; index < length; index++) {
      const means = meanings[index];
      if (means) note(marks[index] ?? 0, place + 1, means);
    }
    const begun = this.#reached;
    this.#reached = this.#begun;
    this.#begun = begun;
    this.#state = begun.length === 0 ? NOWHERE : undefined;
    this.#bits = 0;
    this.#letters = 0;
    for (let index = 0; index < begun.length; index++) {
      const node = begun.nodes[index] ?? Trie.ROOT;
      this.#bits |= this.#trie.bitsBehind(node);
      this.#letters |= this.#trie.bitsOf(node);
    }
  }

  #go({ to, ranks, made }: Way, place: number, note: Note): void {
    work.steps++;
    const places = this.#places;
    for (const [rank, meanings] of made) note(places[rank] ?? 0, place + 1, meanings);
    // Each comes from where it was, or from further back.
    for (let rank = 0; rank < ranks.length; rank++) {
      const before = ranks[rank] ?? HERE;
      places[rank] = before === HERE ? place : (places[before] ?? 0);
    }
    this.#state = to;
  }

  /** What a piece leads to, unless too much of the line is new. */
  #wayOf(piece: WordPiece): Way | undefined {
    const state = this.#state;
    const bits = state ? state.bits : this.#bits;
    const letters = state ? state.letters : this.#letters;
    // Most pieces go on with nothing of what was begun.
    if ((bits & piece.bits) === 0 && (letters & piece.stretched) === 0) return this.#firstOf(piece);
    const known = state?.ways.get(piece);
    if (known || !state || this.#learned >= MOST_LEARNED) return known;
    this.#learned++;
    const way = this.#learn(state, piece);
    state.ways.set(piece, way);
    return way;
  }

  /** What a piece leads to where nothing has begun: most are met a few times and never again. */
  #firstOf(piece: WordPiece): Way | undefined {
    return piece.first ?? (++piece.met < LEAST_MET ? undefined : (piece.first = this.#learn(NOWHERE, piece)));
  }

  #learn(state: State, piece: WordPiece): Way {
    this.#ways++;
    const { places } = state;
    this.#beginFrom(state, undefined);
    this.#put(piece, places);
    const { nodes, marks, length } = this.#reached;
    const kept: number[] = [];
    for (let index = 0; index < length; index++) {
      const rank = marks[index] ?? 0;
      if (!kept.includes(rank)) kept.push(rank);
    }
    kept.sort((one, other) => one - other);
    const begun: number[] = [];
    const ranks: number[] = [];
    for (let index = 0; index < length; index++) {
      begun.push(nodes[index] ?? Trie.ROOT);
      ranks.push(kept.indexOf(marks[index] ?? 0));
    }
    return {
      to: this.#stateOf(begun, ranks, kept.length),
      ranks: kept.map((rank) => (rank === places ? HERE : rank)),
      made: madeOf(this.#made),
    };
  }

  /** @param places of the ranks, which stand for themselves without */
  #beginFrom({ nodes, ranks }: State, places: readonly number[] | undefined): void {
    this.#begun.length = 0;
    for (let index = 0; index < nodes.length; index++) {
      const rank = ranks[index] ?? 0;
      this.#begun.add(nodes[index] ?? Trie.ROOT, places ? (places[rank] ?? 0) : rank);
    }
  }

  /** Finds the nodes behind those that were begun and the root, and what that makes of what began before `place`. */
  #put({ spellings }: WordPiece, place: number): void {
    const { told } = this.#follower;
    this.#reached.length = 0;
    this.#made.length = 0;
    this.#begun.add(Trie.ROOT, place);
    for (const letters of spellings) {
      this.#reached.addAll(this.#follower.follow(this.#begun, letters, isOneLetter(letters)));
      for (let index = 0; index < told.length; index++) {
        const means = told.meanings[index];
        const from = told.marks[index] ?? place;
        if (means && from < place) this.#made.add(means, from);
      }
    }
  }

  #stateOf(nodes: readonly number[], ranks: readonly number[], places: number): State {
    if (nodes.length === 0) return NOWHERE;
    const key = `${nodes.join()};${ranks.join()}`;
    const known = this.#states.get(key);
    if (known) return known;
    let bits = 0;
    let letters = 0;
    for (const node of nodes) {
      bits |= this.#trie.bitsBehind(node);
      letters |= this.#trie.bitsOf(node);
    }
    const state = { nodes, ranks, places, bits, letters, ways: new Map() };
    this.#states.set(key, state);
    return state;
  }
}

/** What was told, each once. */
function madeOf(told: Told): Way["made"] {
  const made = new Map<string, Way["made"][number]>();
  told.tellAll((meanings, rank) => made.set(`${rank} ${meanings.all.join()}`, [rank, meanings]));
  return [...made.values()];
}

const NOWHERE: State = { nodes: [], ranks: [], places: 0, bits: 0, letters: 0, ways: new Map() };

/** Whether a piece is one letter that is repeated. */
function isOneLetter(piece: string): boolean {
  for (let index = 1; index < piece.length; index++)
    if (piece.charCodeAt(index) !== piece.charCodeAt(0)) return false;
  return piece.length > 1;
}
