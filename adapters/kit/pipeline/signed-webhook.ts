import { createHmac, timingSafeEqual } from "node:crypto";
import type { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { type HearsUnfit, jsonIn } from "../files/json.ts";

interface SignedWebhook<Update> {
  /** Below the public address. */
  readonly path: string;
  /** What bodies are signed with (HMAC-SHA256, in hex). */
  readonly secret: string;
  /** What the platform proves itself with when the address is entered there. */
  readonly verifyToken: string;
  /** The largest call, in bytes. */
  readonly maxBytes: number;
  /** What a call tells; undefined for what is none. Asked while there is somebody to take it in. */
  readonly updatesIn: (body: unknown, onUnfit: HearsUnfit) => Promise<readonly Update[] | undefined>;
  readonly log: Logger;
  /** Puts updates on disk; undefined while there is nobody to take them in. */
  readonly taker: () => ((updates: readonly Update[]) => Promise<void>) | undefined;
}

/**
 * Mounts the route that a platform calls which signs whole bodies, and asks for a challenge before the first of them
 * (`hub.challenge`, `X-Hub-Signature-256`).
 */
export function mountSignedWebhook<Update>(
  routes: Hono,
  { path, secret, verifyToken, maxBytes, updatesIn, log, taker }: SignedWebhook<Update>,
): void {
  routes.get(path, (c) => {
    const isMeant = c.req.query("hub.mode") === "subscribe";
    const isTheirs = areSame(c.req.query("hub.verify_token") ?? "", verifyToken);
    return isMeant && isTheirs ? c.text(c.req.query("hub.challenge") ?? "") : c.body(null, 403);
  });
  routes.post(path, bodyLimit({ maxSize: maxBytes }), async (c) => {
    const body = Buffer.from(await c.req.arrayBuffer());
    const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
    if (!areSame(c.req.header("x-hub-signature-256") ?? "", signature)) return c.body(null, 401);
    const take = taker();
    // It is called again later.
    if (!take) return c.body(null, 503);
    const updates = await updatesIn(jsonIn(body.toString("utf8")), (parts) =>
      log.warn({ path, parts }, "A webhook told something that is not as it is described; it was left out"),
    );
    if (!updates) return c.body(null, 400);
    await take(updates);
    return c.body(null, 200);
  });
}

const digestOf = (text: string) => createHmac("sha256", "compared").update(text).digest();

/** Compares in a time that tells nothing of what is right. */
function areSame(given: string, right: string): boolean {
  return timingSafeEqual(digestOf(given), digestOf(right));
}
