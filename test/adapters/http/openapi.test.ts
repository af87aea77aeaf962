import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Validator } from "@seriousme/openapi-schema-validator";
import spectral from "@stoplight/spectral-core";
import { oas } from "@stoplight/spectral-rulesets";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Content, Example, OpenApi } from "../../../adapters/http/openapi/model.ts";
import { createHttpSurface } from "../../../adapters/http/surface.ts";
import { readConfig } from "../../../src/app/config.ts";
import type { Sandbox } from "../../../src/sandbox/sandbox.ts";
import { openAdapter, type RunningAdapter } from "../../support/adapter.ts";
import { checkedDocument, checkedFetch } from "../../support/openapi.ts";
import { temporaryFolder, testSandbox } from "../../support/sandbox.ts";

const LINTER = fileURLToPath(new URL("bin/cli.js", import.meta.resolve("@redocly/cli/package.json")));
const RULES = fileURLToPath(new URL("support/redocly.yaml", import.meta.url));

let sandbox: Sandbox & AsyncDisposable;
let adapter: RunningAdapter;
let document: OpenApi;

beforeAll(async () => {
  sandbox = await testSandbox();
  const config = readConfig({
    REELAY_API_URL: sandbox.url,
    REELAY_DATA: temporaryFolder(),
    REELAY_SECRET: "a secret for tests only",
    REELAY_LOG_LEVEL: "silent",
  });
  adapter = await openAdapter(config, sandbox, { paid: true, make: createHttpSurface });
  document = (await (await adapter.routes.request("/v1/openapi.json")).json()) as OpenApi;
});
afterAll(async () => {
  await adapter.stop();
  await sandbox[Symbol.asyncDispose]();
});

