import { describe, expect, it } from "vitest";
import { H3_TEMPLATE_SORTS } from "../../src/common/contract.ts";
import { testPicture, testSandbox } from "../support/sandbox.ts";
import { caller, submitTo, textOf } from "./call.ts";

type Entries = Record<string, Record<string, unknown>>;

async function entries(url: string, key: string, path: string, name: string): Promise<Entries> {
  const { status, body } = await caller(url, key)("GET", path);
  expect(status).toBe(200);
  return body[name] as Entries;
}

function editTemplates(url: string, key: string): Promise<Entries> {
  return entries(url, key, "/image-edit-templates", "templates");
}

describe("GET /image-models (section 2.9)", () => {
  it("shows at least 20 models, the default among them, and which are LoRAs, on both hosts", async () => {
    await using sandbox = await testSandbox();
    const models = await entries(sandbox.url, sandbox.keys.standard, "/image-models", "models");
    expect(Object.keys(models).length).toBeGreaterThanOrEqual(20);
    expect(models["Default"]).toEqual({
      id: "Default",
      name: "Default",
      description: expect.any(String),
      type: "image",
      has_lora: false,
    });
    expect(Object.values(models).filter((model) => model["has_lora"]).length).toBeGreaterThan(3);
    for (const [id, model] of Object.entries(models)) expect(model["id"]).toBe(id);
    expect(await entries(sandbox.fullCatalogUrl, sandbox.keys.standard, "/image-models", "models")).toEqual(
      models,
    );
  });
});

describe("GET /image-edit-templates (section 2.10)", () => {
  it("shows at least 20 templates, without their prompts, and which need a second picture", async () => {
    await using sandbox = await testSandbox();
    const templates = await editTemplates(sandbox.url, sandbox.keys.standard);
    expect(Object.keys(templates).length).toBeGreaterThanOrEqual(20);
    expect(templates["edit-double-exposure"]).toEqual({
      id: "edit-double-exposure",
      name: "Double exposure",
      category: "Two photos",
      description: expect.any(String),
      requires_second_image: true,
      usage_count: 5105,
    });
    expect(new Set(Object.values(templates).map((entry) => entry["category"])).size).toBeGreaterThan(4);
  });

  it("leaves out mature ones and excluded categories on the primary host only (section 1)", async () => {
    await using sandbox = await testSandbox();
    const curated = await editTemplates(sandbox.url, sandbox.keys.pro);
    const full = await editTemplates(sandbox.fullCatalogUrl, sandbox.keys.pro);
    expect(Object.keys(full).filter((id) => !(id in curated))).toEqual([
      "edit-haunted-attic",
      "edit-wine-bar",
      "edit-late-train",
    ]);
    expect(Object.keys(curated).filter((id) => !(id in full))).toEqual([]);
  });

  it("counts uses", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const template_id = "edit-mono";
    await submitTo(call, "/generate/image-edit", { image_1_base64: await testPicture(), template_id });
    expect((await editTemplates(sandbox.url, sandbox.keys.pro))[template_id]?.["usage_count"]).toBe(6219);
  });
});

describe("GET /h3-r2v-templates (section 2.11)", () => {
  it("shows at least 20 templates with their prompts, alike on both hosts", async () => {
    await using sandbox = await testSandbox();
    const { body } = await caller(sandbox.url, sandbox.keys.standard)("GET", "/h3-r2v-templates");
    const { templates, ...rest } = body;
    const shown = templates as Entries;
    expect(Object.keys(shown).length).toBeGreaterThanOrEqual(20);
    expect(rest).toEqual({
      categories: ["Fantasy", "Film", "Occasions", "Places", "Portrait", "Styles"],
      sort: "latest",
      pro_prompt_lock_enabled: false,
    });
    expect(shown["h3-beach-run"]).toEqual({
      id: "h3-beach-run",
      name: "Beach run",
      category: "Places",
      prompt: "running along the beach at sunset",
      usage_count: 3644,
    });
    expect(shown["h3-night-club"], "registered by a boss account").toMatchObject({
      is_mature: true,
      release_date: "2026-05-23",
    });
    expect(shown["h3-birthday"]?.["sub_templates"]).toEqual([
      { id: "h3-birthday-hearts", name: "With hearts", prompt: expect.any(String) },
    ]);
    const full = await caller(sandbox.fullCatalogUrl, sandbox.keys.standard)("GET", "/h3-r2v-templates");
    expect(full.body).toEqual(body);
  });

  it("sorts in every published order", async () => {
    await using sandbox = await testSandbox();
    const sorted = async (sort: (typeof H3_TEMPLATE_SORTS)[number]) => {
      const path = `/h3-r2v-templates?sort=${sort}`;
      const templates = await entries(sandbox.url, sandbox.keys.pro, path, "templates");
      return Object.values(templates).map((entry) => textOf(entry["name"]));
    };
    expect((await sorted("latest"))[0]).toBe("Ghost train");
    expect((await sorted("most-used"))[0]).toBe("Slow portrait");
    expect((await sorted("name"))[0]).toBe("Beach run");
    const freeFirst = await sorted("free-first");
    const premium = ["Magazine cover", "Underwater city", "Car chase", "Dragon rider", "Ghost train"];
    expect(freeFirst.slice(-premium.length)).toEqual(premium);
    const all = await Promise.all(H3_TEMPLATE_SORTS.map(sorted));
    for (const names of all) expect([...names].sort()).toEqual([...freeFirst].sort());
    const refused = await caller(sandbox.url, sandbox.keys.pro)("GET", "/h3-r2v-templates?sort=oldest");
    expect(refused).toMatchObject({ status: 400, body: { error: expect.stringMatching(/^sort: must be/) } });
  });

  it("shows one template by its id, or 404", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    expect((await call("GET", "/h3-r2v-templates?id=h3-new-year")).body).toEqual({
      template: expect.objectContaining({ id: "h3-new-year", name: "New Year" }),
      pro_prompt_lock_enabled: false,
    });
    expect((await call("GET", "/h3-r2v-templates?id=h3-none")).status).toBe(404);
  });
});

describe("every catalogue", () => {
  it("needs the key and counts as a user read (section 8.1)", async () => {
    await using sandbox = await testSandbox();
    for (const path of ["/image-models", "/image-edit-templates", "/h3-r2v-templates"]) {
      expect((await caller(sandbox.url, undefined)("GET", path)).status).toBe(401);
      await caller(sandbox.url, sandbox.keys.standard)("GET", path);
    }
    expect((await sandbox.ledger()).requests).toEqual({ user: 6 });
  });
});
