import { beforeAll, describe, expect, it } from "vitest";
import { LOCALES, translator } from "../../../src/common/i18n.ts";
import type { ProblemBody } from "../../../adapters/http/resources/problem.ts";
import { openGateway, type TestPartner } from "../../support/gateway.ts";
import { testPicture, testSandbox } from "../../support/sandbox.ts";

let image: string;

beforeAll(async () => {
  image = await testPicture();
});

/** A job for one of a partner's people. */
const body = (name: string) => ({ operation: "image", input: { prompt: "x" }, in_app_username: name });

/** What a submission is refused with. */
async function refusal(partner: TestPartner, body: object, headers = {}): Promise<ProblemBody> {
  const answer = await partner.submit(body, headers);
  const problem = (await answer.json()) as ProblemBody;
  expect(answer.headers.get("content-type")).toBe("application/problem+json");
  expect(problem.status).toBe(answer.status);
  return problem;
}

describe("a body of a type that is not read", () => {
  it("is refused with the types that are", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const detailOf = async (path: string) => {
      const headers = { "content-type": "text/xml", "idempotency-key": "x" };
      const answer = await acme.call(path, { method: "POST", headers, body: "<a/>" });
      expect(answer.status).toBe(415);
      return ((await answer.json()) as ProblemBody).detail;
    };
    expect(await detailOf("/jobs")).toContain("Send application/json, multipart/form-data.");
    expect(await detailOf("/webhooks")).toContain("Send application/json.");
  });

  it.each([
    ["packed", { "content-encoding": "gzip" }, "“gzip”"],
    ["packed twice", { "content-encoding": "gzip, br" }, "“gzip, br”"],
    ["packed as nobody does", { "content-encoding": "k3y-of-mine" }, "“application/json, …”"],
    ["in other letters", { "content-type": 'application/json; charset="ISO-8859-1"' }, "charset=iso-8859-1”"],
    [
      "in letters that nobody knows",
      { "content-type": "application/json; charset=k3y-of-mine" },
      "“application/json; charset=…”",
    ],
  ])("is one that is %s, however it would be taken", async (_, more, said) => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    for (const path of ["/jobs", "/quotes", "/webhooks"]) {
      const headers = { "content-type": "application/json", "idempotency-key": "x", ...more };
      const answer = await acme.call(path, { method: "POST", headers, body: JSON.stringify(body("jo")) });
      expect(answer.status, path).toBe(415);
      const text = await answer.text();
      expect((JSON.parse(text) as ProblemBody).detail).toContain(said);
      expect(text).not.toContain("k3y-of-mine");
    }
    const headers = { "content-type": "application/json; charset=UTF-8", "content-encoding": "identity" };
    expect((await acme.submit(body("jo"), headers)).status).toBe(202);
  });
});

