/** What nobody sees or means: white space, formatting and control characters, and letters that are drawn as nothing. */
const UNSEEN = /\s|\p{Cf}|\p{Cc}|\p{Variation_Selector}|\u115F|\u1160|\u3164/gu;

/**
 * The ways in which a text may hold a key: without whatever comes between when somebody copies one, such as a
 * terminal's line breaks; and as it was before it stood in a URL, or was escaped for a shell or for Markdown.
 */
export function readingsOf(text: string): readonly string[] {
  const plain = text.normalize("NFKC").replace(UNSEEN, "");
  const readings = [plain];
  if (plain.includes("%")) readings.push(plain.replace(/(?:%[0-7][0-9a-f])+/gi, decodeURIComponent));
  if (plain.includes("\\")) readings.push(plain.replaceAll("\\", ""));
  return readings;
}
