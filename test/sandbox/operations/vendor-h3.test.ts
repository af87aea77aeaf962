import { beforeAll, describe, expect, it } from "vitest";
import { ffmpegRenderer } from "../../../src/sandbox/render/ffmpeg.ts";
import { testFfmpeg, testPicture, testSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { caller, endedAt, submitTo, textOf } from "../call.ts";
import { describeClip } from "../clip.ts";

const PATH = "/generate/vendor-h3";
const TEMPLATE = "h3-slow-portrait";
const VARIANT = "h3-slow-portrait-cool";

let picture: string;
beforeAll(async () => {
  picture = await testPicture();
});

/** The mode and the number of references that a request is answered with. */
async function understood(sandbox: TestSandbox, fields: object) {
  const { status, body } = await caller(sandbox.url, sandbox.keys.boss)("POST", PATH, {
    prompt: "a walk",
    ...fields,
  });
  return status === 200 ? [body["mode"], body["reference_count"]] : body["error"];
}

describe("POST /generate/vendor-h3 (section 4.7)", () => {
  it.each([PATH, "/vendor-h3/generate"])(
    "reserves tokens and answers with the mode in lower case: %s",
    async (path) => {
      // One each: what the first job leaves over comes back as soon as it has ended.
      await using sandbox = await testSandbox();
      const call = caller(sandbox.url, sandbox.keys.pro);
      expect(await call("POST", path, { prompt: "a walk" })).toEqual({
        status: 200,
        body: {
          job_id: expect.any(String),
          status: "submitted",
          message: "H3 job submitted. 4 tokens reserved.",
          pre_token_cost: 4,
          token_cost: 4,
          remaining_tokens: 1196.25,
          mode: "t2v",
          reference_count: 0,
        },
      });
    },
  );

  it("finds out the mode when it is omitted", async () => {
    await using sandbox = await testSandbox();
    expect(await understood(sandbox, {})).toEqual(["t2v", 0]);
    expect(await understood(sandbox, { image_base64: picture })).toEqual(["i2v", 0]);
    expect(await understood(sandbox, { reference_images: [picture, picture] })).toEqual(["r2v", 2]);
  });

  it("makes it r2v when a template comes with no mode, or with t2v", async () => {
    await using sandbox = await testSandbox();
    const fields = { template_id: TEMPLATE, reference_images: [picture] };
    expect(await understood(sandbox, fields)).toEqual(["r2v", 1]);
    expect(await understood(sandbox, { ...fields, mode: "t2v" })).toEqual(["r2v", 1]);
    expect(await understood(sandbox, { template_id: TEMPLATE, image_base64: picture })).toEqual(["r2v", 1]);
  });

  it("prepends a preamble to the prompt when a template comes with i2v", async () => {
    await using sandbox = await testSandbox();
    const fields = { mode: "i2v", image_base64: picture };
    expect(await understood(sandbox, { ...fields, template_id: TEMPLATE })).toEqual(["i2v", 0]);
    expect(await understood(sandbox, fields)).toEqual(["i2v", 0]);
    expect((await sandbox.ledger()).submissions.map(({ prompt }) => prompt)).toEqual([
      expect.stringMatching(/^Keep the identity .*a walk$/),
      "a walk",
    ]);
  });

  it.each(["loras", "lora_name", "style_lora", "lora_pairs"])("refuses %s by name", async (name) => {
    await using sandbox = await testSandbox();
    expect(await understood(sandbox, { [name]: [] })).toMatch(new RegExp(`^${name}: must not be sent`));
  });

  it.each([
    [{ prompt: undefined }, /^prompt: is required/],
    [{ mode: "R2V" }, /^mode: must be one of t2v, i2v, r2v/],
    [{ mode: "i2v" }, /^image_base64: is required for mode i2v/],
    [{ mode: "r2v" }, /^reference_images: is required for mode r2v/],
    [{ template_id: TEMPLATE }, /^reference_images: is required/],
    [{ mode: "t2v", image_base64: "x" }, /^image_base64: not with mode t2v/],
    [{ mode: "t2v", reference_images: ["x"] }, /^reference_images: only with mode r2v/],
    [{ image_base64: "x", reference_images: ["x"] }, /^image_base64: not with reference_images/],
    [{ reference_images: [] }, /^reference_images: must be 1 to 4 pictures/],
    [{ reference_images: ["a", "a", "a", "a", "a"] }, /^reference_images: must be 1 to 4/],
    [{ reference_images: ["aGVsbG8h"] }, /^reference_images\.0: cannot be decoded/],
    [{ duration: 4 }, /^duration: must be a whole number from 5 to 20/],
    [{ duration: 21 }, /^duration/],
    [{ megapixels: 0.1 }, /^megapixels: must be from 0.25 to 2/],
    [{ megapixels: 3 }, /^megapixels/],
    [{ aspect_ratio: "16:9" }, /^aspect_ratio: must be a ratio and a label/],
    [{ aspect_ratio: "9:1 (Strip)" }, /^aspect_ratio: must be from 1:4 to 4:1/],
    [{ turbo_mode: "yes" }, /^turbo_mode/],
    [{ realism_lora: 1 }, /^realism_lora/],
    [{ seed: -2 }, /^seed/],
    [{ template_id: "no-such", reference_images: ["x"] }, /^template_id: no H3 template/],
    [{ sub_template_id: VARIANT }, /^sub_template_id: needs a template_id/],
    [{ template_id: TEMPLATE, sub_template_id: "no-such" }, /^sub_template_id: h3-slow-portrait has no/],
    [{ in_app_username: "someone" }, /^in_app_username: unknown field/],
  ])("refuses %o with a 400 that names the field", async (fields, message) => {
    await using sandbox = await testSandbox();
    expect(await understood(sandbox, fields)).toMatch(message);
    expect((await sandbox.ledger()).submissions).toEqual([]);
  });

  it.each([
    ["standard", 10],
    ["pro", 15],
    ["ultra", 20],
    ["boss", 20],
  ] as const)("lets %s keys ask for at most %i seconds", async (name, longest) => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys[name]);
    const ask = (duration: number) => call("POST", PATH, { prompt: "a walk", duration });
    expect((await ask(longest)).status).toBe(200);
    expect((await ask(longest + 1)).body["error"]).toMatch(
      new RegExp(`^duration: must be a whole number from 5 to ${longest}`),
    );
  });

  it("keeps premium templates for subscribers: 403", async () => {
    await using sandbox = await testSandbox();
    const fields = { prompt: "x", template_id: "h3-ghost-train", reference_images: [picture] };
    const ask = (key: string) => caller(sandbox.url, key)("POST", PATH, fields);
    expect(await ask(sandbox.keys.standard)).toMatchObject({
      status: 403,
      body: { error: expect.stringContaining("Ghost train") },
    });
    expect((await ask(sandbox.keys.pro)).status).toBe(200);
  });

  it("rests while a fault says so: 503 names the product", async () => {
    await using sandbox = await testSandbox();
    await sandbox.fault({
      kind: "503",
      product: "H3 video",
      times: 99,
      match: { method: "POST", path: "/api/generate/vendor-h3" },
    });
    expect(await understood(sandbox, {})).toBe("H3 video is under maintenance.");
    const other = await caller(sandbox.url, sandbox.keys.pro)("POST", "/generate/video-audio", {
      prompt: "x",
    });
    expect(other.status, "another product").toBe(200);
  });
});

