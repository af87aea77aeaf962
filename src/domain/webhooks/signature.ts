import { createHmac, randomBytes } from "node:crypto";

const PREFIX = "whsec_";

/** Standard Webhooks wants 24 to 64. */
const SECRET_BYTES = 32;

/** A new secret, as its receiver keeps it. */
export function newSecret(): string {
  return PREFIX + randomBytes(SECRET_BYTES).toString("base64");
}

/**
 * The headers that tell a receiver who sent a message, and when (Standard Webhooks 1.0).
 * @param secrets those that sign; two while one takes the other's place
 * @param now in milliseconds since 1970
 */
export function signedHeaders(
  id: string,
  body: string,
  secrets: readonly string[],
  now: number,
): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1000));
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), "base64");
    return `v1,${createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64")}`;
  });
  return {
    "webhook-id": id,
    "webhook-timestamp": timestamp,
    "webhook-signature": signatures.join(" "),
  };
}
