import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { Forged, readWebhook } from "../../clients/typescript/src/index.ts";

const [ours, theirs] = ["ours", "theirs"].map(
  (name) => `whsec_${Buffer.from(name.repeat(8)).toString("base64")}`,
);
const AT = new Date("2026-01-31T12:00:00Z");
const BODY = JSON.stringify({ type: "ping", timestamp: AT.toISOString(), data: { webhook: "ep_1" } });

/** As the reference's own implementation signs. */
function signed(...secrets: readonly (string | undefined)[]) {
  const signatures = secrets.map((secret = "") => new Webhook(secret).sign("msg_1", AT, BODY));
  return {
    "webhook-id": "msg_1",
    "webhook-timestamp": String(AT.getTime() / 1000),
    "webhook-signature": signatures.join(" "),
  };
}

describe("a webhook's message", () => {
  const check = { secret: ours ?? "", now: AT.getTime() };

  it.each([
    ["signed", signed(ours)],
    ["signed by two while a secret takes another's place", signed(theirs, ours)],
  ])("is read: %s", async (_, headers) => {
    const message = JSON.parse(BODY) as unknown;
    expect(await readWebhook(BODY, headers, check)).toEqual(message);
    expect(await readWebhook(BODY, new Headers(headers), check)).toEqual(message);
  });

  it.each([
    ["with another secret", BODY, signed(theirs), {}],
    ["but changed", BODY.replace("ep_1", "ep_2"), signed(ours), {}],
    ["under another id", BODY, { ...signed(ours), "webhook-id": "msg_2" }, {}],
    ["long ago", BODY, signed(ours), { now: AT.getTime() + 301_000 }],
    ["later than now", BODY, signed(ours), { now: AT.getTime() - 301_000 }],
    ["with what is no signature", BODY, { ...signed(ours), "webhook-signature": "v1,%%%" }, {}],
    ["not at all", BODY, {}, {}],
  ])("is refused: signed %s", async (_, body, headers, other) => {
    await expect(readWebhook(body, headers, { ...check, ...other })).rejects.toThrow(Forged);
  });

  it("is refused by nobody who has no secret: that is a mistake of theirs", async () => {
    await expect(readWebhook(BODY, signed(ours), { secret: "" })).rejects.toThrow("no secret");
  });
});
