import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { textOf } from "../../sandbox/call.ts";
import { emulated, EVERY, HOSTS, pathsOf } from "./service.ts";
import { misfits } from "./shapes.ts";
import { answers, ENDPOINTS, type Shown } from "./table.ts";

const { sandbox, as, body } = await emulated("running");
afterAll(() => sandbox.stop());

const READS = EVERY.filter(
  ({ endpoint: { section, method } }) => method === "GET" && /^4\.[12]$/.test(section),
);
const PATHS = READS.flatMap(({ name, endpoint }) =>
  HOSTS.flatMap((host) => pathsOf(endpoint).map((path) => ({ name, endpoint, host, path }))),
);

const entries = z.record(z.string(), z.looseObject({ id: z.string() }));

/** The entries of a catalogue, by id. */
async function entriesOf(host: (typeof HOSTS)[number], path: string, under = "templates") {
  return entries.parse((await as("pro", host)("GET", path)).body[under]);
}

describe("what a key may read about itself and the catalogues", () => {
  it.each(PATHS)("GET $path on the $host host: $name", async ({ endpoint, host, path }) => {
    const query = endpoint.query?.["full"] ? "?full=1" : "";
    const answer = await as("boss", host)("GET", path + query);
    expect(answer.status).toBe(200);
    expect(misfits(endpoint.answer ?? {}, answer.body)).toEqual([]);
  });

  it("tells who has no tokens that nothing can be generated", async () => {
    expect((await as("empty")("GET", "/user/balance")).body).toMatchObject({
      tokens: 0,
      can_generate: false,
    });
    expect((await as("standard")("GET", "/user/balance")).body).toMatchObject({
      subscription_active: false,
      can_generate: true,
    });
  });
});

const CATALOGUES: readonly (readonly [
  path: string,
  under: string,
  entry: Shown,
  further: readonly string[],
])[] = [
  ["/templates", "templates", answers.VIDEO_TEMPLATE, []],
  ["/lora-templates", "templates", answers.VIDEO_TEMPLATE, []],
  ["/image-models", "models", answers.IMAGE_MODEL, []],
  ["/image-edit-templates", "templates", answers.EDIT_TEMPLATE, []],
  // A request may name a sub-template, but the contract does not show where the list of them is.
  ["/h3-r2v-templates", "templates", answers.H3_TEMPLATE, ["sub_templates"]],
];