describe("the OpenAPI document", () => {
  it("is valid", async () => {
    expect(await new Validator().validate({ ...document })).toEqual({ valid: true });
  });

  it("gives Spectral nothing to remark on", async () => {
    const linter = new spectral.Spectral();
    linter.setRuleset(new spectral.Ruleset({ extends: [[oas, "recommended"]] }));
    // It looks, and says what is worth no more than a warning, too.
    const bare = { openapi: "3.1.0", info: { title: "Bare", version: "1" }, paths: {} };
    expect((await linter.run(bare)).map(({ code }) => code)).toContain("info-contact");
    expect(await linter.run({ ...document })).toEqual([]);
  });

  it("gives Redocly's linter nothing to warn of", async () => {
    const file = join(temporaryFolder(), "openapi.json");
    await writeFile(file, JSON.stringify(document));
    const args = [LINTER, "lint", file, "--config", RULES, "--format", "summary"];
    const env = { ...process.env, REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true" };
    const { stderr } = await promisify(execFile)(process.execPath, args, { env });
    expect(stderr).toContain("Your API description is valid");
    expect(stderr).not.toContain("warning");
  });

  it("has every route that is mounted, and no other", () => {
    const mounted = adapter.routes.routes
      // What is beside `/v1` is for agents, and told where they look.
      .filter(({ method, path }) => method !== "ALL" && path.startsWith("/v1/"))
      .map(({ method, path }) => `${method} ${path.replaceAll(/:(\w+)/g, "{$1}")}`);
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} /v1${path}`),
    );
    expect(described.toSorted()).toEqual([...new Set(mounted)].toSorted());
    expect(described.length).toBeGreaterThan(20);
  });

  it("points at nothing that is not there", () => {
    const references = [...valuesOf(document, "$ref")] as string[];
    expect(references.length).toBeGreaterThan(100);
    for (const reference of new Set(references)) expect(at(document, reference), reference).toBeDefined();
  });

  it("has examples that fit: of bodies, answers and refusals", () => {
    const { fits } = checkedDocument(document);
    let count = 0;
    for (const [place, content] of contentsOf(document))
      for (const [type, { schema, example, examples = {} }] of Object.entries(content)) {
        const given = Object.values(examples).map((one) => exampleIn(document, one).value);
        for (const value of example === undefined ? given : [example, ...given]) {
          expect(schema, place.join(" ")).toBeDefined();
          fits(value, ...place, type, "schema");
          count++;
        }
      }
    expect(count).toBeGreaterThan(100);
  });

  it("has fields with examples and defaults that fit", () => {
    const { fits } = checkedDocument(document);
    const checkedPlaces = [...schemasWithExamples(document, [])];
    expect(checkedPlaces.length).toBeGreaterThan(100);
    for (const { place, values } of checkedPlaces) for (const value of values) fits(value, ...place);
  });

  it("knows what each operation takes", () => {
    const { fits } = checkedDocument(document);
    const job = (body: object) => fits(body, "components", "schemas", "NewJob");
    const image = "https://example.com/photo.jpg";
    expect(() => job({ operation: "video", input: { image, prompt: "zoom" } })).not.toThrow();
    expect(() => job({ operation: "video", input: { prompt: "zoom" } })).toThrow("image");
    expect(() => job({ operation: "video", input: { image } })).toThrow("template");
    expect(() => job({ operation: "video", input: { image, prompt: "zoom", duration: 9 } })).toThrow("<= 8");
    expect(() => job({ operation: "faceswap", input: { image, prompt: "zoom" } })).toThrow("source");
    expect(() => job({ operation: "vidoe", input: { image, prompt: "zoom" } })).toThrow("oneOf");
    expect(() => job({ operation: "video", input: { image, prompt: "zoom", durationn: 5 } })).toThrow(
      "input",
    );
    expect(() => job({ operation: "video", input: { image, prompt: "zoom" }, more: 1 })).toThrow("oneOf");
  });

  it("knows what each operation takes as a form, of jobs and of quotes", () => {
    const { fits } = checkedDocument(document);
    const form = (path: string, body: object) =>
      fits(body, "paths", path, "post", "requestBody", "content", "multipart/form-data", "schema");
    const video = { operation: "video", image: "a file", prompt: "zoom" };
    const metadata = JSON.stringify({ order: "A-1" });
    expect(() => form("/jobs", { ...video, metadata })).not.toThrow();
    expect(() => form("/quotes", video)).not.toThrow();
    expect(() => form("/quotes", { ...video, metadata })).toThrow("additional");
    expect(() => form("/jobs", { ...video, durationn: 5 })).toThrow("additional");
    expect(() => form("/jobs", { operation: "video", image: "a file" })).toThrow("template");
  });

  it("asks of nobody what has a default", () => {
    const { NewJob, JobAgreed, VideoInput } = document.components.schemas;
    expect(NewJob?.discriminator).toMatchObject({ propertyName: "operation" });
    expect(document.components.schemas["VideoJob"]?.required).toEqual(["operation", "input"]);
    expect(VideoInput?.required).toEqual(["image"]);
    for (const schema of [JobAgreed, VideoInput]) expect([...valuesOf(schema, "default")]).toEqual([]);
  });
});

describe("checking calls against the document", () => {
  const address = "https://reelay.example/v1/partner";
  const headers = {
    "content-type": "application/json",
    "x-request-id": "1",
    ratelimit: "1",
    "ratelimit-policy": "1",
  };
  const asked = async (answer: Response) => checkedFetch(document, async () => answer)(address);

  it("lets through what is described", async () => {
    const answer = await asked(new Response(JSON.stringify(partner()), { headers }));
    expect(await answer.json()).toEqual(partner());
  });

  it.each([
    ["a status", () => new Response("{}", { status: 418, headers }), "418"],
    [
      "a header",
      () => Response.json(partner(), { headers: { ...headers, "idempotency-replayed": "1" } }),
      "replayed",
    ],
    [
      "a content type",
      () => new Response("hello", { headers: { "content-type": "text/plain" } }),
      "text/plain",
    ],
    ["a field", () => Response.json({ ...Object(partner()), more: 1 }, { headers }), "additional"],
    ["a field's type", () => Response.json({ ...Object(partner()), id: 1 }, { headers }), "string"],
  ])("refuses %s that is not", async (_, answer, reason) => {
    await expect(asked(answer())).rejects.toThrow(reason);
  });
});

const partner = () =>
  document.paths["/partner"]?.["get"]?.responses["200"]?.content?.["application/json"]?.example;

function* valuesOf(value: unknown, name: string): Generator {
  if (typeof value !== "object" || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (key === name) yield inner;
    yield* valuesOf(inner, name);
  }
}

/** What a pointer such as `#/components/schemas/Job` leads to. */
function at(root: unknown, reference: string): unknown {
  const steps = reference.replace(/^#\//, "").split("/");
  return steps.reduce<unknown>((value, step) => (value as Record<string, unknown> | undefined)?.[step], root);
}

function exampleIn(root: OpenApi, example: Example | { readonly $ref: string }): Example {
  return "value" in example ? example : (at(root, example.$ref) as Example);
}

/** Every body that is described, with its place. */
function* contentsOf(root: OpenApi): Generator<[place: string[], content: Content]> {
  const operations = [
    ...Object.entries(root.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => [["paths", path, method], operation] as const),
    ),
    ...Object.entries(root.webhooks).map(([type, { post }]) => [["webhooks", type, "post"], post] as const),
  ];
  for (const [place, { requestBody, responses }] of operations) {
    if (requestBody) yield [[...place, "requestBody", "content"], requestBody.content];
    for (const [status, response] of Object.entries(responses))
      if ("content" in response && response.content)
        yield [[...place, "responses", status, "content"], response.content as Content];
  }
}

/** Every schema with examples or a default of its own. */
function* schemasWithExamples(
  value: unknown,
  place: readonly string[],
): Generator<{ place: readonly string[]; values: readonly unknown[] }> {
  if (typeof value !== "object" || value === null) return;
  const { examples, default: standard } = value as { examples?: unknown; default?: unknown };
  const values = [
    ...(Array.isArray(examples) ? examples : []),
    ...(standard === undefined ? [] : [standard]),
  ];
  if (values.length > 0) yield { place, values };
  for (const [name, inner] of Object.entries(value)) {
    const isExample = name === "example" || name === "examples" || name === "default";
    if (!isExample) yield* schemasWithExamples(inner, [...place, name]);
  }
}
