import { ReelayError } from "./errors.ts";
import type { JobEvent } from "./events.ts";
import type { Job } from "./made/answers.ts";

/** What is sent to an address of yours. */
export type WebhookMessage =
  | { readonly type: JobEvent["type"]; readonly timestamp: string; readonly data: Job }
  | { readonly type: "ping"; readonly timestamp: string; readonly data: { readonly webhook: string } };

/** A message that was not signed with the secret just now. */
export class Forged extends ReelayError {}

/** What a message is verified by. */
export interface Verification {
  /** `whsec_` and base64, as Reelay showed it. */
  readonly secret: string;
  /** Milliseconds since 1970. Default: now. */
  readonly now?: number;
  /** How old a message may be: an older one may be a copy that somebody sends again. Default: 300. */
  readonly toleranceSeconds?: number;
}

/**
 * A message that was signed by Standard Webhooks, verified and read.
 * @param body as it came, before anything parses it
 * @param headers of the request: those of `fetch`, or of Node.js
 * @throws Forged
 */
export async function readWebhook(
  body: string,
  headers: Headers | Readonly<Record<string, string | readonly string[] | undefined>>,
  { secret, now = Date.now(), toleranceSeconds = 300 }: Verification,
): Promise<WebhookMessage> {
  const header = (name: string) =>
    String((headers instanceof Headers ? headers.get(name) : headers[name]) ?? "");
  const at = header("webhook-timestamp");
  const signed = new TextEncoder().encode(`${header("webhook-id")}.${at}.${body}`);
  const bytes = bytesOf(secret.replace(/^whsec_/, ""));
  if (!bytes || bytes.length === 0) throw new TypeError("There is no secret.");
  const key = await crypto.subtle.importKey("raw", bytes, { name: "HMAC", hash: "SHA-256" }, false, [
    "verify",
  ]);
  // There are two while a secret takes another's place.
  const signatures = header("webhook-signature")
    .split(" ")
    .map((one) => bytesOf(one.replace(/^v1,/, "")));
  const checks = signatures.map(async (one) => one && crypto.subtle.verify("HMAC", key, one, signed));
  const isSigned = (await Promise.all(checks)).includes(true);
  const age = Math.abs(now / 1000 - Number(at || Number.NaN));
  if (!isSigned || !(age <= toleranceSeconds))
    throw new Forged("This message was not signed with the secret just now.");
  return JSON.parse(body) as WebhookMessage;
}

/** Undefined where it is no base64. */
function bytesOf(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
  } catch {
    return undefined;
  }
}
