import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { UserId } from "../../seam/values.ts";

/** What is kept of a link: enough to recognise it, too little to make it. */
interface StoredLink {
  /** SHA-256, in hex: 256 random bits cannot be guessed, so that no slow hash is needed. */
  readonly link_digest: string | null;
  readonly link_until: number | null;
}

/** Of somebody whom no link lets in. */
export const NO_LINK: StoredLink = { link_digest: null, link_until: null };

/** What a digest is compared with that nobody has: nothing fits it. */
const NO_DIGEST = "0".repeat(64);

/** An id for somebody new, who has no name yet. */
export const makeOperatorId = (): UserId => `web:op-${randomBytes(4).toString("hex")}`;

/**
 * Makes the secret of a link: `<id's last part>.<32 random bytes>`.
 * @param until milliseconds since 1970
 */
export function makeLink(id: UserId, until: number): { readonly token: string; readonly link: StoredLink } {
  const secret = randomBytes(32).toString("base64url");
  return {
    token: `${id.slice("web:".length)}.${secret}`,
    link: { link_digest: digestOf(secret), link_until: until },
  };
}

/** Whose link it says it is, and what proves it. */
export function readLink(token: string): { readonly id: UserId; readonly secret: string } {
  const [name = "", secret = ""] = token.split(".");
  return { id: `web:${name}`, secret };
}

/** Whether a secret is that of a link; takes as long where there is none. */
export function isSecret(secret: string, digest: string | null | undefined): boolean {
  const known = Buffer.from(digest ?? NO_DIGEST, "hex");
  return timingSafeEqual(Buffer.from(digestOf(secret), "hex"), known) && Boolean(digest);
}

function digestOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
