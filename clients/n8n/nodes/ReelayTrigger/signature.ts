import { createHmac, timingSafeEqual } from "node:crypto";

/** How old a message may be, in seconds: an older one may be a copy that somebody sends again. */
const TOLERANCE_S = 300;

/**
 * Whether a message was signed with the secret just now, by Standard Webhooks.
 * @param body as it came
 * @param secret `whsec_` and base64
 * @param now milliseconds since 1970
 */
export function isSigned(
  body: Buffer,
  headers: Readonly<Record<string, string | readonly string[] | undefined>>,
  secret: string,
  now: number,
): boolean {
  const key = Buffer.from(secret.replace(/^whsec_/, ""), "base64");
  const at = String(headers["webhook-timestamp"] ?? "");
  const age = Math.abs(now / 1000 - Number(at === "" ? Number.NaN : at));
  if (key.length === 0 || !(age <= TOLERANCE_S)) return false;
  const wanted = createHmac("sha256", key)
    .update(`${String(headers["webhook-id"] ?? "")}.${at}.`)
    .update(body)
    .digest();
  // There are two while a secret takes another's place.
  return String(headers["webhook-signature"] ?? "")
    .split(" ")
    .filter((one) => one.startsWith("v1,"))
    .map((one) => Buffer.from(one.slice(3), "base64"))
    .some((one) => one.length === wanted.length && timingSafeEqual(one, wanted));
}
