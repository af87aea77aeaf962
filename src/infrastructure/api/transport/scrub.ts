const MAX_LENGTH = 300;
/** Long enough to let job ids (36 characters) and addresses through, short enough to catch a picture. */
const LONG_RUN = /[A-Za-z0-9+/_-]{60,}={0,2}/g;
/** A service may quote a piece of the key ("invalid key sk_live_12..."); shorter pieces give nothing away. */
const WORD = /[\w+/=-]{8,}/g;

/**
 * The service's own words, safe to log and to show: without the key, pieces of it, or anything long that
 * could be a picture in base64, and at most 300 characters.
 */
export function scrub(text: string, key: string): string {
  return text
    .replaceAll(key, "[key]")
    .replace(WORD, (word) => (key.includes(word) ? "[key]" : word))
    .replace(LONG_RUN, "[...]")
    .slice(0, MAX_LENGTH);
}
