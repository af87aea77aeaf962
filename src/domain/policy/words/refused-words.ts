import { type Sign, SIGNS } from "../../jobs/traits.ts";
import { readFileSync } from "node:fs";
import type { Compiled } from "./compile.ts";
import { LEAST_JOINED, partsOf } from "./joined-words.ts";
import { NO_TRAITS, type Traits } from "../../jobs/traits.ts";
import { type TextReading, readingsOf } from "./readings.ts";
import { Terms } from "./terms.ts";
import { textWord, type TextWord } from "./text-words.ts";
import type { WordTree } from "./word-tree.ts";

/** What somebody wrote and chose, as far as these rules look at it. */
export interface Wording {
  /** Every word that says what is to be made. */
  readonly text: string;
  /** Every word that says what is not to be seen in it. */
  readonly avoided: string;
  /** Whether photos were given. */
  readonly photos: boolean;
  /** Whether the chosen template is flagged mature: where that is allowed, it is meant to undress. */
  readonly mature: boolean;
}

/** The lists whose terms say what somebody wants. */
type List = "named" | "minors" | "sexual" | "undressing" | "suggestive" | "clothes" | "grown";

/** What is looked for: compiled by `npm run docs`, of the lists in `rules/`. */
function readRules() {
  const file = readFileSync(new URL("words.json", import.meta.url), "utf8");
  const { terms, excused } = JSON.parse(file) as { terms: Compiled<List>; excused: Compiled<"excused"> };
  return {
    terms: new Terms(terms, "slips"),
    // As they are written: "topples" is no excuse for what is stretched to look like it.
    excused: new Terms(excused, "exactly"),
  };
}

let rules: ReturnType<typeof readRules> | undefined;

/** Reads the lists once, at the latest for the first request: most commands of the command line have none. */
export const warmUpWords = () => (rules ??= readRules());

/**
 * What is refused whatever the settings: what is sexual where minors are in it, and what is sexual of a photo. What was
 * said when a given picture was made counts as if it was said now.
 * @param known what is known of the given pictures
 */
export function refusedByWords(
  wording: Wording,
  known: Traits = NO_TRAITS,
): "minors_refused" | "undressing_refused" | undefined {
  const said = signsOf(wording);
  const signs = new Set([...said, ...known.signs]);
  if (
    signs.has("named") ||
    (signs.has("minors") && (signs.has("sexual") || signs.has("suggestive"))) ||
    (signs.has("sexual") && signs.has("grown"))
  )
    return "minors_refused";
  if (wording.mature) return undefined;
  if (wording.photos && said.has("sexual")) return "undressing_refused";
  // What was made of words alone is nobody; together with somebody's photo it is.
  return known.photo && !known.mature && signs.has("sexual") ? "undressing_refused" : undefined;
}

/** What a request says. What is to be avoided says the opposite: "child, naked" there is what careful people write. */
export function signsOf(wording: Pick<Wording, "text" | "avoided">): ReadonlySet<Sign> {
  const { terms, excused } = warmUpWords();
  const wanted = withParts(
    readingsOf(wording.text).map((line) => without(line, excused)),
    terms,
    excused,
  );
  const found = terms.listsIn(wanted);
  const avoided = new Set(wording.avoided.split(/[,;.\n]+/).flatMap((item) => saidBy(item, terms)));
  const signs: Readonly<Record<Sign, boolean>> = {
    named: found.has("named"),
    minors: found.has("minors"),
    sexual: found.has("sexual") || found.has("undressing") || avoided.has("clothes"),
    suggestive: found.has("suggestive"),
    grown: avoided.has("grown"),
  };
  return new Set(SIGNS.filter((sign) => signs[sign]));
}

/** The lines, and those of them that hold joined words with these parted. */
function withParts(
  lines: readonly TextReading[],
  { tree }: Terms<unknown>,
  excused: Terms<unknown>,
): readonly TextReading[] {
  const parted = lines.flatMap((line) => {
    const words = partedWords(line, tree);
    return words ? [without(words, excused)] : [];
  });
  return [...lines, ...parted];
}

/** A line with joined words parted, if there are any. */
function partedWords(line: TextReading, tree: WordTree): TextReading | undefined {
  let words: TextWord[] | undefined;
  let kept = 0;
  for (let at = 0; at < line.length; at++) {
    const letters = line[at]?.letters ?? "";
    if (letters.length < LEAST_JOINED) continue;
    const parts = partsOf(letters, tree);
    if (parts.length === 1) continue;
    (words ??= []).push(...line.slice(kept, at), ...parts.map(textWord));
    kept = at + 1;
  }
  words?.push(...line.slice(kept));
  return words;
}

const NO_WORD = textWord("~");

/** A line without some terms. */
function without(line: TextReading, terms: Terms<unknown>): TextReading {
  const found = terms.find(line);
  if (found.length === 0) return line;
  const kept = [...line];
  for (const { from, to } of found) kept.fill(NO_WORD, from, to);
  return kept;
}

/** The lists of terms that are all that a text says; a number may weigh it, as in `hat:1.4`. */
function saidBy(text: string, terms: Terms<List>): List[] {
  return readingsOf(text).flatMap((line) => {
    const end = line.findLastIndex(({ letters }) => !/^\d+$/.test(letters)) + 1;
    return terms
      .find(line)
      .filter(({ from, to }) => from === 0 && to >= end)
      .map(({ list }) => list);
  });
}
