import { afterAll, describe, expect, it } from "vitest";
import { MediaApi } from "../../../src/infrastructure/api/media-api.ts";
import { REQUESTS } from "../../../src/infrastructure/api/requests/index.ts";
import { caller } from "../../sandbox/call.ts";
import { testSandbox } from "../../support/sandbox.ts";
import { operationAt, schemaOf } from "./calls.ts";
import { bodyOf, materialOf, type Probe, probesOf, sampleOf } from "./probes.ts";
import { samplesOf } from "./samples.ts";
import { type Endpoint, ENDPOINTS, FIELD_BOUNDS, requests } from "./table.ts";

// Every job fails, so that nothing is rendered; the windows of the published rates are too short for two requests.
const sandbox = await testSandbox({ timeScale: 1e-6, failRate: 1 });
afterAll(() => sandbox.stop());
const material = await materialOf(await samplesOf(sandbox));

const ALL = Object.entries<Endpoint>(ENDPOINTS);

/** Every request with a body. */
const POSTS = ALL.flatMap(([name, endpoint]) =>
  endpoint.body ? [{ name, endpoint, fields: endpoint.body }] : [],
);

/** Every probe of every request. */
const PROBES = POSTS.flatMap(({ name, endpoint, fields }) =>
  probesOf(name, fields, material).map((probe) => ({ name, endpoint, probe })),
);

/** The least that a request needs. */
const leastOf = ({ name, fields }: (typeof POSTS)[number]) => bodyOf(name, fields, material);

/** A valid value for every field that any request has. */
const VALUES = new Map(
  POSTS.flatMap(({ name, fields }) =>
    Object.keys(fields).map((field) => [field, sampleOf(name, field, fields, material)] as const),
  ),
);

/** Fields of other requests, each with a value: to this one they must be as unknown as any. */
function foreignTo({
  fields,
}: (typeof POSTS)[number]): readonly (readonly [field: string, value: unknown])[] {
  const own = new Set(Object.entries(fields).flatMap(([name, { alias }]) => [name, alias ?? name]));
  return [...VALUES].filter(([field]) => !own.has(field));
}

/** What the client has of its own: endpoints of operations stand in their files. */
const OWN = ALL.filter(([name]) => !operationAt(name));

describe("the table", () => {
  it("has every method of the client that asks the service, and no other", () => {
    const methods = new Set<string>();
    for (
      let level: object = MediaApi.prototype;
      level !== Object.prototype;
      level = Object.getPrototypeOf(level)
    )
      for (const name of Object.getOwnPropertyNames(level)) methods.add(name);
    // One template is a query of the list, all jobs are its pages; the rest asks nothing of its own.
    const others = ["h3Template", "allJobs", "submit", "download", "vid3VideoUrl", "imgproImageUrl", "close"];
    expect(new Set([...OWN.map(([name]) => name), ...others, "constructor"])).toEqual(methods);
  });

  it.each(FIELD_BOUNDS)("says the same in sections 4 and 8.2: %s %s", (name, field, bound) => {
    const { body }: Endpoint = ENDPOINTS[name];
    expect(body?.[field]).toMatchObject(bound);
  });
});

describe("the client", () => {
  it("has a schema for every request with fields, and no other", () => {
    // The one query of raw templates is set by their method.
    const names = OWN.filter(([name, { body, query }]) => name !== "rawTemplates" && (body ?? query));
    expect(new Set(Object.keys(REQUESTS))).toEqual(new Set(names.map(([name]) => name)));
  });

  it.each(POSTS)("knows the fields of $name, and no other", ({ name, fields }) => {
    expect(new Set(Object.keys(schemaOf(name).shape))).toEqual(new Set(Object.keys(fields)));
  });

  it.each(POSTS)("takes no other request's fields for its own: $name", (post) => {
    const taken = foreignTo(post).filter(
      ([field, value]) => schemaOf(post.name).safeParse({ ...leastOf(post), [field]: value }).success,
    );
    expect(taken).toEqual([]);
  });

  it.each(PROBES.filter(({ probe }) => !probe.serviceOnly))(
    "judges $name, $probe.field: $probe.why",
    ({ name, probe }) => {
      expect(schemaOf(name).safeParse(probe.body).success).toBe(probe.accepted);
    },
  );

  const { per_page, page } = ENDPOINTS.jobs.query;
  it.each([
    [{}, true],
    [{ page: page.default, perPage: per_page.max, status: "FAILED" }, true],
    [{ perPage: per_page.max + 1 }, false],
    [{ perPage: 0 }, false],
    [{ page: 0 }, false],
    [{ sort: "latest" }, false],
  ])("bounds the job list: %j", (query, accepted) => {
    expect(REQUESTS.jobs.safeParse(query).success).toBe(accepted);
  });

  it.each([...ENDPOINTS.h3Templates.query.sort.choices, "no-such-order"])(
    "knows the orders of H3 templates: %s",
    (sort) => {
      expect(REQUESTS.h3Templates.safeParse({ sort }).success).toBe(sort !== "no-such-order");
    },
  );

  it.each(requests.H3_FORBIDDEN)("never sends %s", (name) => {
    expect(schemaOf("generateH3").safeParse({ prompt: "slow zoom", [name]: "x" }).success).toBe(false);
  });
});

const TAKEN = { status: 200, body: expect.any(Object) };
const REFUSED = { status: 400, body: { error: expect.any(String), code: 400 } };

/** What the sandbox answers to a request, on the host that has it. */
function post({ host, path }: Pick<Endpoint, "host" | "path">, body: Probe["body"]) {
  const url = host === "full-catalog" ? sandbox.fullCatalogUrl : sandbox.url;
  return caller(url, sandbox.keys.boss)("POST", path, body);
}

describe("the sandbox", () => {
  it.each(POSTS)("takes no other request's fields for its own: $name", async (one) => {
    const taken: string[] = [];
    for (const [field, value] of foreignTo(one)) {
      const { status } = await post(one.endpoint, { ...leastOf(one), [field]: value });
      if (status !== 400) taken.push(field);
    }
    expect(taken).toEqual([]);
  });

  it.each(PROBES)("judges $name, $probe.field: $probe.why", async ({ endpoint, probe }) => {
    expect(await post(endpoint, probe.body)).toEqual(probe.accepted ? TAKEN : REFUSED);
  });

  it.each(requests.H3_FORBIDDEN)("refuses %s", async (name) => {
    expect(await post(ENDPOINTS.generateH3, { prompt: "slow zoom", [name]: "x" })).toEqual(REFUSED);
  });

  it("refuses sizes below 2K for reference-to-image", async () => {
    const body = { prompt: "slow zoom", images: [material.pictures.png.toString("base64")] };
    const { generateImgproReference } = ENDPOINTS;
    expect(await post(generateImgproReference, { ...body, size: "2048x2048" })).toEqual(TAKEN);
    expect(await post(generateImgproReference, { ...body, size: "1024x1024" })).toEqual(REFUSED);
  });
});