describe("the catalogues", () => {
  it.each(CATALOGUES)(
    "GET %s: at least 20 entries, each as the table says",
    async (path, under, shown, further) => {
      for (const host of HOSTS) {
        const found = await entriesOf(host, path, under);
        expect(Object.keys(found).length).toBeGreaterThanOrEqual(20);
        for (const [id, entry] of Object.entries(found)) {
          const known = Object.fromEntries(Object.entries(entry).filter(([name]) => !further.includes(name)));
          expect(misfits(shown, known), id).toEqual([]);
          expect(entry.id).toBe(id);
        }
      }
    },
  );

  it("show video templates with their variants, as many as they count", async () => {
    const { templates, count } = (await as("pro")("GET", "/templates")).body;
    const found = Object.values(
      z.record(z.string(), z.looseObject({ sub_templates: z.array(z.unknown()) })).parse(templates),
    );
    expect(found).toHaveLength(Number(count));
    const variants = found.flatMap(({ sub_templates }) => sub_templates);
    expect(variants.length).toBeGreaterThan(0);
    for (const variant of variants) expect(misfits(answers.SUB_TEMPLATE, variant)).toEqual([]);
  });

  it("leave out what is mature on the primary host, and nothing on the other", async () => {
    const curated = await entriesOf("primary", "/templates");
    const full = await entriesOf("full-catalog", "/templates");
    const mature = Object.values(full).filter((entry) => entry["is_mature"] === true);
    expect(mature.length).toBeGreaterThan(0);
    expect(Object.values(curated).some((entry) => entry["is_mature"])).toBe(false);
    // Excluded categories go with it.
    const categories = new Set(Object.values(curated).map((entry) => entry["category"]));
    const left = Object.values(full).filter(({ id }) => !(id in curated));
    expect(left.every((entry) => entry["is_mature"] === true || !categories.has(entry["category"]))).toBe(
      true,
    );
    expect(left.length).toBeGreaterThanOrEqual(mature.length);

    const edits = await entriesOf("primary", "/image-edit-templates");
    const allEdits = await entriesOf("full-catalog", "/image-edit-templates");
    expect(Object.keys(allEdits).length).toBeGreaterThan(Object.keys(edits).length);
    expect(Object.keys(allEdits)).toEqual(expect.arrayContaining(Object.keys(edits)));
  });

  it.each(ENDPOINTS.h3Templates.query.sort.choices)("list H3 templates in the order %s", async (sort) => {
    const { body: list } = await as("standard")("GET", `/h3-r2v-templates?sort=${sort}`);
    expect(list["sort"]).toBe(sort);
    const found = Object.values(entries.parse(list["templates"]));
    const ranks: Readonly<Record<typeof sort, readonly (string | number)[]>> = {
      "most-used": found.map((entry) => -z.int().parse(entry["usage_count"])),
      name: found.map((entry) => textOf(entry["name"])),
      // Newest first; only registered ones have a date.
      latest: found.flatMap(({ release_date: date }) =>
        date === undefined ? [] : [-Date.parse(textOf(date))],
      ),
      // Which of them are free is not shown.
      "free-first": [],
    };
    const keys = ranks[sort];
    expect(keys).toEqual(keys.toSorted((a, b) => (a < b ? -1 : 1)));
    expect(found.every((entry) => typeof entry["prompt"] === "string")).toBe(true);
  });

  it("show one H3 template by its id, and no order that does not exist", async () => {
    const [id = ""] = Object.keys(await entriesOf("primary", "/h3-r2v-templates"));
    const { body: alone } = await as("pro")("GET", `/h3-r2v-templates?id=${id}`);
    expect(misfits(answers.H3_TEMPLATE_ALONE, alone)).toEqual([]);
    expect(alone).toMatchObject({ template: { id } });
    expect((await as("pro")("GET", "/h3-r2v-templates?id=no-such")).status).toBe(404);
    expect((await as("pro")("GET", "/h3-r2v-templates?sort=no-such")).status).toBe(400);
  });

  it("show the raw templates to boss accounts alone", async () => {
    for (const path of pathsOf(ENDPOINTS.rawTemplates)) {
      for (const account of ["standard", "pro", "ultra"] as const)
        expect((await as(account)("GET", `${path}?full=1`)).status).toBe(403);
      expect((await as("boss")("GET", `${path}?full=1`)).body).toHaveProperty("categories");
      expect((await as("boss")("GET", path)).body).not.toHaveProperty("categories");
    }
  });
});

describe("registration", () => {
  it.each(["registerTemplate", "registerH3Template"] as const)(
    "%s creates or overwrites, for boss accounts on the full-catalogue host",
    async (name) => {
      const { path } = ENDPOINTS[name];
      const register = (given: object) =>
        as("boss", "full-catalog")(
          "POST",
          path,
          body(name, { id: `new-${name}`, is_mature: true, ...given }),
        );
      for (const title of ["First", "Second"]) {
        const { status, body: done } = await register({ name: title });
        expect(status).toBe(200);
        expect(misfits(answers.REGISTERED, done)).toEqual([]);
        expect(done).toMatchObject({ success: true, template_id: `new-${name}` });
        expect((await entriesOf("full-catalog", path))[`new-${name}`]).toMatchObject({
          name: title,
          is_mature: true,
        });
      }
      for (const account of ["standard", "pro", "ultra"] as const)
        expect((await as(account, "full-catalog")("POST", path, body(name))).status).toBe(403);
      expect((await as("boss", "primary")("POST", path, body(name))).status).toBe(404);
    },
  );

  it("makes templates that can be used, and H3 ones with their date", async () => {
    const boss = as("boss", "full-catalog");
    await boss("POST", "/templates", body("registerTemplate", { id: "mine", prompt: "pan left" }));
    const made = await boss("POST", "/generate/video", body("generateVideo", { lora_template: "mine" }));
    expect(made.status).toBe(200);
    await boss(
      "POST",
      "/h3-r2v-templates",
      body("registerH3Template", { id: "mine", release_date: "2026-05-04" }),
    );
    const found = (await entriesOf("full-catalog", "/h3-r2v-templates"))["mine"];
    expect(found).toMatchObject({ release_date: "2026-05-04" });
  });
});
