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

/** What is looked for. */
function makeRules() {
  const grammar = { little: lexicon("little"), numbers: lexicon("numbers") };
  const terms = (...lists: Parameters<typeof lexicon>[0][]) => new Terms(lists.flatMap(lexicon), grammar);
  const minors = lexicon("minors");
  const sexual = [...lexicon("sexual"), ...lexicon("suggestive")];
  return {
    // As they are written: "topples" is no excuse for what is stretched to look like it.
    excused: new Terms(lexicon("excused"), { ...grammar, exact: true }),
    named: terms("named"),
    minors: terms("minors"),
    sexual: terms("sexual", "undressing"),
    suggestive: terms("suggestive"),
    clothes: terms("clothes"),
    grown: terms("grown"),
    compounds: [compoundsOf(minors, sexual), compoundsOf(sexual, minors)],
  };
}

/** Made for the first request: most commands of the command line have none. */
let rules: ReturnType<typeof makeRules> | undefined;

/**
 * What is refused whatever the settings: what is sexual where minors are in it, and what is sexual of a photo. What is
 * to be avoided says the opposite: "child, naked" there is what careful people write.
 */
export function refusedByWords(wish: Wish): "minors_refused" | "undressing_refused" | undefined {
  rules ??= makeRules();
  const { excused, named, minors, sexual, suggestive, clothes, grown, compounds } = rules;
  const wanted = excused.cutFrom(readingsOf(wish.text));
  const avoided = wish.avoided.split(/[,;.\n]+/).map(readingsOf);
  const isSexual = sexual.areIn(wanted) || avoided.some((item) => clothes.are(item));
  const hasMinors = minors.areIn(wanted);
  if (
    named.areIn(wanted) ||
    compounds.some((compound) => wanted.words.search(compound) >= 0) ||
    (hasMinors && (isSexual || suggestive.areIn(wanted))) ||
    (isSexual && avoided.some((item) => grown.are(item)))
  )
    return "minors_refused";
  return wish.photos && !wish.mature && isSexual ? "undressing_refused" : undefined;
}
