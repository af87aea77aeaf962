/** White space, signs that show nothing, a blank pattern of Braille, and the sign for what cannot be read. */
const SAYS_NOTHING = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}\u2800\uFFFD]*$/u;

/** Somebody's words without what stands around them; none where nobody could see any: nothing that could be paid for. */
export const seenWords = (words: string) => (SAYS_NOTHING.test(words) ? "" : words.trim());
