/** The least length of what is taken for a key wherever it stands; shorter ones cannot be told from names and numbers of other things. */
const LEAST = 20;
/** The same of what is all that somebody said. */
const LEAST_ALONE = 12;
/** A terminal's line is no shorter, but the last. */
const LEAST_LINE = 16;
const LONGEST = 512;

/** How much of it must be unlike words, and in how many places at least. */
const SURPRISING = { share: 0.24, places: 6 } as const;
/** The same of what is shorter than that. */
const SHORT = { share: 0.4, places: 6 } as const;

/** Shorter pieces between hyphens and the like, as in names of files and products, tell nothing. */
const SHORTEST_SEGMENT = 5;

/**
 * Letters that (almost) never follow a letter in a word of a European language: counted over 5,000 words of 27 of them,
 * with German compounds, Welsh places and names of chemicals. Of letters drawn by chance every third is such a one.
 */
const RARE_AFTER: Readonly<Record<string, string>> = {
  a: "qx",
  b: "bdfkmpqvxz",
  c: "bdfgmnpqvwx",
  d: "fhkqvx",
  f: "bcdhjkmpqvwxz",
  g: "cjkmpqvxz",
  h: "bcdfghjkpqvxz",
  i: "qy",
  j: "bcfghjklpqvxyz",
  k: "bdfjmpqvwxy",
  l: "hqrxz",
  m: "cfghjqrvwxz",
  n: "qrx",
  o: "q",
  p: "bdgjkmqvwxz",
  q: "abcdefghijklmnopqrstvwxyz",
  r: "qx",
  s: "djqx",
  t: "bdjmqx",
  u: "qx",
  v: "bcdfghjklmpqstvwxyz",
  w: "bfgjkmqvwx",
  x: "bcdfghjklmnoqrsvwxz",
  y: "hquvx",
  z: "fhqvxz",
};

/** What the tokens of a text are written with: anything else, such as quotes and brackets, ends one. */
const TOKEN = /[#@]?[\w.:~+/=-]+/g;
const URLS = /\b(?:[a-z][a-z0-9+.-]*:\/\/|www\.)\S+/gi;
/** An address without its scheme. */
const ADDRESS = /^(?:[a-zA-Z0-9-]+\.)+[a-z]{2,10}(?:[/:]|$)/;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
export const FILE = /\.[a-z][a-z0-9]{1,4}$/i;
/** What names of files end with, also before what is put behind a copy's. */
const ENDS = /(?:\.[a-z][a-z0-9]{1,4})+(?![\w.])/gi;

/**
 * A token of a text that is probably a key, though nobody said so: long, of letters and digits in no order that words have.
 * Nothing is said about the shape of the service's keys (section 5), so that this guesses: it knows neither keys of digits
 * alone nor keys made of words, and takes UUIDs, URLs, hash-tags, mentions and file names for what they are.
 */
export function likelyKeyIn(text: string): string | undefined {
  const whole = joined(text);
  if (whole !== undefined && isLikely(whole, LEAST_ALONE)) return whole;
  for (const [token] of text.replaceAll(URLS, " ").matchAll(TOKEN)) {
    const key = token.length > LONGEST * 2 ? undefined : keyIn(trimmed(token));
    if (key !== undefined) return key;
  }
  return undefined;
}

/** The name of a file without what such names end with: so that what stands before can be looked at as words are. */
export const withoutEnds = (name: string) => name.replaceAll(ENDS, "");

/** The text, where it is one long token, also in several lines, as terminals break it. */
export function joined(text: string): string | undefined {
  const lines = text.trim().split(/\s*\n\s*/);
  const isWhole = lines.every(
    (line, i) => /^\S+$/.test(line) && (line.length >= LEAST_LINE || i === lines.length - 1),
  );
  return isWhole ? trimmed(lines.join("")) : undefined;
}

/** Without what a sentence puts around a token. */
const trimmed = (token: string) => token.replace(/^[^\w#@]+/, "").replace(/[^\w=]+$/, "");

/** The token itself, or what stands behind a name, as in `key=...`. */
function keyIn(token: string): string | undefined {
  if (isLikely(token)) return token;
  if (ADDRESS.test(token)) return undefined;
  return token.split(/[=:]/).find((part) => isLikely(part));
}

function isLikely(token: string, least = LEAST): boolean {
  if (token.length < least || token.length > LONGEST) return false;
  if (/^[#@]|:\/\//.test(token) || ADDRESS.test(token) || UUID.test(token) || FILE.test(token)) return false;
  const { places, pairs } = surprises(token);
  const bounds = token.length < LEAST ? SHORT : SURPRISING;
  return places >= bounds.places && places >= pairs * bounds.share;
}

/** How many neighbours in a token are unlike those in words, and how many neighbours there are. */
function surprises(token: string): { readonly places: number; readonly pairs: number } {
  let places = 0;
  let pairs = 0;
  for (const segment of token.split(/[^a-z0-9]+/i)) {
    if (segment.length < SHORTEST_SEGMENT) continue;
    pairs += segment.length - 1;
    for (let i = 1; i < segment.length; i += 1)
      if (isSurprise(segment.charAt(i - 1), segment.charAt(i))) places += 1;
  }
  return { places, pairs };
}

const isDigit = (character: string) => character >= "0" && character <= "9";
const isUpper = (character: string) => character >= "A" && character <= "Z";

function isSurprise(before: string, after: string): boolean {
  if (before === after) return false;
  if (isDigit(before) || isDigit(after)) return isDigit(before) !== isDigit(after);
  if (!isUpper(before) && isUpper(after)) return true;
  return RARE_AFTER[before.toLowerCase()]?.includes(after.toLowerCase()) === true;
}
