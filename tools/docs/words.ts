import { compile } from "../../src/domain/policy/words/compile.ts";
import { lexicon } from "./lexicon.ts";

/** Where the lists of every language are compiled: reading and checking them takes longer than a request may. */
export const WORDS = new URL("../../src/domain/policy/words/words.json", import.meta.url);

/** The lists whose terms say what somebody wants; `excused` says what they do not. */
const LOOKED_FOR = ["named", "minors", "sexual", "undressing", "suggestive", "clothes", "grown"] as const;

/** @throws Error for a list that is not what it should be */
export function wordsFile(): string {
  const grammar = { little: lexicon("little"), numbers: lexicon("numbers") };
  const terms = compile(
    LOOKED_FOR.map((list) => [list, lexicon(list)] as const),
    grammar,
  );
  const excused = compile([["excused", lexicon("excused")] as const], grammar);
  return `${JSON.stringify({ terms, excused })}\n`;
}
