import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { testPicture, testSandbox } from "../../support/sandbox.ts";
import { caller, endedAt, submitTo, textOf } from "../call.ts";

const PATH = "/generate/image-edit";

let picture: string;
beforeAll(async () => {
  picture = await testPicture();
});

function size(base64: unknown) {
  return sharp(Buffer.from(textOf(base64), "base64"))
    .metadata()
    .then(({ width, height }) => [width, height]);
}

describe("POST /generate/image-edit (section 4.5)", () => {
  it("answers without a message, is listed, and its record carries the picture", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.standard);
    const { body } = await call("POST", PATH, { image_1_base64: picture, prompt: "golden light" });
    expect(body).toEqual({
      job_id: expect.any(String),
      status: "submitted",
      token_cost: 0.6,
      remaining_tokens: 249.9,
    });
    const id = textOf(body["job_id"]);
    const record = await endedAt(call, `/job/${id}`);
    expect(Object.keys(record).sort()).toEqual([
      "completed_at",
      "created_at",
      "error_message",
      "image_base64",
      "image_url",
      "job_id",
      "progress",
      "started_at",
      "status",
      "token_cost",
      "type",
    ]);
    expect(record["type"]).toBe("image_edit");
    expect(await size(record["image_base64"]), "the first picture's").toEqual([320, 240]);
    expect((await fetch(textOf(record["image_url"]))).status).toBe(200);
    const { jobs } = (await call("GET", "/jobs?per_page=1")).body;
    expect(jobs).toMatchObject([{ id, type: "image_edit", image_url: record["image_url"] }]);
  });

  it("blends further pictures at the asked size; one side alone keeps the shape", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.ultra);
    const edit = async (fields: object) => {
      const request = { image_1_base64: picture, prompt: "blend", seed: 3, ...fields };
      return (await endedAt(call, `/job/${await submitTo(call, PATH, request)}`))["image_base64"];
    };
    const other = await testPicture(100, 300);
    const alone = await edit({ width: 256, height: 256 });
    const two = await edit({ width: 256, height: 256, image_2_base64: other });
    expect(await size(two)).toEqual([256, 256]);
    expect(two).not.toBe(alone);
    expect(await edit({ width: 256, height: 256, image_2_base64: other, image_3_base64: picture })).not.toBe(
      two,
    );
    expect(await size(await edit({ width: 160 }))).toEqual([160, 120]);
    expect(await size(await edit({ height: 2048 })), "as wide as there may be").toEqual([2048, 2048]);
  });

  it("prices pictures, and quality mode at twice the fast one", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.ultra);
    const cost = async (fields: object) =>
      (await call("POST", PATH, { image_1_base64: picture, prompt: "mono", ...fields })).body["token_cost"];
    expect(await cost({ v2_mode: "quality" })).toBe(1.2);
    expect(await cost({ image_2_base64: picture })).toBe(0.75);
    expect(await cost({ image_2_base64: picture, image_3_base64: picture, v2_mode: "quality" })).toBe(1.8);
    expect(await cost({ version: "v2", model: "model_b", guidance: 3 })).toBe(0.6);
    expect(await cost({ model: "model_a", guidance: 3 }), "not used by model_a").toBe(0.6);
  });

  it("takes a template instead of a prompt, also one that the host does not list", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.standard);
    const plain = { image_1_base64: picture, prompt: "Wine bar", seed: 1 };
    const edit = async (fields: object) =>
      (await endedAt(call, `/job/${await submitTo(call, PATH, fields)}`))["image_base64"];
    const treated = await edit({ ...plain, prompt: undefined, template_id: "edit-wine-bar" });
    expect(treated).not.toBe(await edit(plain));
  });

  it("keeps the third picture for the Ultra tier: 403 that names it", async () => {
    await using sandbox = await testSandbox();
    const fields = { image_1_base64: picture, image_2_base64: picture, image_3_base64: picture, prompt: "x" };
    for (const key of [sandbox.keys.standard, sandbox.keys.pro])
      expect(await caller(sandbox.url, key)("POST", PATH, fields)).toEqual({
        status: 403,
        body: { error: "A third image: an active Ultra subscription is required.", code: 403 },
      });
    for (const key of [sandbox.keys.ultra, sandbox.keys.boss])
      expect((await caller(sandbox.url, key)("POST", PATH, fields)).status).toBe(200);
  });

  it.each([
    [{ image_1_base64: undefined }, /^image_1_base64: is required/],
    [{ image_1_base64: "aGVsbG8h" }, /^image_1_base64: cannot be decoded/],
    [{ image_2_base64: "aGVsbG8h" }, /^image_2_base64: cannot be decoded/],
    [{ image_3_base64: "aGVsbG8h" }, /^image_3_base64: cannot be decoded/],
    [{ prompt: undefined }, /^prompt: is required unless template_id/],
    [{ template_id: "no-such" }, /^template_id: no template "no-such"/],
    [{ template_id: "edit-then-and-now" }, /^image_2_base64: .*needs a second picture/],
    [{ model: "model_c" }, /^model: must be one of model_a, model_b/],
    [{ version: "v1" }, /^version: must be one of v2/],
    [{ v2_mode: "slow" }, /^v2_mode: must be one of fast, quality/],
    [{ width: 0 }, /^width: must be a whole number from 1 to 2048/],
    [{ height: 2049 }, /^height/],
    [{ guidance: "3" }, /^guidance: must be a number/],
    [{ seed: 1.5 }, /^seed/],
    [{ steps: 4 }, /^steps: unknown field/],
  ])("refuses %o with a 400 that names the field", async (fields, message) => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.ultra);
    expect(await call("POST", PATH, { image_1_base64: picture, prompt: "mono", ...fields })).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message), code: 400 },
    });
  });

  it("says image_base64_error for a completed job whose file is not ready (section 2.4)", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.fullCatalogUrl, sandbox.keys.pro);
    const path = `/job/${await submitTo(call, PATH, { image_1_base64: picture, prompt: "mono" })}`;
    await sandbox.fault({ kind: "unready", match: { method: "GET", path: "/api/job/" }, times: 2 });
    for (let reads = 0; reads < 2; reads += 1) {
      const record = await endedAt(call, path);
      expect(record).toMatchObject({ status: "COMPLETED", image_base64_error: expect.any(String) });
      expect(record).not.toHaveProperty("image_base64");
    }
    expect(await endedAt(call, path)).toHaveProperty("image_base64");
  });

  it("is deleted by its own path alone (section 4.14)", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { image_1_base64: picture, prompt: "mono" });
    expect((await call("DELETE", `/image-jobs/delete/${id}`)).status).toBe(404);
    expect((await call("DELETE", `/image-edit-jobs/delete/${id}`)).status).toBe(200);
    expect((await call("GET", `/job/${id}`)).status).toBe(404);
  });
});
