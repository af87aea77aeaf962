const MAX_LENGTH = 300;
/** What stands for one space in a sentence: spaces, control characters, and marks that turn the direction of what follows. */
const GAPS = /[\s\p{Cc}\u202a-\u202e\u2066-\u2069]+/gu;
/** Long enough to let job ids (36 characters) and addresses through, short enough to catch a picture. */
const LONG_RUN = /[A-Za-z0-9+/_-]{60,}={0,2}/g;
/** A service may quote a piece of the key ("invalid key sk_live_12..."); shorter pieces give nothing away. */
const WORD = /[\w+/=-]{8,}/g;

/**
 * The service's own words, safe to log and to show: without the key, pieces of it, or anything long that
 * could be a picture in base64, and at most 300 characters.
 */
export function scrub(text: string, key: string): string {
  // Without a key there is none to be found: an empty one would be, before each letter.
  const said = (key === "" ? text : text.replaceAll(key, "[key]"))
    .replace(WORD, (word) => (key.includes(word) ? "[key]" : word))
    .replace(LONG_RUN, "[...]");
  return whole(said, MAX_LENGTH);
}

/** Words of the service as a sentence to be shown. @param most how long it may be, in UTF-16 code units */
export function brief(text: string, most: number): string {
  const plain = text.replace(GAPS, " ").trim();
  if (plain.length <= most) return plain;
  return `${whole(plain, most - 1).trimEnd()}…`;
}

/** The beginning of a text: half a character is none. What stands alone has no part in how people see characters. */
const whole = (text: string, most: number) =>
  text
    .slice(0, most)
    .replace(/[\ud800-\udbff]$/, "")
    .toWellFormed();
