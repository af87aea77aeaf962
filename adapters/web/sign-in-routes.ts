import { Hono } from "hono";
import { deleteCookie, getCookie, setCookie } from "hono/cookie";
import { z } from "zod";
import { ReelayError } from "../../src/common/errors.ts";
import { RateLimit } from "../../src/common/rate-limit.ts";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { SIGN_IN_MS, signInLinks } from "../../src/seam/surface/sign-in.ts";
import { DiscordSignIn } from "./discord-sign-in.ts";
import { bodyOf, strangersJson } from "./serving/json-body.ts";
import type { VisitorAccess } from "./visitor-access.ts";
import type { BegunByDiscord, SignInWays } from "./wire.ts";
import { type InitDataKey, readInitData, telegramKey } from "./init-data.ts";

/** What a browser keeps while Discord asks its person. */
const BEGUN = "reelay-discord";

/** Sign-ins by Discord a minute, of everybody: each asks Discord twice, and anybody at all can send one. */
const MOST_BY_DISCORD = 120;

/** The ways in for people of the chats. Each is a POST: no preview of a link uses it up. */
export function signInRoutes(host: SurfaceHost, access: VisitorAccess): Hono {
  const app = new Hono();
  const links = signInLinks(host);
  const key = keyFor(host.config);

  app.post("/sign-in/telegram", strangersJson, async (c) => {
    const { initData } = await bodyOf(c, z.object({ initData: z.string() }));
    return access.signIn(c, key && readInitData(initData, key));
  });
  app.post("/sign-in/link", strangersJson, async (c) => {
    const { ticket } = await bodyOf(c, z.object({ ticket: z.string() }));
    return access.signIn(c, await links.read(ticket));
  });

  const discord = DiscordSignIn.of(host);
  app.get("/sign-in", (c) => c.json({ discord: discord !== undefined } satisfies SignInWays));
  if (!discord) return app;
  const limit = new RateLimit("sign-ins");
  app.post("/sign-in/discord/begin", strangersJson, async (c) => {
    const { address, secret } = await discord.begin();
    setCookie(c, BEGUN, secret, { ...access.cookie, maxAge: SIGN_IN_MS / 1000 });
    return c.json({ address } satisfies BegunByDiscord);
  });
  app.post("/sign-in/discord", strangersJson, async (c) => {
    const { query } = await bodyOf(c, z.object({ query: z.string().max(4096) }));
    const secret = getCookie(c, BEGUN);
    deleteCookie(c, BEGUN, access.cookie);
    const { refusedForMs: ms } = limit.take("discord", MOST_BY_DISCORD);
    if (ms !== undefined) throw new ReelayError("too_many_requests", { max: MOST_BY_DISCORD, ms });
    const outcome = await discord.end(secret, query);
    return typeof outcome === "string" ? access.refuse(c, outcome) : access.signIn(c, outcome);
  });
  return app;
}

/** Where the bot is elsewhere, its id is enough; undefined where nothing is known of it. */
function keyFor({ telegram, telegramBot }: SurfaceHost["config"]): InitDataKey | undefined {
  if (telegram) return { token: telegram.token };
  return telegramBot === undefined ? undefined : { bot: telegramBot, key: telegramKey() };
}
