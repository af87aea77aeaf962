import { createHmac, type KeyObject, randomUUID, sign } from "node:crypto";

/** What Telegram's apps tell a Mini App of who opened it, and when. */
interface Opened {
  readonly user: { readonly id: number; readonly first_name: string; readonly language_code?: string };
  /** Milliseconds since 1970. */
  readonly at?: number;
  /** Fields beside those. */
  readonly more?: Readonly<Record<string, string>>;
}

/** Who signs it: by the bot's token, and for third parties with a key of Telegram's. */
interface Signing {
  readonly token: string;
  readonly key?: KeyObject;
}

const linesOf = (fields: Readonly<Record<string, string>>) =>
  Object.keys(fields)
    .toSorted()
    .map((name) => `${name}=${fields[name]}`)
    .join("\n");

/**
 * `tgWebAppData` as Telegram signs it
 * (https://core.telegram.org/bots/webapps#validating-data-received-via-the-mini-app).
 */
export function signInitData({ user, at = Date.now(), more = {} }: Opened, { token, key }: Signing): string {
  const opened = {
    auth_date: String(Math.floor(at / 1000)),
    query_id: randomUUID(),
    user: JSON.stringify(user),
    ...more,
  };
  const [bot = ""] = token.split(":");
  const data = Buffer.from(`${bot}:WebAppData\n${linesOf(opened)}`);
  const fields = { ...opened, ...(key && { signature: sign(null, data, key).toString("base64url") }) };
  const secret = createHmac("sha256", "WebAppData").update(token).digest();
  const hash = createHmac("sha256", secret).update(linesOf(fields)).digest("hex");
  return new URLSearchParams({ ...fields, hash }).toString();
}