describe("an H3 job (section 2.4)", () => {
  it.each([
    ["turbo gives some back", {}, 3.4, true],
    ["neither turbo nor realism", { turbo_mode: false }, 4, false],
    ["realism without turbo takes more", { turbo_mode: false, realism_lora: true }, 4.4, true],
  ])("settles its price when it completes: %s", async (_, fields, final, adjusted) => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { prompt: "a walk", aspect_ratio: "1:1 (Square)", ...fields });
    expect((await call("GET", `/job/${id}`)).body).toMatchObject({
      token_cost: 4,
      pre_token_cost: 4,
      billing_adjusted: false,
      execution_time_ms: null,
    });
    const record = await endedAt(call, `/job/${id}`);
    const url = `${new URL(sandbox.url).origin}/results/${id}.mp4`;
    expect(record).toEqual({
      job_id: id,
      type: "vendor_h3",
      status: "COMPLETED",
      progress: 100,
      created_at: expect.any(String),
      started_at: expect.any(String),
      completed_at: expect.any(String),
      error_message: null,
      mode: "t2v",
      duration: 5,
      megapixels: 0.5,
      aspect_ratio: "1:1 (Square)",
      pre_token_cost: 4,
      token_cost: final,
      execution_time_ms: expect.any(Number),
      billing_adjusted: adjusted,
      video_url: url,
      result_urls: [url],
      video_base64: expect.stringMatching(/^data:video\/mp4;base64,/),
    });
    const { body } = await call("GET", "/user/tokens");
    expect(body).toMatchObject({ tokens: 1200.25 - final, total_tokens_used: final });
  });

  it("takes no more than is left", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.addAccount("poor", "pro", 4.15));
    const id = await submitTo(call, PATH, { prompt: "x", turbo_mode: false, realism_lora: true });
    expect(await endedAt(call, `/job/${id}`)).toMatchObject({ token_cost: 4.15, billing_adjusted: true });
    expect((await call("GET", "/user/balance")).body["tokens"]).toBe(0);
  });

  it("gives everything back when it fails", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { prompt: "x" });
    expect(await endedAt(call, `/job/${id}`)).toMatchObject({
      status: "FAILED",
      token_cost: 0,
      pre_token_cost: 4,
      billing_adjusted: false,
    });
    expect((await call("GET", "/user/balance")).body["tokens"]).toBe(1200.25);
  });

  it("has a record of its own with all of its fields, is not listed for standard users, and is deleted", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, {
      prompt: "a walk",
      template_id: TEMPLATE,
      sub_template_id: VARIANT,
      reference_images: [picture],
      seed: 7,
    });
    expect(await endedAt(call, `/vendor-h3-jobs/${id}`)).toMatchObject({
      job_id: id,
      mode: "r2v",
      prompt: "a walk",
      seed: 7,
      template_id: TEMPLATE,
      sub_template_id: VARIANT,
      reference_count: 1,
      pre_token_cost: 4,
      billing_adjusted: true,
      video_url: expect.stringContaining(id),
    });
    const { jobs } = (await call("GET", "/jobs")).body as { jobs: { id: string }[] };
    expect(jobs.map((job) => job.id)).not.toContain(id);
    expect((await call("GET", "/stats")).body["breakdown"]).toMatchObject({
      vendor_h3: { total: 1, completed: 1, failed: 0, pending: 0 },
    });
    expect((await call("DELETE", `/vendor-h3-jobs/delete/${id}`)).status).toBe(200);
    expect((await call("GET", `/vendor-h3-jobs/${id}`)).status).toBe(404);
  });

  it("is listed for boss accounts; nobody reads another one's, or another product's, by this path", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.boss);
    const id = await submitTo(call, PATH, { prompt: "x" });
    expect((await call("GET", "/jobs?per_page=1")).body["jobs"]).toMatchObject([{ id, mode: "t2v" }]);
    const other = caller(sandbox.url, sandbox.keys.pro);
    expect((await other("GET", `/vendor-h3-jobs/${id}`)).status).toBe(404);
    const video = await submitTo(other, "/generate/video-audio", { prompt: "x" });
    expect((await other("GET", `/vendor-h3-jobs/${video}`)).status).toBe(404);
  });

  it("has its megapixels in its shape, and goes through its references", async () => {
    await using sandbox = await testSandbox({ render: ffmpegRenderer(testFfmpeg()) });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, {
      prompt: "a walk",
      reference_images: [picture, await testPicture(100, 200)],
      megapixels: 0.25,
      aspect_ratio: "9:16 (Portrait)",
    });
    const { video_url } = await endedAt(call, `/job/${id}`);
    expect(await describeClip(textOf(video_url))).toMatchObject({
      width: 376,
      height: 664,
      duration: 5,
      sound: 0,
    });
  });
});
