import { createHmac } from "node:crypto";
import type { Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { timingSafeEqual } from "hono/utils/buffer";
import type { Update } from "telegraf/types";
import { z } from "zod";
import type { Taker } from "./dispatcher.ts";

/** Where Telegram calls, below the public address. */
export const WEBHOOK_PATH = "/telegram/webhook";

/** Far more than any update, in bytes. */
const MAX_BODY_BYTES = 2 ** 20;

const updateSchema = z.looseObject({ update_id: z.int() });

/** What Telegram proves itself with: known only to whoever knows the token. */
export function secretOf(token: string): string {
  return createHmac("sha256", token).update("reelay webhook").digest("hex");
}

/**
 * Mounts the route that Telegram calls. telegraf's own `webhookCallback` reads bodies of any length, holds Telegram until an
 * update is dealt with, and knows no answer for while there is nobody to take it in: only its secret token is the same.
 * @param taker undefined while there is nobody to take updates in
 */
export function mountWebhook(routes: Hono, token: string, taker: () => Taker | undefined): void {
  const secret = secretOf(token);
  routes.post(WEBHOOK_PATH, bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) => {
    const proof = c.req.header("x-telegram-bot-api-secret-token") ?? "";
    if (!(await timingSafeEqual(proof, secret))) return c.body(null, 401);
    const update = await readUpdate(c);
    if (!update) return c.body(null, 400);
    const taking = taker();
    // Telegram calls again later.
    if (!taking) return c.body(null, 503);
    await taking.takeApart(update);
    // Nothing travels in this answer: Telegram does not tell how such a call went.
    return c.body(null, 200);
  });
}

async function readUpdate(c: Context): Promise<Update | undefined> {
  const body: unknown = await c.req.json().catch(() => undefined);
  // Telegram is believed: it has proved itself. What the handlers look for may be missing all the same.
  return updateSchema.safeParse(body).success ? (body as Update) : undefined;
}
