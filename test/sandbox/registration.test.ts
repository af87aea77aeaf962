import { describe, expect, it } from "vitest";
import { RATE_LIMITS } from "../../src/common/contract.ts";
import { temporaryFolder, testSandbox } from "../support/sandbox.ts";
import { caller, ended, submit } from "./call.ts";

const template = {
  id: "boss-sunrise",
  name: "Sunrise",
  prompt: "pan up towards the sunrise",
  negative_prompt: "fog",
  category: "Light",
  is_mature: false,
};
const h3Template = { id: "h3-boss", name: "Tin toys", is_mature: true, release_date: "2026-03-09" };

describe("POST /templates (section 4.2)", () => {
  it("puts a template into the catalogue for good, and videos can use it", async () => {
    const dir = temporaryFolder();
    {
      await using sandbox = await testSandbox({ dir });
      expect(await caller(sandbox.fullCatalogUrl, sandbox.keys.boss)("POST", "/templates", template)).toEqual(
        {
          status: 200,
          body: { success: true, template_id: "boss-sunrise", message: "Template boss-sunrise saved." },
        },
      );
    }
    await using sandbox = await testSandbox({ dir });
    const call = caller(sandbox.url, sandbox.keys.standard);
    const { templates } = (await call("GET", "/templates")).body;
    expect(templates).toMatchObject({
      "boss-sunrise": { ...template, is_new: true, usage_count: 0, sub_templates: [] },
    });
    const job = await submit(call, { prompt: undefined, lora_template: "boss-sunrise" });
    expect((await ended(call, job)).status).toBe("COMPLETED");
  });

  it("overwrites the template with that id, and keeps mature ones from the primary host", async () => {
    await using sandbox = await testSandbox();
    const boss = caller(sandbox.fullCatalogUrl, sandbox.keys.boss);
    const before = (await boss("GET", "/templates")).body["count"];
    const changed = { id: "confetti", name: "Quiet", prompt: "no confetti at all", is_mature: true };
    expect((await boss("POST", "/templates", changed)).status).toBe(200);
    const { templates, count } = (await boss("GET", "/templates")).body;
    expect(count).toBe(before);
    expect(templates).toMatchObject({ confetti: { ...changed, category: "Registered" } });
    const primary = await caller(sandbox.url, sandbox.keys.boss)("GET", "/templates");
    expect(primary.body["templates"]).not.toHaveProperty("confetti");
  });

  it.each([
    [{ id: undefined }, /^id: is required/],
    [{ id: "two words" }, /^id: must be/],
    [{ name: "" }, /^name: must not be empty/],
    [{ prompt: undefined }, /^prompt: must be a string/],
    [{ negative_prompt: 5 }, /^negative_prompt/],
    [{ category: " " }, /^category/],
    [{ is_mature: "no" }, /^is_mature: must be true or false/],
    [{ look: {} }, /^look: unknown field/],
  ])("refuses %o with a 400 that names the field", async (fields, message) => {
    await using sandbox = await testSandbox();
    const boss = caller(sandbox.fullCatalogUrl, sandbox.keys.boss);
    expect(await boss("POST", "/templates", { ...template, ...fields })).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message), code: 400 },
    });
  });
});

describe("POST /h3-r2v-templates (section 4.2)", () => {
  it("puts a template into the catalogue, with its release date", async () => {
    await using sandbox = await testSandbox();
    const boss = caller(sandbox.fullCatalogUrl, sandbox.keys.boss);
    expect(await boss("POST", "/h3-r2v-templates", h3Template)).toEqual({
      status: 200,
      body: { success: true, template_id: "h3-boss", message: "Template h3-boss saved." },
    });
    const { body } = await caller(sandbox.url, sandbox.keys.pro)("GET", "/h3-r2v-templates?id=h3-boss");
    expect(body["template"]).toEqual({
      ...h3Template,
      category: "Registered",
      prompt: "Tin toys",
      usage_count: 0,
    });
    await boss("POST", "/h3-r2v-templates", {
      ...h3Template,
      prompt: "wind-up tin toys",
      category: "Styles",
    });
    const again = await boss("GET", "/h3-r2v-templates?id=h3-boss");
    expect(again.body["template"]).toMatchObject({ prompt: "wind-up tin toys", category: "Styles" });
  });

  it.each(["id", "name", "is_mature", "release_date"])("requires %s", async (field) => {
    await using sandbox = await testSandbox();
    const boss = caller(sandbox.fullCatalogUrl, sandbox.keys.boss);
    const { status, body } = await boss("POST", "/h3-r2v-templates", { ...h3Template, [field]: undefined });
    expect(status).toBe(400);
    expect(body["error"]).toMatch(new RegExp(`^${field}: `));
  });

  it("refuses a date that is none", async () => {
    await using sandbox = await testSandbox();
    const boss = caller(sandbox.fullCatalogUrl, sandbox.keys.boss);
    for (const release_date of ["9 March", "2026-02-30"])
      expect((await boss("POST", "/h3-r2v-templates", { ...h3Template, release_date })).body["error"]).toBe(
        "release_date: must be a date, YYYY-MM-DD",
      );
  });
});

describe("template registration", () => {
  it("is for boss accounts (403), on the full-catalogue host (404 on the other)", async () => {
    await using sandbox = await testSandbox();
    for (const [path, body] of [
      ["/templates", template],
      ["/h3-r2v-templates", h3Template],
    ] as const) {
      const status = async (url: string, key?: string) => (await caller(url, key)("POST", path, body)).status;
      expect(await status(sandbox.fullCatalogUrl, sandbox.keys.ultra)).toBe(403);
      expect(await status(sandbox.fullCatalogUrl)).toBe(401);
      expect(await status(sandbox.url, sandbox.keys.boss)).toBe(404);
    }
  });

  it("is limited to 10 a window (section 8.1)", async () => {
    await using sandbox = await testSandbox();
    const boss = caller(sandbox.fullCatalogUrl, sandbox.keys.boss);
    for (let sent = 0; sent < RATE_LIMITS.registration; sent += 1)
      expect((await boss("POST", sent % 2 ? "/templates" : "/h3-r2v-templates", {})).status).toBe(400);
    expect((await boss("POST", "/templates", template)).status).toBe(429);
    expect((await boss("GET", "/templates")).status, "reading is another group").toBe(200);
  });
});
