import sharp from "sharp";
import { afterEach, describe, expect, it, vi } from "vitest";
import { testSandbox } from "../../support/sandbox.ts";
import { caller, endedAt, submitTo, textOf } from "../call.ts";

const PATH = "/generate/image";

afterEach(() => void vi.useRealTimers());

describe("POST /generate/image (section 4.6)", () => {
  it("answers without a message, and its record goes from the choices to the picture", async () => {
    // It runs for as long as it is looked at.
    vi.useFakeTimers({ toFake: ["Date"] });
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.standard);
    const { status, body } = await call("POST", PATH, { prompt: "a quiet lake", width: 320, height: 200 });
    expect(status).toBe(200);
    expect(body).toEqual({
      job_id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      status: "submitted",
      token_cost: 0.4,
      remaining_tokens: 250.1,
    });
    const id = textOf(body["job_id"]);
    const choices = { model_id: "Default", guidance: 7.5, seed: expect.any(Number), width: 320, height: 200 };
    const running = (await call("GET", `/job/${id}`)).body;
    expect(running).toMatchObject({ job_id: id, type: "image", ...choices });
    expect(running).not.toHaveProperty("image_url");

    vi.useRealTimers();
    const record = await endedAt(call, `/job/${id}`);
    expect(record).toMatchObject({ status: "COMPLETED", token_cost: 0.4, ...choices });
    expect(record["seed"]).toBe(running["seed"]);
    expect(record["seed"], "random, but told").toBeGreaterThanOrEqual(0);
    const download = await fetch(textOf(record["image_url"]));
    expect(download.headers.get("content-type")).toBe("image/jpeg");
    const file = Buffer.from(await download.arrayBuffer());
    expect(await sharp(file).metadata()).toMatchObject({ format: "jpeg", width: 320, height: 200 });
    expect(Buffer.from(textOf(record["image_base64"]), "base64").equals(file)).toBe(true);
  });

  it("draws the same for the same prompt, seed and model, and another picture for others", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const draw = async (fields: object) => {
      const id = await submitTo(call, PATH, { prompt: "a lake", width: 64, height: 64, seed: 7, ...fields });
      return (await endedAt(call, `/job/${id}`))["image_base64"];
    };
    const first = await draw({});
    expect(await draw({})).toBe(first);
    const others = [
      { seed: 8 },
      { model: "deep-space" },
      { lora_template: "lora-noir" },
      { prompt: "a hill" },
    ];
    const drawn = new Set([first, ...(await Promise.all(others.map(draw)))]);
    expect(drawn.size).toBe(others.length + 1);
  });

  it("costs by the megapixel", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const cost = async (fields: object) =>
      (await call("POST", PATH, { prompt: "a lake", ...fields })).body["token_cost"];
    expect(await cost({})).toBe(0.4);
    expect(await cost({ width: 1032 })).toBe(0.8);
    expect(await cost({ width: 2048, height: 2048, num_inference_steps: 30, guidance: 2.5 })).toBe(1.6);
  });

  it.each([
    [{ prompt: undefined }, /^prompt: is required/],
    [{ prompt: " " }, /^prompt: is required/],
    [{ model: "no-such" }, /^model: no such image model "no-such"/],
    [{ lora_template: "Default" }, /^lora_template: no such image model/],
    [{ width: 2049 }, /^width: must be a whole number from 1 to 2048/],
    [{ height: 0 }, /^height/],
    [{ height: 10.5 }, /^height/],
    [{ guidance: "much" }, /^guidance: must be a number/],
    [{ seed: -2 }, /^seed: must be -1 or a whole number from 0/],
    [{ num_inference_steps: 0 }, /^num_inference_steps: must be a whole number from 1/],
    [{ negative_prompt: "rain" }, /^negative_prompt: unknown field/],
  ])("refuses %o with a 400 that names the field", async (fields, message) => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    expect(await call("POST", PATH, { prompt: "a quiet lake", ...fields })).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message), code: 400 },
    });
    expect((await sandbox.ledger()).submissions).toEqual([]);
  });

  it("takes JSON only, needs tokens, and is no listed type", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const form = new FormData();
    form.set("prompt", "a lake");
    expect((await call("POST", PATH, form)).status).toBe(400);
    const empty = await caller(sandbox.url, sandbox.keys.empty)("POST", PATH, { prompt: "a lake" });
    expect(empty).toMatchObject({ status: 402, body: { code: 402 } });
    const id = await submitTo(call, PATH, { prompt: "a lake" });
    const { jobs } = (await call("GET", "/jobs")).body;
    expect(JSON.stringify(jobs)).not.toContain(id);
  });

  it("is deleted by its own path alone (section 4.14)", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { prompt: "a lake" });
    expect((await call("DELETE", `/image-edit-jobs/delete/${id}`)).status).toBe(404);
    expect(await call("DELETE", `/image-jobs/delete/${id}`)).toEqual({
      status: 200,
      body: { success: true, message: expect.any(String) },
    });
    expect((await call("GET", `/job/${id}`)).status).toBe(404);
  });

  it("ends as FAILED with the common fields and its tokens back", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { prompt: "a lake" });
    const record = await endedAt(call, `/job/${id}`);
    expect(record).toMatchObject({ status: "FAILED", error_message: expect.any(String), token_cost: 0 });
    expect(record).not.toHaveProperty("model_id");
    expect((await call("GET", "/user/balance")).body["tokens"]).toBe(1200.25);
  });
});
