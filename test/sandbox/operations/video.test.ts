import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { copyRenderer, type Renderer } from "../../../src/sandbox/sandbox.ts";
import { testPicture, testSandbox, tinyClip } from "../../support/sandbox.ts";
import { caller, ended, read, submit } from "../call.ts";

let picture: string;
beforeAll(async () => {
  picture = await testPicture();
});

describe("POST /generate/video (section 4.3)", () => {
  it("accepts, charges and answers `submitted`; its alias does the same", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    for (const [path, remaining] of [
      ["/generate/video", 1197.55],
      ["/generate", 1194.85],
    ] as const)
      expect(await call("POST", path, { image_base64: picture, prompt: "slow zoom" })).toEqual({
        status: 200,
        body: {
          job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          status: "submitted",
          message: "Video job submitted. 2.7 tokens charged.",
          token_cost: 2.7,
          remaining_tokens: remaining,
          result_type: "url",
          video_quality: "legacy",
        },
      });
    const ledger = await sandbox.ledger();
    expect(ledger.submissions.map(({ account, cost }) => [account, cost])).toEqual([
      ["pro", 2.7],
      ["pro", 2.7],
    ]);
    expect(JSON.stringify(ledger)).not.toContain(sandbox.keys.pro);
  });

  it("prices duration, steps, quality and upscaling apart, and templates, premium ones too, not at all", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const cost = async (fields: object) => (await read(call, await submit(call, fields)))["token_cost"];
    expect(await cost({ duration: 3 })).toBe(1.35);
    expect(await cost({ duration: 8, steps: 8 })).toBe(6.48);
    expect(await cost({ video_quality: "new" })).toBe(4.05);
    expect(await cost({ auto_upscale: true })).toBe(4.8);
    expect(await cost({ lora_template: "storm-front" })).toBe(2.7);
  });

  it.each([
    [{ image_base64: undefined }, /^image_base64: is required/],
    [{ image_base64: 7 }, /^image_base64/],
    [{ image_base64: "not base64!" }, /^image_base64: must be base64/],
    [{ image_base64: "aGVsbG8gd29ybGQh" }, /^image_base64: cannot be decoded as a picture/],
    [{ image_base64: "data:text/plain;base64,aGVsbG8h" }, /^image_base64/],
    [{ prompt: undefined }, /^prompt: is required unless lora_template/],
    [{ prompt: "  " }, /^prompt/],
    [{ duration: 2 }, /^duration: must be a whole number from 3 to 8/],
    [{ duration: 9 }, /^duration/],
    [{ duration: 3.5 }, /^duration/],
    [{ duration: "6" }, /^duration/],
    [{ steps: 5 }, /^steps: must be one of 4, 6, 8/],
    [{ cfg: "high" }, /^cfg: must be a number/],
    [{ seed: -2 }, /^seed: must be -1 or a whole number from 0/],
    [{ seed: 0.5 }, /^seed/],
    [{ orientation: "diagonal" }, /^orientation: must be one of portrait, landscape, square/],
    [{ video_quality: "best" }, /^video_quality: must be one of legacy, new/],
    [{ result_type: "file" }, /^result_type: must be one of url, base64/],
    [{ auto_upscale: 1 }, /^auto_upscale: must be true or false/],
    [{ negative_prompt: 4 }, /^negative_prompt/],
    [{ platform: 4 }, /^platform/],
    [{ in_app_username: null }, /^in_app_username/],
    [{ lora_template: "no-such" }, /^lora_template: no template "no-such"/],
    [{ sub_template: "confetti-pulse" }, /^sub_template: needs a lora_template/],
    [{ lora_template: "confetti", sub_template: "slow-zoom-warm" }, /^sub_template: confetti has no/],
    [{ end_image_base64: "aGVsbG8h" }, /^end_image_base64: needs video_quality new/],
    [{ end_image_base64: "aGVsbG8h", video_quality: "new" }, /^end_image_base64: cannot be decoded/],
    [{ size: "720p" }, /^size: unknown field/],
  ])("refuses %o with a 400 that names the field, and charges nothing", async (fields, message) => {
    await using sandbox = await testSandbox();
    const { status, body } = await caller(sandbox.url, sandbox.keys.pro)("POST", "/generate/video", {
      image_base64: picture,
      prompt: "slow zoom",
      ...fields,
    });
    expect(body).toEqual({ error: expect.stringMatching(message), code: 400 });
    expect(status).toBe(400);
    expect((await sandbox.ledger()).submissions).toEqual([]);
  });

  it("refuses bodies that are no JSON object, and a picture that breaks off", async () => {
    await using sandbox = await testSandbox();
    const headers = { "x-api-key": sandbox.keys.pro, "content-type": "application/json" };
    const post = async (body: string, type = "application/json") =>
      (
        await fetch(`${sandbox.url}/generate/video`, {
          method: "POST",
          headers: { ...headers, "content-type": type },
          body,
        })
      ).status;
    expect(await post("{")).toBe(400);
    expect(await post("[]")).toBe(400);
    expect(await post("{}", "text/plain")).toBe(400);
    const torn = Buffer.from(picture, "base64").subarray(0, 900).toString("base64");
    expect(await post(JSON.stringify({ image_base64: torn, prompt: "x" }))).toBe(400);
  });

  it("refuses a body beyond 80 MiB with a 400", async () => {
    await using sandbox = await testSandbox();
    const response = await fetch(`${sandbox.url}/generate/video`, {
      method: "POST",
      headers: { "x-api-key": sandbox.keys.pro, "content-type": "application/json" },
      body: Buffer.alloc(81 * 1024 * 1024, "A"),
    });
    expect(response.status).toBe(400);
    expect(await response.text()).toContain("80 MiB");
  });

  it("takes every field, data URIs and other picture formats", async () => {
    await using sandbox = await testSandbox();
    const webp = await sharp(Buffer.from(picture, "base64")).webp().toBuffer();
    const call = caller(sandbox.url, sandbox.keys.ultra);
    const job = await submit(call, {
      image_base64: `data:image/webp;base64,${webp.toString("base64")}`,
      end_image_base64: picture,
      lora_template: "golden-hour",
      sub_template: "golden-hour-dust",
      orientation: "landscape",
      duration: 4,
      steps: 6,
      cfg: 1.5,
      seed: 0,
      negative_prompt: "rain",
      video_quality: "new",
      result_type: "base64",
      auto_upscale: true,
      platform: "web",
      in_app_username: "someone",
    });
    expect(await read(call, job)).toMatchObject({ width: 2048, height: 1152, result_type: "base64" });
    expect((await sandbox.ledger()).submissions).toMatchObject([
      { account: "ultra", platform: "web", in_app_username: "someone", prompt: "slow zoom" },
    ]);
  });

  it("keeps premium templates for subscribers: 403", async () => {
    await using sandbox = await testSandbox();
    const fields = { image_base64: picture, lora_template: "trailer" };
    const standard = await caller(sandbox.url, sandbox.keys.standard)("POST", "/generate", fields);
    expect(standard).toMatchObject({ status: 403, body: { code: 403 } });
    const pro = await caller(sandbox.url, sandbox.keys.pro)("POST", "/generate", fields);
    expect(pro.status).toBe(200);
  });

  it("answers 402 with both amounts when tokens are missing", async () => {
    await using sandbox = await testSandbox();
    const key = sandbox.addAccount("poor", "pro", 2);
    const { status, body } = await caller(sandbox.url, key)("POST", "/generate", {
      image_base64: picture,
      prompt: "x",
    });
    expect(status).toBe(402);
    expect(body).toEqual({ error: "Insufficient tokens: 2.7 needed, 2 available.", code: 402 });
  });

  it("has three slots for a standard key; its 429 has words of its own and a freed slot is used", async () => {
    const mayEnd = Promise.withResolvers<void>();
    const copy = copyRenderer(tinyClip());
    const render: Renderer = (...task) => mayEnd.promise.then(() => copy(...task));
    await using sandbox = await testSandbox({ render });
    const call = caller(sandbox.url, sandbox.keys.standard);
    const jobs = [await submit(call), await submit(call), await submit(call)];
    const refused = await call("POST", "/generate", { image_base64: picture, prompt: "x" });
    expect(refused).toEqual({
      status: 429,
      body: { error: "All 3 concurrent job slots are in use. Wait for a job to finish.", code: 429 },
    });
    expect((await sandbox.ledger()).rejected).toEqual({ rate: 0, slot: 1 });
    mayEnd.resolve();
    await Promise.all(jobs.map((job) => ended(call, job, 100)));
    await submit(call);
  });
});
