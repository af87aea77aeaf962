/** Whether a text contains one of the words, as whole words, however they are capitalised or accented. */
export function mentions(text: string, words: readonly string[]): boolean {
  const spaced = ` ${fold(text)} `;
  return words.some((word) => spaced.includes(` ${fold(word)} `));
}

/** Letters and digits only, one space between words; compatibility forms and accents are the same to a reader. */
function fold(text: string): string {
  return text
    .normalize("NFKD")
    .replaceAll(/[\p{M}\p{Cf}]/gu, "")
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}
