const MARK = "[scrubbed]";

/** Shorter strings occur by chance in anything: replacing them would only garble. */
const SHORTEST_SECRET = 8;

/** Every spelling of the secrets that this process has seen, as they may occur in JSON text. */
const known = new Set<string>();

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
  [/\brly_[a-z0-9-]+_[\w-]{30,}/g, MARK],
  // Pictures: a data URI, bytes as Node turns them into JSON, a long run of base64.
  [/data:[\w.+-]+\/[\w.+-]+[^,\s\\"']*,[^\s\\"']*/gi, MARK],
  [/("type":"Buffer","data":\[)[\d,]*/g, "$1"],
  [/[\w+/-]{100,}={0,2}/g, MARK],
];

const escape = (text: string) => JSON.stringify(text).slice(1, -1);

/** Keeps secrets out of everything that leaves the process as text. */
export const scrub = {
  /** Makes a secret known, so that it is taken out wherever it turns up. At least 8 characters. */
  register(secret: string): void {
    if (secret.length < SHORTEST_SECRET) return;
    // In a line of JSON it is escaped, and in JSON within that line escaped again.
    for (const spelling of [secret, encodeURIComponent(secret), escape(secret), escape(escape(secret))])
      known.add(spelling);
  },

  /** The text, JSON or not, without known secrets and whatever looks like one. JSON stays JSON. */
  text(text: string): string {
    let clean = text;
    for (const secret of known) clean = clean.replaceAll(secret, MARK);
    for (const [pattern, replacement] of PATTERNS) clean = clean.replace(pattern, replacement);
    return clean;
  },
};
