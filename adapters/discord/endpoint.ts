import { type APIInteraction, InteractionResponseType, InteractionType } from "discord.js";
import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { z } from "zod";
import { currentTime } from "../../src/common/time.ts";

/** Where Discord calls, below the public address. */
export const ENDPOINT_PATH = "/discord/interactions";

/** Far more than any interaction, in bytes. */
const MAX_BODY_BYTES = 2 ** 20;

/** How far a signature's time may be from ours, either way, in milliseconds: who recorded a request cannot use it later. */
const MAX_AGE_MS = 5 * 60_000;

/** What Discord sends in any case (interactions/receiving-and-responding, "Interaction Object"). */
const interactionSchema = z.looseObject({
  id: z.string().regex(/^\d{1,20}$/),
  type: z.enum(InteractionType),
  token: z.string(),
});

/**
 * Mounts the route that Discord sends interactions to, instead of over the gateway. Each is answered by a call of its
 * own, as over the gateway: 202 says so (interactions/receiving-and-responding, "Receiving an Interaction").
 * @param publicKey the application's, in hex
 * @param take deals with one; what comes of it is not waited for
 * @param now milliseconds since 1970
 */
export function mountEndpoint(
  routes: Hono,
  publicKey: string,
  take: (interaction: APIInteraction) => Promise<void>,
  now: () => number = currentTime,
): void {
  const key = keyOf(publicKey);
  const isNew = rememberedFor(2 * MAX_AGE_MS, now);
  routes.post(ENDPOINT_PATH, bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) => {
    const body = Buffer.from(await c.req.arrayBuffer());
    const timestamp = c.req.header("x-signature-timestamp") ?? "";
    const signature = c.req.header("x-signature-ed25519") ?? "";
    if (!isRecent(timestamp, now())) return c.body(null, 401);
    if (!isSigned(key, timestamp, body, signature)) return c.body(null, 401);
    const interaction = readInteraction(body.toString());
    if (!interaction) return c.body(null, 400);
    if (interaction.type === InteractionType.Ping) return c.json({ type: InteractionResponseType.Pong });
    if (isNew(interaction.id)) void take(interaction);
    return c.body(null, 202);
  });
}

/** A time stamp is in seconds since 1970. */
function isRecent(timestamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(timestamp) && Math.abs(Number(timestamp) * 1000 - now) <= MAX_AGE_MS;
}

/** interactions/overview, "Validating Security Request Headers": Ed25519 over the time stamp and the body. */
function isSigned(key: KeyObject, timestamp: string, body: Buffer, signature: string): boolean {
  if (!/^[0-9a-f]{128}$/i.test(signature)) return false;
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, "hex"));
}

function readInteraction(text: string): APIInteraction | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  // What it holds beside that is believed: Discord has proved itself.
  return interactionSchema.safeParse(body).success ? (body as APIInteraction) : undefined;
}

/** Tells ids that were not seen before from those that were, as long as a recorded request could be used again. */
function rememberedFor(ms: number, now: () => number): (id: string) => boolean {
  const seen = new Map<string, number>();
  return (id) => {
    for (const [old, at] of seen) {
      if (at + ms > now()) break;
      seen.delete(old);
    }
    if (seen.has(id)) return false;
    seen.set(id, now());
    return true;
  };
}

function keyOf(hex: string): KeyObject {
  const x = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}
