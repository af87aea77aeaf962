import { fold } from "./fold.ts";
import { type Readings, shape } from "./readings.ts";

/** Words that a language's terms may leave open. */
export interface Grammar {
  /** Words of little meaning: `~` stands for up to three of them. */
  readonly little: readonly string[];
  /** Numbers below 18 as words: `#` stands for one, or for digits. */
  readonly numbers: readonly string[];
}

/**
 * Terms to look for in {@link Readings}. A term is one word or several, each with alternatives: `young girl|boy`.
 * `porn*` is every word that begins so; `~` and `#` are as {@link Grammar} says. Umlauts may be written out in a text.
 */
export class Terms {
  readonly #whole: RegExp;
  readonly #alone: RegExp;
  readonly #inside: RegExp;

  constructor(terms: readonly string[], grammar: Grammar) {
    const source = anyOf(terms.flatMap((term) => sourcesOf(term, grammar)));
    this.#whole = wholeWords(source);
    this.#alone = new RegExp(`^${source}(?: \\d+)*$`, "m");
    // A gap or a number may be anything between two letters.
    const letters = terms.filter((term) => !/[~#]/.test(term)).map((term) => term.replaceAll("*", ""));
    const sources = letters
      .flatMap((term) => sourcesOf(term, grammar))
      .map((source) => source.replaceAll(" ", ""));
    this.#inside = new RegExp(anyOf(sources));
  }

  /** Whether a text contains one, however it is read. */
  areIn({ words, spread }: Readings): boolean {
    return words.search(this.#whole) >= 0 || this.#inside.test(spread);
  }

  /** Whether one is all that a text says; a number may weigh it, as in `hat:1.4`. */
  are({ words }: Readings): boolean {
    return this.#alone.test(words);
  }

  /** The text without them. */
  cutFrom({ words, spread }: Readings): Readings {
    return { words: words.replaceAll(this.#whole, "~"), spread };
  }
}

/**
 * Words that are made of one of each list, the second behind the first, with an ending between or none: as German
 * makes them, and hashtags do.
 */
export function compoundsOf(first: readonly string[], second: readonly string[]): RegExp {
  const heads = singles(first).map((word) => word.replace("*", ""));
  return wholeWords(
    `${anyOf(sourcesOfWords(heads))}(?:s|e?[nry]|es?)?${anyOf(sourcesOfWords(singles(second)))}`,
  );
}

/** The words of terms that are one. */
const singles = (terms: readonly string[]) =>
  terms.filter((term) => !/[ ~#]/.test(term)).flatMap((term) => term.split("|"));

/** A regular expression's source for each way in which a term can begin. */
function sourcesOf(term: string, grammar: Grammar): string[] {
  const [first = "", ...others] = term.split(" ");
  const rest = others.map((slot) => (slot === "~" ? gapOf(grammar) : ` ${slotOf(slot, grammar)}`)).join("");
  const firsts = first === "#" ? [slotOf(first, grammar)] : sourcesOfWords(first.split("|"));
  return firsts.map((source) => source + rest);
}

const gapOf = ({ little }: Grammar) => `(?: ${anyOf(sourcesOfWords(little))}){0,3}`;
const slotOf = (slot: string, { numbers }: Grammar) =>
  slot === "#"
    ? `(?:0?\\d|1[0-7]|${anyOf(sourcesOfWords(numbers))})`
    : anyOf(sourcesOfWords(slot.split("|")));

const sourcesOfWords = (words: readonly string[]) => words.flatMap(spellings).map(wordSource);

/** With umlauts as plain letters, as accents fold, and written out. */
function spellings(word: string): readonly string[] {
  const out = word.replaceAll(/[äöü]/g, (umlaut) => `${fold(umlaut)}e`);
  return out === word ? [word] : [word, out];
}

/** Letters of a {@link shape}: at least as many as the word has. */
function wordSource(word: string): string {
  const runs = shape(fold(word)).match(/(.)\1?/gu) ?? [];
  const letters = runs.map(([letter = "", second], index) => {
    const isLast = index === runs.length - 1 && !word.endsWith("*");
    return `${eitherOf(letter, isLast)}{${second ? 2 : "1,2"}}`;
  });
  return letters.join("") + (word.endsWith("*") ? "\\S*" : "");
}

/** What may stand for a letter: `*` for a vowel, a stroke, a `z` for the `s` of a plural. */
function eitherOf(letter: string, isLast: boolean): string {
  if (letter === "i") return "[i1*]";
  if (letter === "l") return "[l1]";
  if (letter === "s" && isLast) return "[sz]";
  return /[aeou]/.test(letter) ? `[${letter}*]` : letter;
}

const wholeWords = (source: string) => new RegExp(`(?<!\\S)${source}(?!\\S)`, "g");

/**
 * Any of some sources, those with the same first letter together: most words of a text are then done with after one.
 * None at all is found nowhere.
 */
function anyOf(sources: readonly string[]): string {
  const groups = Map.groupBy(sources, (source) => /^(?:\[[^\]]+\]|\w)\{[^}]+\}/.exec(source)?.[0] ?? "");
  const alternatives = [...groups].map(([letter, those]) => {
    const rests = those.map((source) => source.slice(letter.length));
    return `${letter}(?:${rests.join("|")})`;
  });
  return alternatives.length > 0 ? `(?:${alternatives.join("|")})` : "(?!)";
}
