import { describe, expect, it } from "vitest";
import { TEMPLATES } from "../../../src/sandbox/templates/index.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { caller, submit } from "../call.ts";

interface Shown {
  readonly templates: Record<string, Record<string, unknown>>;
  readonly count: number;
  readonly categories?: Record<string, number>;
}

async function read(url: string, key: string, path = "/templates") {
  return (await caller(url, key)("GET", path)).body as unknown as Shown;
}

describe("the template catalogue (sections 2.8 and 4.2)", () => {
  it("has at least 60 templates in 8 categories on the primary host, none of them mature", async () => {
    await using sandbox = await testSandbox();
    const { templates, count } = await read(sandbox.url, sandbox.keys.standard);
    const entries = Object.values(templates);
    expect(entries).toHaveLength(count);
    expect(count).toBeGreaterThanOrEqual(60);
    expect(new Set(entries.map(({ category }) => category)).size).toBe(8);
    expect(entries.filter((entry) => entry["is_mature"])).toEqual([]);
    expect(entries.filter((entry) => entry["is_new"]).length).toBeGreaterThan(2);
    expect(entries.filter((entry) => entry["is_featured"]).length).toBeGreaterThan(2);
    expect(
      entries.filter((entry) => (entry["sub_templates"] as unknown[]).length > 0).length,
    ).toBeGreaterThan(6);
    expect(templates["slow-zoom"]).toEqual({
      id: "slow-zoom",
      name: "Slow zoom",
      category: "Camera",
      subcategory: "Zoom",
      is_mature: false,
      usage_count: 18_204,
      release_date: "2025-07-16",
      is_new: false,
      is_featured: true,
      prompt: expect.any(String),
      negative_prompt: expect.any(String),
      description: expect.any(String),
      hint: expect.any(String),
      sub_templates: [
        {
          id: "slow-zoom-warm",
          name: "Warm",
          prompt: expect.any(String),
          negative_prompt: expect.any(String),
        },
        expect.objectContaining({ id: "slow-zoom-mono" }),
      ],
    });
    expect(await read(sandbox.url, sandbox.keys.standard, "/lora-templates")).toEqual({ templates, count });
  });

  it("is unfiltered on the full-catalogue host", async () => {
    await using sandbox = await testSandbox();
    const curated = await read(sandbox.url, sandbox.keys.pro);
    const full = await read(sandbox.fullCatalogUrl, sandbox.keys.pro);
    const more = Object.keys(full.templates).filter((id) => !(id in curated.templates));
    expect(more).toEqual(["creaky-house", "wine-evening", "casino-lights", "city-at-two", "jazz-cellar"]);
    expect(full.templates["creaky-house"]?.["is_mature"]).toBe(true);
    expect(full.templates["city-at-two"]?.["is_mature"], "left out for its category").toBe(false);
  });

  it("shows the raw templates and the categories to boss accounts only", async () => {
    await using sandbox = await testSandbox();
    const refused = await caller(sandbox.url, sandbox.keys.ultra)("GET", "/templates?full=1");
    expect(refused.status).toBe(403);
    const { categories, templates } = await read(sandbox.url, sandbox.keys.boss, "/templates?full=1");
    expect(categories?.["Camera"]).toBe(8);
    expect(templates["trailer"]?.["requires_subscription"]).toBe(true);
  });

  it("counts uses", async () => {
    await using sandbox = await testSandbox();
    await submit(caller(sandbox.url, sandbox.keys.pro), { lora_template: "confetti" });
    const { templates } = await read(sandbox.url, sandbox.keys.pro);
    expect(templates["confetti"]?.["usage_count"]).toBe(21_044);
  });

  it("has unique ids, and looks that differ", () => {
    const ids = TEMPLATES.flatMap(({ id, variants = [] }) => [id, ...variants.map((variant) => variant.id)]);
    expect(new Set(ids).size).toBe(ids.length);
    expect(new Set(TEMPLATES.map(({ look }) => JSON.stringify(look))).size).toBeGreaterThan(60);
    expect(new Set(TEMPLATES.map(({ look }) => look.move)).size).toBe(13);
  });
});
