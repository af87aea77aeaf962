const MARK = "[scrubbed]";

/** Shorter strings occur by chance in anything: replacing them would only garble. */
const SHORTEST_SECRET = 8;

/**
 * How long a secret is kept in mind after it was last used, in milliseconds: longer than any request takes, whose failure
 * may tell of it. Nobody's key stays in the memory of a process that has no use for it.
 */
const BRIEFLY_MS = 15 * 60_000;

/** How many of those there are at most; the one that was not used longest goes first. */
const MOST_BRIEFLY = 1_000;

/** Every spelling of the secrets that this process works with all the time, as they may occur in JSON text. */
const lasting = new Set<string>();

/** Other secrets that it has seen, the one used last at the end, and until when each is known. */
const brief = new Map<string, number>();

/** Secrets and people's pictures by their looks, wherever in JSON text they stand. */
const PATTERNS: readonly [pattern: RegExp, replacement: string][] = [
  // Headers, as an object, as a raw list or as text; quotes may be escaped once more.
  [
    /(x-api-key|authorization|proxy-authorization|set-cookie|cookie)([\\"']*\s*[:=,]\s*[\\"']*)(?:(?:bearer|basic|bot)\s+)?[^\\"',}\]]+/gi,
    `$1$2${MARK}`,
  ],
  // Query parts, and the same in a form's body.
  [
    /\b((?:api[_-]?|access[_-]?|refresh[_-]?)?(?:key|token|secret|password|signature|sig)=)[^&\s\\"'#]+/gi,
    `$1${MARK}`,
  ],
  // Telegram's bot tokens, also inside its URLs, and Discord's.
  [/\d{6,12}:[\w-]{30,}/g, MARK],
  [/[\w-]{20,30}\.[\w-]{6}\.[\w-]{27,}/g, MARK],
  // Partners' access tokens.
  [/\brly(?:test)?_[a-z0-9-]+_[\w-]{30,}/g, MARK],
  // Pictures: a data URI, bytes as Node turns them into JSON, a long run of base64.
  [/data:[\w.+-]+\/[\w.+-]+[^,\s\\"']*,[^\s\\"']*/gi, MARK],
  [/("type":"Buffer","data":\[)[\d,]*/g, "$1"],
  [/[\w+/-]{100,}={0,2}/g, MARK],
];

const escape = (text: string) => JSON.stringify(text).slice(1, -1);

/** In a line of JSON a secret is escaped, and in JSON within that line escaped again. */
function spellingsOf(secret: string): readonly string[] {
  if (secret.length < SHORTEST_SECRET) return [];
  return [...new Set([secret, encodeURIComponent(secret), escape(secret), escape(escape(secret))])];
}

function forget(): void {
  const now = Date.now();
  for (const [secret, until] of brief) {
    if (until > now && brief.size <= MOST_BRIEFLY) return;
    brief.delete(secret);
  }
}

/** Keeps secrets out of everything that leaves the process as text. */
export const scrub = {
  /** Makes a secret known for good, so that it is taken out wherever it turns up. At least 8 characters. */
  register(secret: string): void {
    for (const spelling of spellingsOf(secret)) lasting.add(spelling);
  },

  /** The same for a quarter of an hour from now, for what people enter: it may be refused, and never come again. */
  registerBriefly(secret: string): void {
    if (secret.length < SHORTEST_SECRET) return;
    brief.delete(secret);
    brief.set(secret, Date.now() + BRIEFLY_MS);
    forget();
  },

  /** How many secrets are known for a while. */
  get brieflyKnown(): number {
    forget();
    return brief.size;
  },

  /** The text, JSON or not, without known secrets and whatever looks like one. JSON stays JSON. */
  text(text: string): string {
    forget();
    let clean = text;
    for (const spelling of lasting) clean = clean.replaceAll(spelling, MARK);
    for (const secret of brief.keys())
      for (const spelling of spellingsOf(secret)) clean = clean.replaceAll(spelling, MARK);
    for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
    return clean;
  },
};
