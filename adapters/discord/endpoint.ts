import { type APIInteraction, InteractionResponseType, InteractionType } from "discord.js";
import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { createPublicKey, type KeyObject, verify } from "node:crypto";

/** Where Discord calls, below the public address. */
export const ENDPOINT_PATH = "/discord/interactions";

/** Far more than any interaction, in bytes. */
const MAX_BODY_BYTES = 2 ** 20;

/**
 * Mounts the route that Discord sends interactions to, instead of over the gateway. Each is answered by a call of its
 * own, as over the gateway: 202 says so (interactions/receiving-and-responding, "Receiving an Interaction").
 * @param publicKey the application's, in hex
 * @param take deals with one; what comes of it is not waited for
 */
export function mountEndpoint(
  routes: Hono,
  publicKey: string,
  take: (interaction: APIInteraction) => Promise<void>,
): void {
  const key = keyOf(publicKey);
  routes.post(ENDPOINT_PATH, bodyLimit({ maxSize: MAX_BODY_BYTES }), async (c) => {
    const body = Buffer.from(await c.req.arrayBuffer());
    const timestamp = c.req.header("x-signature-timestamp") ?? "";
    const signature = c.req.header("x-signature-ed25519") ?? "";
    if (!isSigned(key, timestamp, body, signature)) return c.body(null, 401);
    // Discord is believed: it has proved itself.
    const interaction = JSON.parse(body.toString()) as APIInteraction;
    if (interaction.type === InteractionType.Ping) return c.json({ type: InteractionResponseType.Pong });
    void take(interaction);
    return c.body(null, 202);
  });
}

/** interactions/overview, "Validating Security Request Headers": Ed25519 over the time stamp and the body. */
function isSigned(key: KeyObject, timestamp: string, body: Buffer, signature: string): boolean {
  return verify(null, Buffer.concat([Buffer.from(timestamp), body]), key, Buffer.from(signature, "hex"));
}

function keyOf(hex: string): KeyObject {
  const x = Buffer.from(hex, "hex").toString("base64url");
  return createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
}
