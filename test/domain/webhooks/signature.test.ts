import * as fc from "fast-check";
import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { newSecret, signedHeaders } from "../../../src/domain/webhooks/signature.ts";

describe("a signature", () => {
  it("is one that the library of Standard Webhooks takes, for any text", () => {
    const property = fc.property(fc.json(), fc.uuid(), (body, id) => {
      const secret = newSecret();
      const headers = signedHeaders(id, body, [secret], Date.now());
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
    });
    fc.assert(property);
  });

  it("is there once for each secret, so that either is enough", () => {
    const [one, two, strange] = [newSecret(), newSecret(), newSecret()];
    const headers = signedHeaders("msg_1", "{}", [one, two], Date.now());
    expect(headers["webhook-signature"]).toMatch(/^v1,[\w+/]{43}= v1,[\w+/]{43}=$/);
    for (const secret of [one, two]) expect(new Webhook(secret).verify("{}", headers)).toEqual({});
    expect(() => new Webhook(strange).verify("{}", headers)).toThrow("No matching signature");
  });

  it.each([
    ["another text", "{ }", {}],
    ["another id", "{}", { "webhook-id": "msg_2" }],
    ["another time", "{}", { "webhook-timestamp": String(Math.floor(Date.now() / 1000) - 7) }],
  ])("does not fit %s", (_, body, changed) => {
    const secret = newSecret();
    const headers = { ...signedHeaders("msg_1", "{}", [secret], Date.now()), ...changed };
    expect(() => new Webhook(secret).verify(body, headers)).toThrow("No matching signature");
  });

  it("counts time in seconds", () => {
    expect(signedHeaders("msg_1", "{}", [newSecret()], 1_700_000_000_999)).toMatchObject({
      "webhook-timestamp": "1700000000",
    });
  });

  it("is made with secrets of 32 bytes, no two alike", () => {
    expect(newSecret()).toMatch(/^whsec_[\w+/]{43}=$/);
    expect(newSecret()).not.toBe(newSecret());
  });
});
