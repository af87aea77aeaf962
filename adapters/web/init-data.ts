import {
  createHash,
  createHmac,
  createPublicKey,
  type KeyObject,
  timingSafeEqual,
  verify,
} from "node:crypto";
import { z } from "zod";
import type { Proof } from "../../src/seam/surface/sign-in.ts";

/**
 * The key that Telegram signs with for those who have no bot's token, in hex
 * (https://core.telegram.org/bots/webapps#validating-data-for-third-party-use). Its test servers have another one, which
 * proves nothing here: people there have the same numbers as others have.
 */
const TELEGRAM_KEY = "e7bf03a2fa4602af4580703d88dda5bb59f32ed8b02a56c187fe7d34caed242d";

/** What Telegram's signature is checked with: the bot's token, or the bot's id and Telegram's public key. */
export type InitDataKey = { readonly token: string } | { readonly bot: number; readonly key: KeyObject };

/** An Ed25519 key of 32 bytes. @param hex Telegram's own unless given */
export function telegramKey(hex = TELEGRAM_KEY): KeyObject {
  const x = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}

const signed = z.object({
  auth_date: z
    .string()
    .regex(/^\d{1,12}$/)
    .transform(Number),
  user: z
    .string()
    .transform((text, context): unknown => {
      try {
        return JSON.parse(text);
      } catch {
        context.addIssue("JSON");
        return z.NEVER;
      }
    })
    .pipe(z.object({ id: z.int().positive() })),
});

/**
 * What Telegram says of somebody who opened a Mini App
 * (https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app).
 * @returns undefined for what Telegram did not sign for this bot
 */
export function readInitData(initData: string, key: InitDataKey): Proof | undefined {
  const pairs = [...new URLSearchParams(initData)];
  const fields = new Map(pairs);
  // What could be read in two ways is not what was signed.
  if (fields.size < pairs.length || pairs.some((pair) => pair.join("").includes("\n"))) return undefined;
  const data = "token" in key ? withToken(fields, key.token) : withKey(fields, key.bot, key.key);
  const parsed = signed.safeParse(Object.fromEntries(fields));
  if (data === undefined || !parsed.success) return undefined;
  const { user, auth_date: seconds } = parsed.data;
  const id = createHash("sha256").update(data).digest("base64url");
  return { user: `telegram:${user.id}`, id, at: seconds * 1000 };
}

/** @returns what was signed; undefined where it was not */
function withToken(fields: ReadonlyMap<string, string>, token: string): string | undefined {
  const data = linesOf(fields, ["hash"]);
  const secret = createHmac("sha256", "WebAppData").update(token).digest();
  const wanted = createHmac("sha256", secret).update(data).digest();
  const given = Buffer.from(fields.get("hash") ?? "", "hex");
  return given.length === wanted.length && timingSafeEqual(given, wanted) ? data : undefined;
}

/** The same, for whoever has no token of the bot. */
function withKey(fields: ReadonlyMap<string, string>, bot: number, key: KeyObject): string | undefined {
  const data = `${bot}:WebAppData\n${linesOf(fields, ["hash", "signature"])}`;
  const signature = Buffer.from(fields.get("signature") ?? "", "base64url");
  return verify(null, Buffer.from(data), key, signature) ? data : undefined;
}

/** All fields but some, in the order of their names. */
function linesOf(fields: ReadonlyMap<string, string>, without: readonly string[]): string {
  return [...fields]
    .filter(([name]) => !without.includes(name))
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join("\n");
}
