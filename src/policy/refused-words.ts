import { lexicon } from "./lexicon.ts";
import { readingsOf } from "./readings.ts";
import { compoundsOf, Terms } from "./terms.ts";

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

const grammar = { little: lexicon("little"), numbers: lexicon("numbers") };
const terms = (...lists: Parameters<typeof lexicon>[0][]) => new Terms(lists.flatMap(lexicon), grammar);

// As they are written: "topples" is no excuse for what is stretched to look like it.
const EXCUSED = new Terms(lexicon("excused"), { ...grammar, exact: true });
const NAMED = terms("named");
const MINORS = terms("minors");
const SEXUAL = terms("sexual", "undressing");
const SUGGESTIVE = terms("suggestive");
const CLOTHES = terms("clothes");
const GROWN = terms("grown");

const sexual = [...lexicon("sexual"), ...lexicon("suggestive")];
const COMPOUNDS = [compoundsOf(lexicon("minors"), sexual), compoundsOf(sexual, lexicon("minors"))];

/**
 * What is refused whatever the settings: what is sexual where minors are in it, and what is sexual of a photo. What is
 * to be avoided says the opposite: "child, naked" there is what careful people write.
 */
export function refusedByWords(wish: Wish): "minors_refused" | "undressing_refused" | undefined {
  const wanted = EXCUSED.cutFrom(readingsOf(wish.text));
  const avoided = wish.avoided.split(/[,;.\n]+/).map(readingsOf);
  const isSexual = SEXUAL.areIn(wanted) || avoided.some((item) => CLOTHES.are(item));
  const hasMinors = MINORS.areIn(wanted);
  if (
    NAMED.areIn(wanted) ||
    COMPOUNDS.some((compounds) => wanted.words.search(compounds) >= 0) ||
    (hasMinors && (isSexual || SUGGESTIVE.areIn(wanted))) ||
    (isSexual && avoided.some((item) => GROWN.are(item)))
  )
    return "minors_refused";
  return wish.photos && !wish.mature && isSexual ? "undressing_refused" : undefined;
}
