import { fold } from "./fold.ts";
import { type Readings, shape } from "./readings.ts";

/** Words that a language's terms may leave open. */
export interface Grammar {
  /** Words of little meaning: `~` stands for up to three of them. */
  readonly little: readonly string[];
  /** Numbers below 18 as words: `#` stands for one, or for digits. */
  readonly numbers: readonly string[];
  /** Whether terms are looked for as they stand, with no letter repeated. */
  readonly exact?: boolean;
}

/** What may stand at one place of a term: one word, or at a gap up to {@link MOST_LITTLE} of them. */
interface Slot {
  readonly words: RegExp;
  readonly isGap: boolean;
}

/** How many words a gap may hold. */
const MOST_LITTLE = 3;

/**
 * Terms to look for in {@link Readings}. A term is one word or several, each with alternatives: `young girl|boy`.
 * `porn*` is every word that begins so; `~` and `#` are as {@link Grammar} says. Umlauts may be written out in a text.
 *
 * A text is gone through word by word: one pattern for whole terms would be so large that to compile it takes seconds.
 */
export class Terms {
  /** Terms of one word, all in one. */
  readonly #single: RegExp;
  readonly #phrases: readonly (readonly Slot[])[];
  readonly #inside: RegExp;

  constructor(terms: readonly string[], grammar: Grammar) {
    const little = { words: wordOf(sourcesOfWords(grammar.little)), isGap: true };
    const slotOf = (slot: string): Slot =>
      slot === "~" ? little : { words: wordOf(slotSources(slot, grammar)), isGap: false };
    this.#single = wordOf(
      terms.filter((term) => !isPhrase(term)).flatMap((term) => slotSources(term, grammar)),
    );
    this.#phrases = terms.filter(isPhrase).map((term) => term.split(" ").map(slotOf));
    // Letters tell neither numbers nor where little words end.
    const spread = terms.filter((term) => !term.includes("#")).map((term) => term.replaceAll("*", ""));
    const inside = spread.map((term) =>
      term
        .split(" ")
        .map((slot) => (slot === "~" ? "\\w{0,12}" : anyOf(slotSources(slot, grammar))))
        .join(""),
    );
    this.#inside = new RegExp(inside.join("|") || NEVER);
  }

  /** Whether a text contains one, however it is read. */
  areIn({ words, spread }: Readings): boolean {
    return linesOf(words).some((line) => this.#find(line).length > 0) || this.#inside.test(spread);
  }

  /** Whether one is all that a text says; a number may weigh it, as in `hat:1.4`. */
  are({ words }: Readings): boolean {
    return linesOf(words).some((line) => {
      const end = line.findLastIndex((word) => !/^\d+$/.test(word)) + 1;
      return this.#find(line).some(([from, to]) => from === 0 && to >= end);
    });
  }

  /** The text without them. */
  cutFrom({ words, spread }: Readings): Readings {
    const cut = linesOf(words).map((line) => {
      const kept = [...line];
      for (const [from, to] of this.#find(line)) kept.fill("~", from, to);
      return kept.join(" ");
    });
    return { words: cut.join("\n"), spread };
  }

  /** Where terms stand: the first word of each, and the one behind its last. */
  #find(line: readonly string[]): [from: number, to: number][] {
    const found: [number, number][] = [];
    for (const from of line.keys()) {
      if (this.#single.test(line[from] ?? "")) found.push([from, from + 1]);
      for (const phrase of this.#phrases) {
        const to = endOf(phrase, line, from);
        if (to !== undefined) found.push([from, to]);
      }
    }
    return found;
  }
}

/** Behind the last word of a phrase that begins at a place; undefined where it does not stand there. */
function endOf(slots: readonly Slot[], line: readonly string[], at: number): number | undefined {
  const [slot, ...rest] = slots;
  if (!slot) return at;
  const fits = (place: number) => place < line.length && slot.words.test(line[place] ?? "");
  if (!slot.isGap) return fits(at) ? endOf(rest, line, at + 1) : undefined;
  for (let held = 0; held <= MOST_LITTLE; held++) {
    const end = endOf(rest, line, at + held);
    if (end !== undefined) return end;
    if (!fits(at + held)) return undefined;
  }
  return undefined;
}

const isPhrase = (term: string) => term.includes(" ");

const linesOf = (words: string): string[][] => words.split("\n").map((line) => line.split(" "));

/**
 * Words that are made of one of each list, the second behind the first, with an ending between or none: as German
 * makes them, and hashtags do.
 */
export function compoundsOf(first: readonly string[], second: readonly string[]): RegExp {
  const heads = singles(first).map((word) => word.replace("*", ""));
  const [head, tail] = [anyOf(sourcesOfWords(heads)), anyOf(sourcesOfWords(singles(second)))];
  return new RegExp(`(?<!\\S)${head}(?:s|e?[nry]|es?)?${tail}(?!\\S)`);
}

/** The words of terms that are one. */
const singles = (terms: readonly string[]) =>
  terms.filter((term) => !/[ ~#]/.test(term)).flatMap((term) => term.split("|"));

/** A regular expression's source for each word that may stand at a place. */
const slotSources = (slot: string, { numbers, exact }: Grammar) =>
  slot === "#" ? ["0?\\d", "1[0-7]", ...sourcesOfWords(numbers)] : sourcesOfWords(slot.split("|"), exact);

const sourcesOfWords = (words: readonly string[], exact = false) =>
  words.flatMap(spellings).map((word) => wordSource(word, exact));

/** With umlauts as plain letters, as accents fold, and written out. */
function spellings(word: string): readonly string[] {
  const out = word.replaceAll(/[äöü]/g, (umlaut) => `${fold(umlaut)}e`);
  return out === word ? [word] : [word, out];
}

/** Letters of a {@link shape}: at least as many as the word has, unless exactly those are meant. */
function wordSource(word: string, exact: boolean): string {
  const runs = shape(fold(word)).match(/(.)\1?/gu) ?? [];
  const letters = runs.map(([letter = "", second], index) => {
    const isLast = index === runs.length - 1 && !word.endsWith("*");
    const either = eitherOf(letter, isLast);
    const least = second ? 2 : 1;
    // Three is all that a shape holds; a letter that nothing else stands for is compiled sooner without an end.
    const most = exact ? least : either === letter ? "" : 3;
    return `${either}{${least},${most}}`;
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

/** What is found nowhere. */
const NEVER = "(?!)";

/** A whole word that is one of some. */
const wordOf = (sources: readonly string[]) => new RegExp(`^${anyOf(sources)}$`);

/** One letter of a source, with how often it may stand there. */
const LETTER = /^(?:\\.|\[[^\]]+\]|[^\\])(?:\{[^}]+\}|[*?])?/;

/** Any of some sources. Beginnings that several share stand there once: what is smaller is compiled sooner. */
function anyOf(sources: readonly string[]): string {
  if (sources.length === 0) return NEVER;
  const groups = Map.groupBy(sources, (source) => LETTER.exec(source)?.[0] ?? "");
  const alternatives = [...groups].map(([letter, those]) => {
    const rests = those.map((source) => source.slice(letter.length));
    return letter + (rests.length > 1 && letter ? anyOf(rests) : rests[0]);
  });
  return `(?:${alternatives.join("|")})`;
}
