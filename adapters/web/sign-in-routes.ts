import { Hono } from "hono";
import { z } from "zod";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import { signInLinks } from "../../src/seam/surface/sign-in.ts";
import { bodyOf, jsonOnly } from "./json-body.ts";
import type { VisitorAccess } from "./visitor-access.ts";
import { type InitDataKey, readInitData, telegramKey } from "./init-data.ts";

/** The ways in for people of the chats. Each is a POST: no preview of a link uses it up. */
export function signInRoutes(host: SurfaceHost, access: VisitorAccess): Hono {
  const app = new Hono();
  const links = signInLinks(host);
  const key = keyFor(host.config);

  app.post("/sign-in/telegram", jsonOnly, async (c) => {
    const { initData } = await bodyOf(c, z.object({ initData: z.string() }));
    return access.signIn(c, key && readInitData(initData, key));
  });
  app.post("/sign-in/link", jsonOnly, async (c) => {
    const { ticket } = await bodyOf(c, z.object({ ticket: z.string() }));
    return access.signIn(c, await links.read(ticket));
  });
  return app;
}

/** Where the bot is elsewhere, its id is enough; undefined where nothing is known of it. */
function keyFor({ telegram, telegramBot }: SurfaceHost["config"]): InitDataKey | undefined {
  if (telegram) return { token: telegram.token };
  return telegramBot === undefined ? undefined : { bot: telegramBot, key: telegramKey() };
}
