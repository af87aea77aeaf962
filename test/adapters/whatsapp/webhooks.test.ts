import { createHmac } from "node:crypto";
import { describe, expect, it } from "vitest";
import { harness, photo, WEBHOOK } from "./harness.ts";

/** A webhook that says something of somebody. */
const said = (phoneNumberId: string, from: string, body = "/help") =>
  JSON.stringify({
    object: "whatsapp_business_account",
    entry: [
      {
        id: "102290129340398",
        changes: [
          {
            field: "messages",
            value: {
              messaging_product: "whatsapp",
              metadata: { display_phone_number: "15550783881", phone_number_id: phoneNumberId },
              contacts: [{ profile: { name: "Ann" }, wa_id: from }],
              messages: [
                {
                  from,
                  id: "wamid.forged",
                  timestamp: String(Math.floor(Date.now() / 1000)),
                  type: "text",
                  text: { body },
                },
              ],
            },
          },
        ],
      },
    ],
  });

describe("what comes by the webhook", () => {
  it.each<[what: string, signature: (body: string) => string]>([
    ["no signature", () => ""],
    ["one of another secret", (body) => `sha256=${createHmac("sha256", "other").update(body).digest("hex")}`],
    ["one of another body", () => `sha256=${"0".repeat(64)}`],
    ["half of one", (body) => `sha256=${createHmac("sha256", body).digest("hex").slice(0, 32)}`],
    ["one of SHA-1's kind", (body) => `sha1=${createHmac("sha1", body).digest("hex")}`],
  ])("is refused with %s, and nothing comes of it", async (_what, signature) => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    const body = said(at.whatsapp.phoneNumberId, ann.waId);
    const answer = await at.whatsapp.posts(at.url, body, signature(body));
    expect(answer.status).toBe(401);
    ann.says("/balance");
    await ann.sees(/balance|tokens/i);
    await at.whatsapp.untilHeard();
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
  });

  it("is refused when it is signed and changed on its way", async () => {
    await using at = await harness();
    const body = said(at.whatsapp.phoneNumberId, "16505550101");
    const answer = await at.whatsapp.posts(
      at.url,
      body.replace("/help", "/jobs"),
      at.whatsapp.signatureOf(body),
    );
    expect(answer.status).toBe(401);
  });

  it("is another's where it names another number: it is taken, and nothing comes of it", async () => {
    await using at = await harness();
    const ann = await at.regular("Ann");
    expect((await at.whatsapp.posts(at.url, said("999", ann.waId))).status).toBe(200);
    ann.says("/balance");
    await ann.sees(/balance|tokens/i);
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
  });

  it.each(["", "x", "[]", "null", '{"object":1}', '{"entry":[{"changes":[{}]}]}', `"${"x".repeat(100)}"`])(
    "is never more than refused where it is no webhook: %s",
    async (body) => {
      await using at = await harness();
      const { status } = await at.whatsapp.posts(at.url, body);
      expect([200, 400]).toContain(status);
      const { status: next } = await at.whatsapp.posts(
        at.url,
        said(at.whatsapp.phoneNumberId, "16505550101"),
      );
      expect(next).toBe(200);
    },
  );

  it("is refused where it is larger than Meta ever sends", async () => {
    await using at = await harness();
    const { status } = await at.whatsapp.posts(at.url, JSON.stringify({ x: "x".repeat(8 * 1024 * 1024) }));
    expect(status).toBe(413);
  });

  it("is asked for the operator's word before, and tells the challenge to nobody else", async () => {
    await using at = await harness();
    expect(await at.whatsapp.verifies(at.url, "42")).toEqual({ status: 200, ok: true, text: "42" });
    expect(await at.whatsapp.verifies(at.url, "42", "")).toMatchObject({ status: 403, text: "" });
    expect(at.url).toContain(WEBHOOK);
  });

  it("is told again until it is on disk: what came while nobody was there is dealt with, once", async () => {
    await using at = await harness({ timeScale: 0.2 });
    const ann = await at.regular("Ann");
    const restarted = at.restart();
    ann.sendsPhoto(photo, { caption: "slow zoom" });
    await restarted;
    await ann.sees("2.7 tokens");
    await at.whatsapp.untilHeard();
    expect(ann.chat().filter(({ from }) => from === "bot")).toHaveLength(1);
  });
});
