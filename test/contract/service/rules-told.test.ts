import { describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Values } from "../../../src/seam/values.ts";
import type { ProblemView } from "../../../src/seam/views.ts";
import { LOCALES, type MessageKey, translator } from "../../../src/common/i18n.ts";
import { OPERATIONS } from "../../../src/domain/operations/registry.ts";
import type { SandboxOptions } from "../../../src/sandbox/sandbox.ts";
import { caller } from "../../sandbox/call.ts";
import { testCore, type TestCoreOptions } from "../../support/core.ts";
import { testPicture, testSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { person } from "../../support/surface.ts";
import { heldRenderer } from "../../transcripts/held.ts";
import { givenFiles, leastOf } from "./makers.ts";
import { RATE_MESSAGE } from "./table.ts";
import { answered, posted, type Recorded, said, type Wire, wireTo } from "./wire.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const given = await givenFiles();
const LEAST = leastOf(given);
const ann = person("ann");

/** A sandbox with a wire before it; cores over it are opened with {@link coreOver}. */
async function watched(
  options: Partial<SandboxOptions> = {},
  change?: (recorded: Recorded) => object | undefined,
) {
  const sandbox = await testSandbox(options);
  const wire = await wireTo(new URL(sandbox.url).origin, change);
  return {
    sandbox,
    wire,
    async [Symbol.asyncDispose]() {
      await wire[Symbol.asyncDispose]();
      await sandbox.stop();
    },
  };
}

/** A core that reaches the service through the wire. */
function coreOver({ sandbox, wire }: Awaited<ReturnType<typeof watched>>, options: TestCoreOptions = {}) {
  const { keys, url, fullCatalogUrl } = sandbox;
  return testCore({ keys, url: wire.through(url), fullCatalogUrl: wire.through(fullCatalogUrl) }, options);
}

type TestCore = Awaited<ReturnType<typeof testCore>>;

/** The problem that comes of asking for something. */
async function problemOf(
  { surface }: TestCore,
  operation: string,
  values: Values = {},
): Promise<ProblemView> {
  const before = surface.showing("problem").length;
  await surface.intake.command(ann, operation, { ...LEAST[operation], ...values });
  await surface.until(() => surface.showing("problem").length > before);
  const problem = surface.showing("problem").at(-1);
  if (!problem) throw new Error("No problem is shown.");
  return problem;
}

/** A problem's sentence in every language. */
function sentences({ problem: { code, params } }: ProblemView): readonly string[] {
  const key: MessageKey = `error.${code}`;
  return LOCALES.map((locale) => translator(locale)(key, params));
}

/** Every submission that was tried. */
function postsOf({ recorded }: Wire): readonly Recorded[] {
  return recorded.filter(({ method }) => method === "POST");
}

/** A premium template: one that no account without a subscription may use. */
async function premiumTemplate(sandbox: TestSandbox): Promise<string> {
  const call = caller(sandbox.url, sandbox.addAccount("free", "standard", 0));
  const image_base64 = await testPicture();
  const { templates } = (await call("GET", "/templates")).body;
  for (const lora_template of Object.keys(z.record(z.string(), z.unknown()).parse(templates))) {
    const { status } = await call("POST", "/generate/video", { image_base64, lora_template });
    if (status === 403) return lora_template;
  }
  throw new Error("The catalogue has no premium template.");
}

describe.concurrent("what is asked of the service", () => {
  it("`status_url` is a browser page and is never fetched or shown; what is not listed is polled by id", async () => {
    await using service = await watched();
    await using core = await coreOver(service);
    const { surface } = core;
    const operations = ["vid3", "faceswap", "inpaint", "image", "imgpro-reference", "h3-text", "video"];
    for (const operation of operations) await surface.intake.command(ann, operation, LEAST[operation] ?? {});
    await surface.results(operations.length);

    const { recorded } = service.wire;
    const pages = answered(service.wire, "/api/generate/")
      .map(({ status_url }) => status_url)
      .filter((page) => typeof page === "string");
    expect(pages).toHaveLength(3);
    const { pages: visits } = z
      .looseObject({ pages: z.int() })
      .parse(await (await fetch(`${service.sandbox.control}/ledger`)).json());
    expect(visits).toBe(0);
    for (const page of pages) {
      const { pathname } = new URL(page);
      expect(recorded.some(({ path }) => path.startsWith(pathname))).toBe(false);
      expect(JSON.stringify(surface.messages)).not.toContain(pathname);
    }

    const read = recorded
      .filter(({ method }) => method === "GET")
      .map(({ path }) => path.replace(/[0-9a-f-]{36}/, "ID"));
    expect(read).toEqual(
      expect.arrayContaining([
        "/api/vid3-ref2v-jobs/ID",
        "/api/faceswap/ID",
        "/api/imgpro-jobs/ID",
        "/api/job/ID",
      ]),
    );
    // The two that need a key for their file were given one.
    expect(read).toEqual(expect.arrayContaining(["/api/vid3-ref2v/ID/video", "/api/imgpro-jobs/ID/image"]));
    expect(recorded.every(({ headers }) => headers["x-api-key"] === service.sandbox.keys.ultra)).toBe(true);
    expect(surface.messages.flatMap(({ files }) => files).every(({ length }) => length > 500)).toBe(true);
  });

  it("the username is a stable pseudonym unless the operator asks for the real one", async () => {
    await using service = await watched();
    const names = async (options: TestCoreOptions, ...people: string[]) => {
      const before = posted(service.wire, "/api/generate/video").length;
      await using core = await coreOver(service, options);
      for (const name of people)
        await core.surface.intake.command(person(name), "video", LEAST["video"] ?? {});
      await core.surface.results(people.length);
      const sent = posted(service.wire, "/api/generate/video").slice(before);
      expect(sent.every(({ platform }) => platform === "web")).toBe(true);
      return { names: sent.map(({ in_app_username }) => in_app_username), data: core.config.data };
    };
    const first = await names({}, "ann", "ben");
    expect(new Set(first.names).size).toBe(2);
    for (const name of first.names) expect(name).toMatch(/^[0-9a-f]{16}$/);
    const later = await names({ data: first.data }, "ann");
    expect(first.names).toContain(later.names[0]);
    const elsewhere = await names({}, "ann");
    expect(first.names).not.toContain(elsewhere.names[0]);
    const real = await names({ settings: { REELAY_USERNAMES: "real" } }, "ann");
    expect(real.names).toEqual(["ann"]);
  });
});

describe.concurrent("what people are told", () => {
  it("`billing_adjusted` changes the final cost, which is what the person is told", async () => {
    await using service = await watched();
    await using core = await coreOver(service);
    await core.surface.intake.command(ann, "h3-text", LEAST["h3-text"] ?? {});
    const [result] = await core.surface.results(1);
    const record = answered(service.wire, "/api/job/").find(({ status }) => status === "COMPLETED");
    expect(record).toMatchObject({ billing_adjusted: true });
    expect(result?.cost).toBe(record?.["token_cost"]);
    expect(result?.cost).not.toBe(record?.["pre_token_cost"]);
    const { tokens } = (await caller(service.sandbox.url, service.sandbox.keys.ultra)("GET", "/user/balance"))
      .body;
    expect(result?.balance === null || result?.balance === tokens).toBe(true);
    const shown = core.surface.messages[0]?.views.flatMap((view) =>
      "cost" in view ? (view.cost ?? []) : [],
    );
    expect([shown?.[0], shown?.at(-1)]).toEqual([record?.["pre_token_cost"], record?.["token_cost"]]);
  });

  it("429 in two meanings: too many requests means to wait, and no job fails", async () => {
    await using service = await watched();
    await using core = await coreOver(service);
    await service.sandbox.fault({ kind: "429", match: { method: "POST" } });
    await core.surface.intake.command(ann, "video", LEAST["video"] ?? {});
    await core.surface.results(1);
    const [refused, accepted, ...others] = postsOf(service.wire);
    expect([refused?.status, accepted?.status, others]).toEqual([429, 200, []]);
    expect(said(refused?.answer)["error"]).toBe(RATE_MESSAGE);
    // The service does not say for how long: a quarter of the window at first.
    const waited = (accepted?.at ?? 0) - (refused?.at ?? 0);
    expect(waited).toBeGreaterThanOrEqual(core.config.rateWindowMs / 4);
    expect(core.surface.showing("problem")).toEqual([]);
  });

  it("429 in two meanings: no free slot means to wait for one of the key's own jobs to end", async () => {
    const { render, holds } = heldRenderer();
    await using service = await watched({ render });
    const { sandbox, wire } = service;
    const letGo = holds();
    await using core = await coreOver(service);
    await core.surface.intake.command(ann, "video", { ...LEAST["video"], prompt: "first" });
    await core.surface.until(() => core.surface.showing("progress").some(({ phase }) => phase === "running"));
    await sandbox.fault({ kind: "slot429", match: { method: "POST" } });
    await core.surface.intake.command(ann, "video", { ...LEAST["video"], prompt: "second" });
    // The first one runs until the second was refused, however slow this machine is.
    await vi.waitFor(() => expect(postsOf(wire)[1]?.status).toBe(429), { timeout: PATIENCE_MS });
    letGo();
    await core.surface.results(2);
    const [first, refused, accepted, ...others] = postsOf(wire);
    expect([refused?.status, accepted?.status, others]).toEqual([429, 200, []]);
    expect(said(refused?.answer)["error"]).not.toBe(RATE_MESSAGE);
    const between = wire.recorded.filter(({ at }) => at > (refused?.at ?? 0) && at < (accepted?.at ?? 0));
    const end = `"${String(said(first?.answer)["job_id"])}","type":"video","status":"COMPLETED"`;
    expect(between.some(({ answer }) => answer.includes(end))).toBe(true);
    expect(core.surface.showing("problem")).toEqual([]);
  });

  it("403 names what is needed: Pro", async () => {
    await using service = await watched();
    await using core = await coreOver(service, { sharedKey: service.sandbox.keys.standard });
    for (const { id } of OPERATIONS.filter(({ subscription }) => subscription === "pro")) {
      const problem = await problemOf(core, id);
      expect(problem).toMatchObject({
        problem: { code: "pro_required", params: { operation: id } },
        charged: 0,
      });
      for (const sentence of sentences(problem)) expect(sentence).toMatch(/\bPro\b/);
    }
    expect((await service.sandbox.ledger()).submissions).toEqual([]);
  });

  it("403 names what is needed: Ultra", async () => {
    await using service = await watched();
    await using core = await coreOver(service, { sharedKey: service.sandbox.keys.pro });
    const { photo } = given;
    const problem = await problemOf(core, "image-edit", { images: [photo, photo, photo] });
    expect(problem).toMatchObject({ problem: { code: "ultra_required" }, charged: 0 });
    for (const sentence of sentences(problem)) expect(sentence).toMatch(/Ultra/);
  });

  it("403 names what is needed: a premium template", async () => {
    await using service = await watched();
    const template = await premiumTemplate(service.sandbox);
    await using core = await coreOver(service, { sharedKey: service.sandbox.keys.standard });
    for (const operation of ["video", "video-audio"]) {
      const problem = await problemOf(core, operation, { template });
      expect(problem).toMatchObject({ problem: { code: "premium_template" }, charged: 0 });
      for (const sentence of sentences(problem))
        expect(sentence).toMatch(/template|Vorlage|szablon|plantilla|şablon|шаблон/i);
    }
  });

  it("503 says which product is resting and offers another", async () => {
    await using service = await watched();
    await using core = await coreOver(service);
    for (const { id, instead } of OPERATIONS) {
      await service.sandbox.fault({ kind: "503", match: { method: "POST", path: "/api/generate" } });
      const problem = await problemOf(core, id);
      expect(problem).toMatchObject({
        problem: { code: "product_resting", params: { operation: id, instead } },
        charged: 0,
      });
      expect(OPERATIONS.some((other) => other.id === instead && other.id !== id)).toBe(true);
      expect(problem.actions?.[0]?.label.key).toBe("action.instead");
    }
    expect((await service.sandbox.ledger()).submissions).toEqual([]);
  });

  it("a FAILED job shows its error_message and what was charged: nothing, where it was given back", async () => {
    await using service = await watched({ failRate: 1 });
    await using core = await coreOver(service);
    for (const operation of ["video", "image", "h3-text"]) {
      const problem = await problemOf(core, operation);
      const record = answered(service.wire, "/api/job/").findLast(({ status }) => status === "FAILED");
      expect(problem).toMatchObject({
        problem: { code: "job_failed", params: { reason: record?.["error_message"] } },
        charged: 0,
      });
      expect(record?.["error_message"]).toMatch(/\w/);
    }
  });

  it("a FAILED job shows its error_message and what was charged: the tokens that the service kept", async () => {
    const kept = { error_message: "The model gave up.", token_cost: 1.25 };
    await using service = await watched({ failRate: 1 }, ({ path, answer }) =>
      path.startsWith("/api/job/") ? { ...said(answer), ...kept } : undefined,
    );
    await using core = await coreOver(service);
    const problem = await problemOf(core, "image");
    expect(problem).toMatchObject({
      problem: { code: "job_failed", params: { reason: kept.error_message } },
      charged: kept.token_cost,
    });
    for (const sentence of sentences(problem)) expect(sentence).toContain(kept.error_message);
  });
});
