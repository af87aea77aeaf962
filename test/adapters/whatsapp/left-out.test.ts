import { Hono } from "hono";
import { createHmac } from "node:crypto";
import { pino } from "pino";
import { expect, it } from "vitest";
import { mountSignedWebhook } from "../../../adapters/kit/pipeline/signed-webhook.ts";
import { updatesIn, type WhatsAppUpdate } from "../../../adapters/whatsapp/context/update.ts";
import { WEBHOOK } from "./harness.ts";

const secret = "s";
const message = { id: "wamid.1", timestamp: "1750000000", type: "text", text: { body: "my words" } };

/** What comes of a webhook with these messages, and what is logged of it. */
async function told(messages: readonly object[]) {
  const routes = new Hono();
  const logged: string[] = [];
  const taken: WhatsAppUpdate[] = [];
  mountSignedWebhook<WhatsAppUpdate>(routes, {
    path: WEBHOOK,
    secret,
    verifyToken: "t",
    maxBytes: 10_000,
    updatesIn: (body, onUnfit) => updatesIn(body, "7", async (named) => named, onUnfit),
    log: pino({}, { write: (line) => void logged.push(line) }),
    taker: () => async (updates) => void taken.push(...updates),
  });
  const value = { metadata: { phone_number_id: "7" }, messages };
  const body = JSON.stringify({
    object: "whatsapp_business_account",
    entry: [{ changes: [{ field: "messages", value }] }],
  });
  const signature = `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
  const headers = { "x-hub-signature-256": signature };
  const { status } = await routes.request(WEBHOOK, { method: "POST", body, headers });
  return { status, logged, taken };
}

it("what is nobody's is left out and logged, without its words; the others are heard", async () => {
  const others = [
    { ...message, from: "16505550101" },
    { ...message, from_user_id: "US.13491208655302741918" },
  ];
  const { status, logged, taken } = await told([message, ...others]);
  expect(status).toBe(200);
  expect(taken.map((update) => update.kind === "message" && update.message.from)).toEqual([
    "16505550101",
    "US.13491208655302741918",
  ]);
  expect(logged).toHaveLength(1);
  expect(logged[0]).toContain('"parts":["from"]');
  expect(logged[0]).toContain("left out");
  expect(logged.join()).not.toContain("my words");
  expect(logged.join()).not.toContain("13491208655302741918");
});

it("nothing is logged of what is as it is described", async () => {
  const reaction = { ...message, from: "1", type: "reaction", reaction: { message_id: "wamid.0" } };
  const { logged, taken } = await told([reaction, { ...message, from: "2" }]);
  expect(taken).toHaveLength(1);
  expect(logged).toEqual([]);
});
