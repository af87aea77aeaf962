import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import {
  fromPath,
  fromStream,
  Invalid,
  type Job,
  JobEnded,
  type NewWebhookAnswer,
  NotAllowed,
  NotFound,
  readWebhook,
  Reelay,
} from "../../clients/typescript/src/index.ts";
import { receiver } from "../domain/webhooks/harness.ts";
import { lossyLine } from "../recipes/lossy-line.ts";
import { play } from "../recipes/recipe.ts";
import { openGateway } from "../support/gateway.ts";
import { temporaryFolder, testPicture, testSandbox } from "../support/sandbox.ts";

const CAT = { operation: "image", input: { prompt: "a cat" } } as const;
const folder = temporaryFolder();

describe("the client", () => {
  it("brings a video of a photo on the disk, once, over a line that breaks, and is told by a webhook", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    await using line = await lossyLine(gateway.url);
    await using hook = await receiver();
    const { token } = await gateway.join();
    const reelay = new Reelay({ url: line.url, token });
    const direct = new Reelay({ url: `${gateway.url}/`, token });
    const { secret } = await direct.call<NewWebhookAnswer>("/v1/webhooks", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ url: hook.url }),
    });

    const photo = join(folder, "photo.jpg");
    await writeFile(photo, Buffer.from(await testPicture(), "base64"));
    const input = { image: await fromPath(photo), prompt: "slow zoom", duration: 5 };
    const beside = { in_app_username: "jo", metadata: { order: ["A-1"] }, agreed: ["terms"] } as const;
    const { id } = await reelay.create({ operation: "video", input, ...beside });
    const steps: Job[] = [];
    const job = await reelay.wait(id, { onProgress: (step) => steps.push(step) });
    expect(job).toMatchObject({
      status: "completed",
      in_app_username: "jo",
      metadata: { order: ["A-1"] },
      input: { duration: 5, image: { name: "photo.jpg" } },
    });
    expect(steps.length).toBeGreaterThan(0);
    const [media] = job.media;
    if (!media) throw new Error("There is no video.");
    const video = join(folder, media.name);
    await writeFile(video, Buffer.from(await (await reelay.download(media)).arrayBuffer()));
    play(video);

    const { submissions } = await sandbox.ledger();
    expect(submissions).toHaveLength(1);
    const keys = line.passed.filter(({ kind }) => kind === "submission");
    expect(new Set(keys.map(({ headers }) => headers["idempotency-key"])).size).toBe(1);
    expect(keys).toHaveLength(2);

    await hook.atLeast(1);
    const [arrived] = hook.arrived;
    if (!arrived) throw new Error("Nothing arrived.");
    const message = await readWebhook(arrived.body, arrived.headers, { secret });
    expect(message).toMatchObject({ type: "job.completed", data: job });

    const { data } = await direct.list({ status: "completed", limit: 5 });
    expect(data).toEqual([await direct.read(id)]);
    expect(await direct.remove(id)).toEqual({ id, outcome: "deleted" });
    await expect(direct.read(id)).rejects.toThrow(NotFound);

    const other = await direct.create({ operation: "video", input, ...beside });
    await direct.wait(other.id);
    expect(await direct.remove(other.id, { here: true })).toEqual({ id: other.id, outcome: "kept" });
  });

  it("prices, lists what can be made, and sends what a stream brings", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const reelay = new Reelay({ url: gateway.url, token });
    const picture = Buffer.from(await testPicture(), "base64");
    const image = await fromStream(new Blob([picture]).stream());
    expect(await reelay.quote(CAT)).toMatchObject({ basis: "unknown" });
    expect(await reelay.quote({ operation: "video", input: { image, prompt: "zoom" } })).toMatchObject({
      asks: [],
    });
    expect(await reelay.partner()).toMatchObject({
      id: "acme",
      standing: { today: { jobs: expect.any(Number) } },
    });
    const { data } = await reelay.operations();
    expect(data.map(({ id }) => id)).toContain("video");
    const edit = { images: [image, image], prompt: "both" } as const;
    const { input } = await reelay.create({ operation: "h3-reference", input: edit });
    expect(input).toMatchObject({ images: [{ bytes: picture.length }, { bytes: picture.length }] });
  });

  it("throws what was refused by its class, with every wrong field, in the language that is wanted", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const reelay = new Reelay({ url: gateway.url, token, language: "de" });
    const stranger = new Reelay({ url: gateway.url, token: "none" });
    await expect(stranger.list()).rejects.toThrow(NotAllowed);
    await expect(reelay.read("../jobs")).rejects.toThrow(NotFound);
    const wrong = reelay.create({ operation: "image", input: { prompt: "x".repeat(20_001), seed: 0.5 } });
    const error = await wrong.catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(Invalid);
    expect(error).toMatchObject({ name: "Invalid", status: 422, retryable: false });
    const { errors, message, requestId } = error as Invalid;
    expect(errors.map(({ field }) => field)).toContain("input.prompt");
    expect(message).toContain("höchstens");
    expect(requestId).toMatch(/\w/);
    const order = { idempotencyKey: "order-1" };
    const { id } = await reelay.create(CAT, order);
    expect((await reelay.create(CAT, order)).id).toBe(id);
    const other = reelay.create({ operation: "image", input: { prompt: "a dog" } }, order);
    await expect(other).rejects.toMatchObject({ name: "Invalid", code: "idempotency_mismatch" });
  });

  it("throws the job that came to nothing", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    await using gateway = await openGateway(sandbox);
    const reelay = new Reelay({ url: gateway.url, token: (await gateway.join()).token });
    const { id } = await reelay.create(CAT);
    const error = await reelay.wait(id).catch((problem: unknown) => problem);
    expect(error).toBeInstanceOf(JobEnded);
    expect((error as JobEnded).job).toMatchObject({ id, status: "failed", error: { code: "job_failed" } });
  });
});
