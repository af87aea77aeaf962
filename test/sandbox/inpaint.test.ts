import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { testPicture, testSandbox } from "../support/sandbox.ts";
import { caller, endedAt, submitTo, textOf } from "./call.ts";

const PATH = "/generate/image-inpaint";

/** A mask that is white in the middle. */
async function testMask(width: number, height: number): Promise<Buffer> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%"/><rect x="25%" y="25%" width="50%" height="50%" fill="#fff"/></svg>`;
  return sharp(Buffer.from(svg)).png().toBuffer();
}

function raw(base64: unknown): Promise<Buffer> {
  return sharp(Buffer.from(textOf(base64), "base64"))
    .raw()
    .toBuffer();
}

let picture: string;
let mask: string;
beforeAll(async () => {
  picture = await testPicture();
  mask = (await testMask(320, 240)).toString("base64");
});

/** A picture and a smaller mask, as files. */
async function files(): Promise<FormData> {
  const form = new FormData();
  form.set("image", new File([Buffer.from(picture, "base64")], "photo.jpg", { type: "image/jpeg" }));
  form.set("mask", new File([await testMask(40, 30)], "mask.png", { type: "image/png" }));
  return form;
}

describe("POST /generate/image-inpaint (section 4.12)", () => {
  it("answers IN_PROGRESS, without remaining_tokens, and is polled as an image edit", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.standard);
    const { body } = await call("POST", PATH, { prompt: "a lake", image_base64: picture, mask_base64: mask });
    expect(body).toEqual({
      success: true,
      job_id: expect.any(String),
      status: "IN_PROGRESS",
      mode: "inpaint",
      token_cost: 0.75,
      status_url: expect.stringContaining("http"),
    });
    const id = textOf(body["job_id"]);
    expect(await endedAt(call, `/job/${id}`)).toMatchObject({ type: "image_edit", status: "COMPLETED" });
    const { jobs } = (await call("GET", "/jobs?per_page=1")).body;
    expect(jobs).toMatchObject([{ id, type: "image_edit", mode: "inpaint" }]);
    expect((await call("DELETE", `/image-edit-jobs/delete/${id}`)).status).toBe(200);
  });

  it("changes only what is white in the mask: every other pixel is the decoded input's", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { prompt: "a lake", image_base64: picture, mask_base64: mask });
    const { image_base64, image_url } = await endedAt(call, `/job/${id}`);
    expect(image_url).toMatch(/\.png$/);
    const [before, after] = [await raw(picture), await raw(image_base64)];
    const white = await sharp(Buffer.from(mask, "base64")).removeAlpha().extractChannel(0).raw().toBuffer();
    expect(after.length).toBe(before.length);
    let changed = 0;
    for (const [at, value] of before.entries()) {
      if (after[at] === value) continue;
      changed += 1;
      if ((white[Math.floor(at / 3)] ?? 0) < 128) throw new Error(`byte ${at} lies outside of the mask`);
    }
    expect(changed).toBeGreaterThan(160 * 120);
  });

  it("takes the alias of the picture and every sampler parameter", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, {
      prompt: "a lake",
      image_1_base64: `data:image/jpeg;base64,${picture}`,
      mask_base64: (await testMask(40, 30)).toString("base64"),
      negative_prompt: "boats",
      steps: 12,
      cfg: 3.5,
      seed: 5,
    });
    expect((await endedAt(call, `/job/${id}`))["status"]).toBe("COMPLETED");
  });

  it.each([
    [{ prompt: undefined }, /^prompt: is required/],
    [{ image_base64: undefined }, /^image_base64: is required/],
    [{ image_1_base64: "aGVsbG8h" }, /^image_1_base64: unknown field/],
    [{ image_base64: undefined, image_1_base64: "aGVsbG8h" }, /^image_base64: cannot be decoded/],
    [{ mask_base64: undefined }, /^mask_base64: is required/],
    [{ mask_base64: "aGVsbG8h" }, /^mask_base64: cannot be decoded/],
    [{ steps: 0 }, /^steps: must be a whole number from 1/],
    [{ cfg: "high" }, /^cfg/],
    [{ seed: -3 }, /^seed/],
    [{ negative_prompt: 1 }, /^negative_prompt/],
    [{ width: 64 }, /^width: unknown field/],
  ])("refuses %o with a 400 that names the field", async (fields, message) => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const request = { prompt: "a lake", image_base64: picture, mask_base64: mask, ...fields };
    expect(await call("POST", PATH, request)).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message), code: 400 },
    });
  });

  it("refuses pictures that are too large to be kept without loss", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const image_base64 = await testPicture(4097, 8);
    const { body } = await call("POST", PATH, { prompt: "a lake", image_base64, mask_base64: mask });
    expect(body["error"]).toBe("image_base64: must be at most 4096 pixels a side");
  });
});

describe("POST /encode/image-mask (section 4.11)", () => {
  it("takes files or JSON, gives both back with what they are, and costs nothing", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.empty);
    const small = (await testMask(40, 30)).toString("base64");
    const encoded = {
      status: 200,
      body: {
        success: true,
        image_base64: picture,
        mask_base64: small,
        image_width: 320,
        image_height: 240,
        mask_width: 40,
        mask_height: 30,
        image_mime: "image/jpeg",
        mask_mime: "image/png",
      },
    };
    expect(await call("POST", "/encode/image-mask", await files())).toEqual(encoded);
    const json = { image_base64: `data:image/jpeg;base64,${picture}`, mask_base64: small };
    expect(await call("POST", "/encode/image-mask", json)).toEqual(encoded);
    const { submissions, requests } = await sandbox.ledger();
    expect(submissions).toEqual([]);
    expect(requests).toEqual({ image: 2 });
  });

  it("refuses what is missing, unknown, broken off or no picture", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const error = async (body: object | FormData) => {
      const answer = await call("POST", "/encode/image-mask", body);
      expect(answer.status).toBe(400);
      return answer.body["error"];
    };
    expect(await error({ image_base64: picture })).toMatch(/^mask_base64: is required/);
    expect(await error({ image_base64: picture, mask_base64: "aGVsbG8h" })).toMatch(/^mask_base64: cannot/);
    const torn = Buffer.from(picture, "base64").subarray(0, 1800).toString("base64");
    expect(await error({ image_base64: torn, mask_base64: mask })).toMatch(/^image_base64: cannot/);
    const form = await files();
    form.delete("image");
    expect(await error(form)).toMatch(/^image_base64: is required/);
    form.set("photo", new File(["x"], "photo.jpg"));
    expect(await error(form)).toMatch(/^photo: unknown file/);
    expect((await caller(sandbox.url, undefined)("POST", "/encode/image-mask", {})).status).toBe(401);
  });
});
