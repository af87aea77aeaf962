import { Compounds } from "./compounds.ts";
import { lexicon } from "./lexicon.ts";
import { type Reading, readingsOf } from "./readings.ts";
import { Terms } from "./terms.ts";

/** What somebody wrote and chose, as far as these rules look at it. */
export interface Wish {
  /** Every word that says what is to be made. */
  readonly text: string;
  /** Every word that says what is not to be seen in it. */
  readonly avoided: string;
  /** Whether photos were given. */
  readonly photos: boolean;
  /** Whether the chosen template is flagged mature: where that is allowed, it is meant to undress. */
  readonly mature: boolean;
}

/** What is looked for. */
function makeRules() {
  const grammar = { little: lexicon("little"), numbers: lexicon("numbers") };
  const lists = LOOKED_FOR.map((list) => [list, lexicon(list)] as const);
  return {
    terms: new Terms(lists, grammar),
    // As they are written: "topples" is no excuse for what is stretched to look like it.
    excused: new Terms([["excused", lexicon("excused")]], { ...grammar, exact: true }),
    compounds: new Compounds(lexicon("minors"), [...lexicon("sexual"), ...lexicon("suggestive")]),
  };
}

/** The lists whose terms say what somebody wants; `excused` says what they do not. */
const LOOKED_FOR = ["named", "minors", "sexual", "undressing", "suggestive", "clothes", "grown"] as const;

type List = (typeof LOOKED_FOR)[number];

/** Made for the first request: most commands of the command line have none. */
let rules: ReturnType<typeof makeRules> | undefined;

/**
 * What is refused whatever the settings: what is sexual where minors are in it, and what is sexual of a photo. What is
 * to be avoided says the opposite: "child, naked" there is what careful people write.
 */
export function refusedByWords(wish: Wish): "minors_refused" | "undressing_refused" | undefined {
  rules ??= makeRules();
  const { terms, excused, compounds } = rules;
  const wanted = readingsOf(wish.text).map((line) => without(line, excused));
  const found = new Set(wanted.flatMap((line) => terms.find(line).map(({ list }) => list)));
  const avoided = new Set(wish.avoided.split(/[,;.\n]+/).flatMap((item) => saidBy(item, terms)));
  const isSexual = found.has("sexual") || found.has("undressing") || avoided.has("clothes");
  if (
    found.has("named") ||
    wanted.some((line) => line.some((word) => compounds.has(word))) ||
    (found.has("minors") && (isSexual || found.has("suggestive"))) ||
    (isSexual && avoided.has("grown"))
  )
    return "minors_refused";
  return wish.photos && !wish.mature && isSexual ? "undressing_refused" : undefined;
}

/** A line without some terms. */
function without(line: Reading, terms: Terms<unknown>): Reading {
  const kept = [...line];
  for (const { from, to } of terms.find(line)) kept.fill("~", from, to);
  return kept;
}

/** The lists of terms that are all that a text says; a number may weigh it, as in `hat:1.4`. */
function saidBy(text: string, terms: Terms<List>): List[] {
  return readingsOf(text).flatMap((line) => {
    const end = line.findLastIndex((word) => !/^\d+$/.test(word)) + 1;
    return terms
      .find(line)
      .filter(({ from, to }) => from === 0 && to >= end)
      .map(({ list }) => list);
  });
}
