import { randomBytes } from "node:crypto";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { IMGPRO_BOUNDS } from "../../../src/common/contract.ts";
import { testPicture, testSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { caller, endedAt, submitTo, textOf } from "../call.ts";

const EDIT = "/generate/imgpro-i2i";
const REFERENCE = "/generate/imgpro-ref2i";

let picture: string;
beforeAll(async () => {
  picture = await testPicture();
});

function multipart(fields: Readonly<Record<string, string>>, ...files: readonly string[]): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  for (const name of files)
    form.append(name, new File([Buffer.from(picture, "base64")], "photo.jpg", { type: "image/jpeg" }));
  return form;
}

/** Downloads a result with a key; the record's address is a path of the host. */
async function download(sandbox: TestSandbox, url: unknown, key?: string) {
  const response = await fetch(new URL(textOf(url), sandbox.url), {
    headers: key === undefined ? {} : { "x-api-key": key },
  });
  return { status: response.status, file: Buffer.from(await response.arrayBuffer()) };
}

describe("POST /generate/imgpro-i2i (section 4.9)", () => {
  it("answers, has a record of its own, and its picture is downloaded with the key", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const fields = { prompt: "a poster", images: [picture], size: "1536x1024" };
    const { body } = await call("POST", EDIT, fields);
    expect(body).toEqual({
      job_id: expect.any(String),
      status: "submitted",
      message: "Image pro job submitted. 1.22 tokens charged.",
      token_cost: 1.22,
      remaining_tokens: 1199.03,
    });
    const id = textOf(body["job_id"]);
    const record = await endedAt(call, `/imgpro-jobs/${id}`);
    expect(record).toEqual({
      id,
      status: "COMPLETED",
      progress: 100,
      mode: "i2i",
      size: "1536x1024",
      output_format: "jpg",
      token_cost: 1.22,
      error_message: null,
      created_at: expect.any(String),
      completed_at: expect.any(String),
      image_url: `/api/imgpro-jobs/${id}/image`,
    });
    const { status, file } = await download(sandbox, record["image_url"], sandbox.keys.pro);
    expect(status).toBe(200);
    expect(await sharp(file).metadata()).toMatchObject({ format: "jpeg", width: 1536, height: 1024 });
    expect((await download(sandbox, record["image_url"])).status).toBe(401);
    expect((await download(sandbox, record["image_url"], sandbox.keys.ultra)).status).toBe(404);
    expect((await download(sandbox, `/results/${id}.jpg`)).status, "no open address").toBe(404);
    expect((await call("GET", `/job/${id}`)).status, "no type of the unified record").toBe(404);
  });

  it("takes multipart files under both names, in their order, and a template", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.ultra);
    const parts = { template_id: "edit-mono", size: "1024x1024", output_format: "png" };
    const names = Array.from({ length: IMGPRO_BOUNDS.images.max }, (_, index) => `imgpro_image_${index}`);
    for (const files of [names, ["images", "images"]]) {
      const id = await submitTo(call, EDIT, multipart(parts, ...files));
      expect((await endedAt(call, `/imgpro-jobs/${id}`))["status"]).toBe("COMPLETED");
      const { file } = await download(sandbox, `/api/imgpro-jobs/${id}/image`, sandbox.keys.ultra);
      expect((await sharp(file).metadata()).format).toBe("png");
    }
    const tooMany = await call("POST", EDIT, multipart(parts, ...names, "images"));
    expect(tooMany).toMatchObject({
      status: 400,
      body: { error: expect.stringMatching(/^images: must be 1 to 5/) },
    });
    expect((await call("POST", EDIT, multipart(parts))).status).toBe(400);
    expect((await call("POST", EDIT, multipart(parts, "imgpro_image_5"))).body["error"]).toBe(
      "imgpro_image_5: unknown file",
    );
  });

  it.each([
    [{ prompt: undefined }, /^prompt: is required unless template_id/],
    [{ template_id: "no-such" }, /^template_id: no template/],
    [{ template_id: "edit-then-and-now" }, /^images: .*needs a second picture/],
    [{ size: undefined }, /^size: must be one of 1024x1024, /],
    [{ size: "1000x1000" }, /^size: must be one of/],
    [{ output_format: "webp" }, /^output_format: must be one of jpg, png/],
    [{ images: undefined }, /^images: must be 1 to 5 pictures/],
    [{ images: [] }, /^images: must be 1 to 5 pictures/],
    [{ images: ["aGVsbG8h"] }, /^images\.0: cannot be decoded/],
    [{ images: [4] }, /^images\.0: must be/],
    [{ seed: 4 }, /^seed: unknown field/],
  ])("refuses %o with a 400 that names the field", async (fields, message) => {
    await using sandbox = await testSandbox();
    const request = { prompt: "a poster", images: [picture], size: "1024x1024", ...fields };
    expect(await caller(sandbox.url, sandbox.keys.pro)("POST", EDIT, request)).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message), code: 400 },
    });
  });

  it("refuses a picture beyond 4 MB", async () => {
    await using sandbox = await testSandbox();
    const raw = { width: 1200, height: 1200, channels: 3 } as const;
    const large = await sharp(randomBytes(1200 * 1200 * 3), { raw })
      .png()
      .toBuffer();
    const images = [picture, `data:image/png;base64,${large.toString("base64")}`];
    const { body } = await caller(sandbox.url, sandbox.keys.pro)("POST", EDIT, {
      prompt: "a poster",
      images,
      size: "1024x1024",
    });
    expect(body["error"]).toBe("images.1: must be at most 4 MB");
  });
});

