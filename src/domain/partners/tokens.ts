import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { TOKEN_PREFIX, type TokenInfo, type TokenTerms } from "../../seam/access/partners.ts";

/** What is kept of a token: enough to recognise it, too little to make it. */
export interface StoredToken extends TokenInfo {
  /**
   * SHA-256, in hexadecimal digits. A slow hash is for secrets that can be guessed; 256 random bits cannot.
   */
  readonly digest: string;
}

/** Whose token it says it is, which one, and what proves it. */
const TOKEN = /^rly(?:test)?_([a-z0-9-]+)_([0-9a-f]{8})_[\w-]{43}$/;

/** What no token has: partners' ids neither begin nor end with a hyphen. */
const NOBODY = { partner: "-", id: "-" } as const;

/** What a token is compared with that nobody has: nothing fits it. */
const NO_DIGEST = "0".repeat(64);

/**
 * Makes a token: `rly_<partner>_<token's id>_<32 random bytes>`, and one for trying out: `rlytest_…`. The whole of it is what is
 * recognised, so that neither can be written as the other.
 * @param partner their id
 * @param now milliseconds since 1970
 */
export function makeToken(
  partner: string,
  { scopes, expiresAt, test = false }: TokenTerms,
  now: number,
): { readonly token: string; readonly stored: StoredToken } {
  const id = randomBytes(4).toString("hex");
  const token = `${TOKEN_PREFIX[test ? "test" : "live"]}${partner}_${id}_${randomBytes(32).toString("base64url")}`;
  const info: TokenInfo = {
    id,
    scopes,
    createdAt: now,
    ...(expiresAt !== undefined && { expiresAt }),
    ...(test && { test }),
  };
  return { token, stored: { ...info, digest: digestOf(token) } };
}

/** Whose token it says it is, and which one. */
export function readToken(token: string): { readonly partner: string; readonly id: string } {
  const [, partner, id] = TOKEN.exec(token) ?? [];
  return partner === undefined || id === undefined ? NOBODY : { partner, id };
}

/** Whether it is this token; takes as long when there is none of its id. */
export function isToken(token: string, stored: StoredToken | undefined): stored is StoredToken {
  const known = Buffer.from(stored?.digest ?? NO_DIGEST, "hex");
  return timingSafeEqual(Buffer.from(digestOf(token), "hex"), known) && stored !== undefined;
}

/** What may be told of a token. */
export function infoOf({ id, scopes, createdAt, expiresAt, test }: TokenInfo): TokenInfo {
  return { id, scopes, createdAt, ...(expiresAt !== undefined && { expiresAt }), ...(test && { test }) };
}

function digestOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}