describe("what is wrong with a job", () => {
  it("is told for every field at once, with its bound and an example", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const problem = await refusal(acme, {
      operation: "video",
      input: { image: "no file", duration: 99, orientation: "round", colour: 1, prompt: {}, steps: null },
    });
    expect(problem).toMatchObject({ status: 422, retryable: false });
    const fields = Object.fromEntries((problem.errors ?? []).map((error) => [error.field, error]));
    expect(fields).toMatchObject({
      "input.image": { code: "field_not_file", example: "https://example.com/photo.jpg" },
      "input.duration": { code: "field_out_of_range", min: 3, max: 8, example: expect.any(Number) },
      "input.orientation": { code: "field_invalid", choices: ["portrait", "landscape", "square"] },
      "input.colour": { code: "field_unknown" },
      "input.prompt": { code: "field_invalid" },
      // What is left out is not there: null is as wrong as the document says.
      "input.steps": { code: "field_invalid", example: expect.any(Number) },
    });
    for (const { field, detail } of problem.errors ?? []) expect(detail).toContain(field);
  });

  it("is a text that is too long, also where it comes without a blank, as files do", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const prompts = [
      "word ".repeat(50_000),
      "x".repeat(250_000),
      // What no base64 ends like, and what a blank comes in after a while.
      "x".repeat(250_001),
      `${"x".repeat(250_000)} and more`,
    ];
    for (const prompt of prompts)
      expect(await refusal(acme, { operation: "image", input: { prompt } })).toMatchObject({
        status: 422,
        detail: expect.stringContaining("is too long: at most 20,000 characters."),
        errors: [{ field: "input.prompt", code: "field_too_long", max: 20_000 }],
      });
    for (const prompt of prompts.slice(1)) {
      const openai = await fetch(`${gateway.url}/openai/v1/images/generations`, {
        method: "POST",
        headers: { authorization: `Bearer ${acme.token}`, "content-type": "application/json" },
        body: JSON.stringify({ model: "image", prompt }),
      });
      expect(await openai.json()).toMatchObject({ error: { param: "prompt", code: "field_too_long" } });
    }
    for (const orientation of prompts.slice(1)) {
      const choice = { operation: "video", input: { image, prompt: "x", orientation } };
      expect(await refusal(acme, choice)).toMatchObject({
        errors: [{ field: "input.orientation", code: "field_invalid" }],
      });
    }
    const unknown = { operation: "image", input: { prompt: "x", colour: "x".repeat(250_001) } };
    expect(await refusal(acme, unknown)).toMatchObject({
      errors: [{ field: "input.colour", code: "field_unknown" }],
    });
    const mixed = { image: `${"x".repeat(250_000)}.${image}`, prompt: "x".repeat(250_001) };
    expect(await refusal(acme, { operation: "video", input: mixed })).toMatchObject({
      errors: [
        { field: "input.image", code: "field_not_file" },
        { field: "input.prompt", code: "field_too_long" },
      ],
    });
  });

  it("is a member of the name that schemas leave out, wherever it stands", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const member = JSON.parse('{"__proto__": {"admin": true}}') as object;
    const bodies = {
      "input.__proto__": { operation: "image", input: { prompt: "x", ...member } },
      "metadata.order.__proto__": { ...body("jo"), metadata: { order: member } },
    };
    // What is spread is a member, too.
    expect(Object.keys(bodies["input.__proto__"].input)).toContain("__proto__");
    for (const [field, wrong] of Object.entries(bodies))
      expect(await refusal(acme, wrong)).toMatchObject({
        status: 422,
        errors: [{ field, code: "field_unknown" }],
      });
  });

  it("is told of what stands beside the input, too", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const problem = await refusal(acme, {
      operation: "image",
      input: { prompt: "a cat" },
      in_app_username: "x".repeat(200),
      platform: "a b",
      metadata: { long: "x".repeat(5_000) },
      webhook: "ftp://example.com",
      surprise: true,
    });
    const fields = (problem.errors ?? []).map(({ field, code }) => [field, code] as const);
    expect(Object.fromEntries(fields)).toEqual({
      in_app_username: "field_too_long",
      metadata: "field_invalid",
      platform: "field_invalid",
      surprise: "field_unknown",
      webhook: "field_invalid",
    });
    expect(problem.errors?.find(({ field }) => field === "platform")).toMatchObject({ example: "ios-app" });
  });

  it("is metadata that is too large, however it is written", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    // Text without blanks is read as a file where it is that long; the last one is no base64.
    for (const long of ["x".repeat(5_000), "x ".repeat(25_000), "x".repeat(250_000), "x".repeat(250_001)])
      for (const metadata of [{ long }, { in: [{ long }] }])
        expect(await refusal(acme, { operation: "image", input: { prompt: "x" }, metadata })).toMatchObject({
          status: 422,
          detail: expect.stringContaining("at most 4096 characters of JSON"),
          errors: [{ field: "metadata", code: "field_invalid" }],
        });
  });

  it("is said in the language that is asked for", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const wrong = { operation: "video", input: { image, prompt: "x", duration: 99 } };
    const details = [];
    for (const language of ["en", "de-AT,de;q=0.9", "pl"])
      details.push((await refusal(acme, wrong, { "accept-language": language })).detail);
    expect(new Set(details).size).toBe(3);
  });

  it.each([
    ["an operation that there is not", { operation: "nothing", input: {} }, 404, "unknown_operation"],
    ["a template that there is not", { template: "nothing" }, 422, "field_unknown_choice"],
    ["a webhook inside the network", { webhook: "https://10.0.0.1/" }, 422, "webhook_url_refused"],
    [
      "a webhook with a password in it",
      { webhook: "https://ann:pw-7@example.com/" },
      422,
      "url_with_password",
    ],
    [
      "a picture with a password in its address",
      { image: "https://ann:pw-7@example.com/a.jpg" },
      422,
      "url_with_password",
    ],
    ["a reference that was made up", { image: { surface: "web", id: "a".repeat(64) } }, 422, "field_invalid"],
    [
      "a file where none is taken",
      { prompt: `data:image/png;base64,${"A".repeat(60_000)}` },
      422,
      "field_invalid",
    ],
  ])("is refused: %s", async (_, said, status, code) => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { operation, webhook, ...input } = said as Record<string, string>;
    const problem = await refusal(acme, {
      operation: operation ?? "video",
      input: { image, prompt: "x", ...input },
      ...(webhook !== undefined && { webhook }),
    });
    expect(problem).toMatchObject({ status, code });
    expect(JSON.stringify(problem)).not.toContain("pw-7");
  });

  it("calls a field what it is called in the request, whatever it is called on a form", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { detail, errors } = await refusal(acme, { operation: "image", input: {} });
    expect(detail).toBe("“input.prompt” is missing. Nothing was sent. Fill it in and try again.");
    expect(errors).toMatchObject([{ field: "input.prompt", detail }]);
  });

  it("is not told that nothing was sent where it was only to be read", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const detailOf = async (path: string, language: string) => {
      const answer = await acme.call(path, { headers: { "accept-language": language } });
      return ((await answer.json()) as ProblemBody).detail;
    };
    expect(await detailOf("/operations/vid eo", "en")).toBe(
      "There is no operation called “vid eo”. Expected: video.",
    );
    expect(await detailOf("/jobs?limit=0", "en")).toBe(
      "“query.limit” is not valid. Expected: a whole number from 1 to 100.",
    );
    for (const locale of LOCALES)
      for (const path of [
        "/operations/vidoe",
        "/jobs?limit=0",
        `/catalogues/video-templates?search=${"x".repeat(201)}`,
      ])
        expect(await detailOf(path, locale), path).not.toContain(translator(locale)("view.sent.none"));
  });

  it("is that nobody pays for it, or that there is not enough to pay", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox, { paid: false });
    const poor = await gateway.join("poor", { key: sandbox.keys.empty });
    const broke = await gateway.join("broke");
    const cat = { operation: "image", input: { prompt: "a cat" } };
    expect(await refusal(broke, cat)).toMatchObject({ status: 403, code: "not_connected" });
    expect(await refusal(poor, { operation: "vid3", input: { images: [image], prompt: "x" } })).toMatchObject(
      {
        status: 402,
        code: "tokens_missing",
      },
    );
  });

  it("is called an operation where there is none of that name, with the one that was probably meant", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const { detail } = await refusal(acme, { operation: "vidoe", input: {} });
    expect(detail).toBe("There is no operation called “vidoe”. Expected: video. Nothing was sent.");
    const looked = await acme.call("/operations/nothing");
    expect(await looked.json()).toMatchObject({
      code: "unknown_operation",
      detail: expect.stringContaining("Expected: video, video-audio, "),
    });
  });

  it("is a cap that the operator set: for the partner, and for each of their people", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join("acme", { caps: { day: 3 }, userCaps: { day: 2 } });
    await acme.accepted(body("jo"));
    await acme.accepted(body("jo"));
    const tomorrow = new Date(new Date().setUTCHours(24, 0, 0, 0)).toISOString();
    expect(await refusal(acme, body("jo"))).toMatchObject({
      status: 403,
      code: "partner_period_cap",
      ends_at: tomorrow,
    });
    await acme.accepted(body("kim"));
    expect(await refusal(acme, body("lee"))).toMatchObject({
      status: 403,
      code: "partner_period_cap",
      retryable: false,
    });
  });

  it("leaves no file behind", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    await refusal(acme, { operation: "video", input: { image, duration: 99 } });
    expect(await gateway.storedFiles()).toBe(0);
  });
});
