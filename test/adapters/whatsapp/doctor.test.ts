import { describe, expect, it } from "vitest";
import { lookAtWhatsApp } from "../../../adapters/whatsapp/doctor.ts";
import { readConfig } from "../../../src/app/config.ts";
import type { Check } from "../../../src/seam/surface/runtime.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { FakeWhatsapp } from "../../support/whatsapp/fake-whatsapp.ts";
import { WEBHOOK } from "./harness.ts";

const PUBLIC = "https://studio.example.com";

/** What the doctor says, where the settings differ from those that fit. */
async function examine(fake: FakeWhatsapp, differing: Readonly<Record<string, string>> = {}): Promise<Check> {
  const settings = { REELAY_DATA: temporaryFolder(), REELAY_PUBLIC_URL: PUBLIC, ...fake.settings };
  const { whatsapp, publicUrl = "" } = readConfig({ ...settings, ...differing });
  if (!whatsapp) throw new Error("WhatsApp is off.");
  return (await lookAtWhatsApp(whatsapp, publicUrl)).check;
}

describe("the doctor", () => {
  it("finds the number, the address that is called, and the template", async () => {
    await using fake = await FakeWhatsapp.start();
    fake.moves(PUBLIC + WEBHOOK);
    expect(await examine(fake, { WHATSAPP_TEMPLATE: "film_ready:en_US" })).toEqual({
      name: "whatsapp",
      ok: true,
      found: `Reelay, +15550783881 (template: film_ready), by ${PUBLIC}${WEBHOOK}`,
    });
    expect((await examine(fake)).found).toContain("what is done after 24 hours waits");
  });

  it("says that Meta calls no address, or another, and what to enter", async () => {
    await using fake = await FakeWhatsapp.start();
    const advice = expect.stringContaining(
      `enter ${PUBLIC}${WEBHOOK} and the words of WHATSAPP_VERIFY_TOKEN`,
    );
    expect(await examine(fake)).toMatchObject({
      ok: false,
      found: expect.stringContaining("WhatsApp calls no address"),
      advice,
    });
    fake.moves(`https://elsewhere.example${WEBHOOK}`);
    expect(await examine(fake)).toMatchObject({
      ok: false,
      found: expect.stringContaining("WhatsApp calls https://elsewhere.example/"),
      advice,
    });
  });

  it.each([
    ["WHATSAPP_TOKEN", `EAAG${"another0token".repeat(10)}`, "WHATSAPP_TOKEN"],
    ["WHATSAPP_PHONE_NUMBER_ID", "106540352242923", "API Setup"],
    ["WHATSAPP_APP_SECRET", "f".repeat(32), "App settings"],
  ])("says that %s is another one, without a secret", async (name, value, advice) => {
    await using fake = await FakeWhatsapp.start();
    const check = await examine(fake, { [name]: value });
    expect(check).toMatchObject({ ok: false, advice: expect.stringContaining(advice) });
    const entered = name === "WHATSAPP_PHONE_NUMBER_ID" ? [] : [value];
    for (const secret of [fake.token, fake.appSecret, fake.verifyToken, ...entered])
      expect(JSON.stringify(check)).not.toContain(secret);
  });

  it("says that Meta takes the token no more", async () => {
    await using fake = await FakeWhatsapp.start();
    const { token } = fake;
    fake.revokes();
    expect(await examine(fake, { WHATSAPP_TOKEN: token })).toMatchObject({
      ok: false,
      found: "WhatsApp does not know the token",
      advice: expect.stringContaining("WHATSAPP_TOKEN"),
    });
  });

  it("says that Meta cannot be reached", async () => {
    await using fake = await FakeWhatsapp.start();
    fake.fails("number", { kind: "bad gateway" });
    expect(await examine(fake)).toMatchObject({
      ok: false,
      found: expect.stringContaining("502"),
      advice: expect.stringContaining("network"),
    });
    fake.fails("number", { kind: "code", code: 131000 });
    expect(await examine(fake)).toMatchObject({ ok: false, advice: expect.stringContaining("network") });
  });
});