describe("POST /generate/imgpro-ref2i (section 4.9)", () => {
  it("makes a 2K picture out of references, JSON and multipart alike", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const json = { prompt: "a garden", images: [picture, picture, picture] };
    const form = multipart({ prompt: "a garden", size: "2560x1440" }, "imgpro_image_0", "imgpro_image_1");
    for (const [body, width, height] of [
      [json, 2048, 2048],
      [form, 2560, 1440],
    ] as const) {
      const { token_cost, job_id } = (await call("POST", REFERENCE, body)).body;
      expect(token_cost).toBe(1.08);
      expect(await endedAt(call, `/imgpro-jobs/${textOf(job_id)}`)).toMatchObject({
        status: "COMPLETED",
        mode: "ref2i",
        size: `${width}x${height}`,
      });
      const { file } = await download(sandbox, `/api/imgpro-jobs/${textOf(job_id)}/image`, sandbox.keys.pro);
      expect(await sharp(file).metadata()).toMatchObject({ width, height });
    }
  });

  it.each([
    [{ size: "1024x1024" }, /^size: must be one of 2048x2048, /],
    [{ output_format: "png" }, /^output_format: unknown field/],
    [{ template_id: "edit-mono" }, /^template_id: unknown field/],
    [{ prompt: undefined }, /^prompt: is required/],
    [{ images: undefined }, /^images: must be 1 to 5/],
  ])("refuses %o with a 400 that names the field", async (fields, message) => {
    await using sandbox = await testSandbox();
    const request = { prompt: "a garden", images: [picture], ...fields };
    expect(await caller(sandbox.url, sandbox.keys.pro)("POST", REFERENCE, request)).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message), code: 400 },
    });
  });
});

describe("image pro", () => {
  it("needs a Pro subscription: 403 that names it", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.standard);
    for (const path of [EDIT, REFERENCE])
      expect(await call("POST", path, { prompt: "x", images: [picture], size: "2048x2048" })).toEqual({
        status: 403,
        body: { error: "Image pro: an active Pro subscription is required.", code: 403 },
      });
  });

  it("has no delete path but delete-all", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, REFERENCE, { prompt: "x", images: [picture] });
    expect((await call("DELETE", `/imgpro-jobs/delete/${id}`)).status).toBe(404);
    expect((await call("DELETE", `/image-jobs/delete/${id}`)).status).toBe(404);
    expect((await call("GET", `/imgpro-jobs/${id}`)).status).toBe(200);
    expect((await call("DELETE", "/jobs/delete-all")).status).toBe(200);
    expect((await call("GET", `/imgpro-jobs/${id}`)).status).toBe(404);
  });

  it("shows why it failed, and has no picture then", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, REFERENCE, { prompt: "x", images: [picture] });
    const record = await endedAt(call, `/imgpro-jobs/${id}`);
    expect(record).toMatchObject({ status: "FAILED", error_message: expect.any(String), token_cost: 0 });
    expect(record).not.toHaveProperty("image_url");
    expect((await download(sandbox, `/api/imgpro-jobs/${id}/image`, sandbox.keys.pro)).status).toBe(404);
  });
});
