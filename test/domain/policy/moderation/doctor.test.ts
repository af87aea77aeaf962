import { describe, expect, it } from "vitest";
import { examineModeration } from "../../../../src/domain/policy/moderation/doctor.ts";
import { json } from "../../../infrastructure/api/server.ts";
import { openModeration } from "../../../support/moderation.ts";

describe("the doctor", () => {
  it("is content with an endpoint that passes a harmless sentence", async () => {
    await using endpoint = await openModeration();
    expect(await examineModeration(endpoint.settings)).toMatchObject({ name: "moderation", ok: true });
    expect(endpoint.asked).toMatchObject([{ text: expect.stringContaining("cat"), picture: undefined }]);
  });

  it.each([
    ["flags it", { flag: () => ["violence"] }, "violence", "REELAY_MODERATION_MODEL"],
    ["refuses the key", { settings: { key: "sk-wrong-but-secret" } }, "status 401", "REELAY_MODERATION_KEY"],
    ["answers otherwise", { first: [json({ ok: true })] }, "results", "REELAY_MODERATION_URL"],
  ])("says what is wrong with one that %s", async (_, options, found, advice) => {
    await using endpoint = await openModeration(options);
    const check = await examineModeration(endpoint.settings);
    expect(check).toMatchObject({
      ok: false,
      found: expect.stringContaining(found),
      advice: expect.stringContaining(advice),
    });
    expect(JSON.stringify(check)).not.toContain(endpoint.settings.key);
  });
});
