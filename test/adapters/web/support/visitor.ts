import { signInLinks } from "../../../../src/seam/surface/sign-in.ts";
import type { UserId } from "../../../../src/seam/values.ts";
import { signInitData } from "../../../support/telegram/init-data.ts";
import { post } from "./client.ts";
import type { Site } from "./site.ts";

/** A bot's token that opens nothing. */
const BOT = "12345:AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA";

/** A site that everybody has a way to. */
export const PUBLIC = { REELAY_PUBLIC_URL: "https://studio.example", TELEGRAM_BOT_TOKEN: BOT };

/** Everybody's page, as far as a person without a browser uses it. */
export const APP = "/app";

/** Signs in with what is given. @param cookie of somebody who is in already */
export function signIn(
  url: string,
  key: { readonly initData: string } | { readonly ticket: string },
  cookie = "",
) {
  return post(url, `${APP}/web/sign-in/${"ticket" in key ? "link" : "telegram"}`, key, { cookie });
}

/** What `Telegram` says of a person who opens the Mini App now. */
export const opens = (id: number, at = Date.now()) =>
  signInitData({ user: { id, first_name: "Ann" }, at }, { token: BOT });

/** The cookie of an answer. */
export const cookieOf = (answer: Response) => answer.headers.get("set-cookie")?.split(";")[0] ?? "";

/** A ticket as a chat gives it to somebody. */
export async function ticketFor({ memoryFor }: Pick<Site, "memoryFor">, user: UserId): Promise<string> {
  const link = await signInLinks({ memory: memoryFor }).make(`https://studio.example${APP}`, user);
  return new URL(link).hash.slice("#in=".length);
}

/** Signs somebody in, as their chat leads them there. @returns the headers that their browser sends from then on */
export async function visit(
  site: Pick<Site, "url" | "memoryFor">,
  user: UserId,
): Promise<{ readonly cookie: string }> {
  return { cookie: cookieOf(await signIn(site.url, { ticket: await ticketFor(site, user) })) };
}
