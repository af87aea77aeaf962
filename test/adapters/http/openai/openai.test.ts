import OpenAI, {
  APIError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  NotFoundError,
  PermissionDeniedError,
  toFile,
} from "openai";
import sharp from "sharp";
import { describe, expect, it, vi } from "vitest";
import { openGateway, type TestGateway } from "../../../support/gateway.ts";
import { copyRenderer } from "../../../../src/sandbox/sandbox.ts";
import { temporaryFolder, testPicture, testSandbox, tinyClip } from "../../../support/sandbox.ts";
import { lossyLine } from "../../../recipes/lossy-line.ts";
import { play } from "../../../recipes/recipe.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { PATIENCE_MS } from "../../../support/patience.ts";

/** A program that knows nothing but OpenAI's own client. */
const clientOf = ({ url }: Pick<TestGateway, "url">, apiKey: string) =>
  new OpenAI({ baseURL: `${url}/openai/v1`, apiKey });

/** What a call was refused with. */
async function refusalOf(call: Promise<unknown>): Promise<APIError> {
  const error: unknown = await call.then(
    (answer) => new Error(`It was taken: ${JSON.stringify(answer)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof APIError)) throw error;
  return error;
}

const photo = async () => toFile(Buffer.from(await testPicture(), "base64"), "photo.jpg");

/** A picture that is transparent in its left half. */
async function halfMask(width = 320, height = 240) {
  const half = await sharp({ create: { width: width / 2, height, channels: 3, background: "black" } })
    .png()
    .toBuffer();
  const clear = { width, height, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const;
  const mask = await sharp({ create: clear })
    .composite([{ input: half, left: width / 2, top: 0 }])
    .png()
    .toBuffer();
  return toFile(mask, "mask.png", { type: "image/png" });
}

/** What a field is refused with. */
const wrong = (param: string, message: string) => [400, { error: { param, message } }];

describe("OpenAI's client", () => {
  it("makes a picture of words, as bytes and as a link", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const client = clientOf(gateway, acme.token);
    const { data, output_format } = await client.images.generate({
      model: "image",
      prompt: "a cat",
      size: "512x256",
      n: 1,
      quality: "auto",
      user: "jo",
    });
    const picture = Buffer.from(data?.[0]?.b64_json ?? "", "base64");
    expect(await sharp(picture).metadata()).toMatchObject({ width: 512, height: 256, format: output_format });
    const linked = await client.images.generate({ prompt: "a dog", size: "auto", response_format: "url" });
    const answer = await fetch(linked.data?.[0]?.url ?? "");
    expect(answer.headers.get("content-type")).toMatch(/^image\//);
    const { data: jobs } = (await (await acme.call("/jobs")).json()) as { data: readonly object[] };
    expect(jobs).toMatchObject([
      { operation: "image", input: { prompt: "a dog", width: 1024 } },
      { operation: "image", in_app_username: "jo", input: { width: 512, height: 256 } },
    ]);
  });

  it("edits a picture, and only where its mask is transparent", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const client = clientOf(gateway, acme.token);
    const image = await photo();
    const both = await client.images.edit({ image: [image, image], prompt: "both" });
    expect(both.data?.[0]?.b64_json).toMatch(/^[A-Za-z0-9+/]+={0,2}$/);
    const { data } = await client.images.edit({ image, mask: await halfMask(), prompt: "snow" });
    const made = await sharp(Buffer.from(data?.[0]?.b64_json ?? "", "base64"))
      .removeAlpha()
      .raw()
      .toBuffer({ resolveWithObject: true });
    const before = await sharp(Buffer.from(await testPicture(), "base64"))
      .resize(made.info.width, made.info.height)
      .raw()
      .toBuffer();
    const changed = (from: number, to: number) => {
      let sum = 0;
      for (let row = 0; row < made.info.height; row++)
        for (let at = (row * made.info.width + from) * 3; at < (row * made.info.width + to) * 3; at++)
          sum += Math.abs((made.data[at] ?? 0) - (before[at] ?? 0));
      return sum / ((to - from) * made.info.height * 3);
    };
    const middle = made.info.width / 2;
    expect(changed(0, middle - 16)).toBeGreaterThan(3 * changed(middle + 16, made.info.width));
    const opaque = await refusalOf(client.images.edit({ image, mask: image, prompt: "snow" }));
    expect(opaque).toMatchObject({ status: 400, code: "mask_empty", param: "mask" });
    const { data: jobs } = (await (await acme.call("/jobs")).json()) as { data: readonly object[] };
    expect(jobs).toMatchObject([{ operation: "inpaint" }, { operation: "image-edit" }]);
  });

  it("is told which field is wrong by the name that it has there, also of what is read", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const { token } = await gateway.join();
    const asked = async (path: string, body?: object) => {
      const method = body ? "POST" : "GET";
      const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" };
      const answer = await fetch(`${gateway.url}/openai/v1${path}`, {
        method,
        headers,
        body: JSON.stringify(body),
      });
      return [answer.status, await answer.json()];
    };
    expect(await asked("/images/generations", { model: "image" })).toMatchObject(
      wrong("prompt", "“prompt” is missing. Nothing was sent. Fill it in and try again."),
    );
    for (const limit of ["0x10", "1e1", "%2010", ""])
      expect(await asked(`/videos?limit=${limit}`)).toMatchObject(
        wrong("limit", "“limit” is not valid. Expected: a whole number from 1 to 100."),
      );
    expect(await asked("/videos?limit=1&limit=2")).toMatchObject(
      wrong("limit", "“limit” is not valid. Expected: one value."),
    );
  });

  it("makes a video from nothing to bytes, lists it and deletes it", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const client = clientOf(gateway, (await gateway.join()).token);
    const asked = await client.videos.create({
      model: "video",
      input_reference: await photo(),
      prompt: "slow zoom",
      seconds: "4",
    });
    expect(asked).toMatchObject({
      object: "video",
      model: "video",
      prompt: "slow zoom",
      seconds: "4",
      size: "auto",
      error: null,
    });
    const made = await vi.waitUntil(async () => {
      const now = await client.videos.retrieve(asked.id);
      return now.status === "completed" && now;
    }, PATIENCE_MS);
    expect(made).toMatchObject({ progress: 100, created_at: asked.created_at });
    expect(made.expires_at).toBeGreaterThan(made.completed_at ?? Number.POSITIVE_INFINITY);
    const file = join(temporaryFolder(), "video.mp4");
    const content = await client.videos.downloadContent(asked.id);
    expect(content.headers.get("content-type")).toBe("video/mp4");
    await writeFile(file, Buffer.from(await content.arrayBuffer()));
    play(file);
    const url = `data:image/jpeg;base64,${await testPicture()}`;
    const second = await client.videos.create({ input_reference: { image_url: url }, prompt: "pan" });
    await client.images.generate({ prompt: "no film" });
    const all: string[] = [];
    for await (const { id } of client.videos.list({ limit: 1 })) all.push(id);
    expect(all).toEqual([second.id, asked.id]);
    expect(await client.videos.delete(asked.id)).toEqual({
      id: asked.id,
      object: "video.deleted",
      deleted: true,
    });
    expect(await refusalOf(client.videos.retrieve(asked.id))).toBeInstanceOf(NotFoundError);
  });

  it("lists what can be made as models", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const client = clientOf(gateway, (await gateway.join()).token);
    const { data } = await client.models.list();
    expect(data.map(({ id }) => id)).toEqual(expect.arrayContaining(["video", "image", "inpaint"]));
    expect(await client.models.retrieve("image")).toMatchObject({ id: "image", object: "model" });
    expect(await refusalOf(client.models.retrieve("gpt-image-2"))).toMatchObject({
      status: 404,
      code: "unknown_operation",
      param: "model",
    });
  });

  it("is refused what cannot be said here, with the field", async () => {
    await using sandbox = await testSandbox();
    await using gateway = await openGateway(sandbox);
    const client = clientOf(gateway, (await gateway.join()).token);
    const image = await photo();
    const picture = (more: object) => client.images.generate({ prompt: "a cat", ...more });
    const film = (more: object) => client.videos.create({ prompt: "a cat", ...more });
    const edit = (more: object) => client.images.edit({ prompt: "a cat", image, ...more });
    const refused: readonly [() => Promise<unknown>, string, string][] = [
      [async () => picture({ n: 2 }), "n", "field_invalid"],
      [async () => picture({ quality: "high" }), "quality", "field_invalid"],
      [async () => picture({ stream: true }), "stream", "field_invalid"],
      [async () => picture({ background: "transparent" }), "background", "field_invalid"],
      [async () => picture({ output_format: "webp" }), "output_format", "field_unknown"],
      [async () => picture({ partial_images: 2 }), "partial_images", "field_unknown"],
      [async () => picture({ size: "4096x4096" }), "size", "field_out_of_range"],
      [async () => picture({ size: "huge" }), "size", "field_invalid"],
      [async () => picture({ response_format: "png" }), "response_format", "field_invalid"],
      [async () => picture({ prompt: "x".repeat(20_001) }), "prompt", "field_too_long"],
      [async () => picture({ user: "x".repeat(200) }), "user", "field_too_long"],
      [async () => picture({ model: "video" }), "model", "field_invalid"],
      [async () => picture({ mask: "x" }), "mask", "field_unknown"],
      [async () => edit({ size: "1024x1024", mask: await halfMask() }), "size", "field_invalid"],
      [async () => edit({ image: [image, image], mask: await halfMask() }), "image", "field_invalid"],
      [async () => edit({ input_fidelity: "high" }), "input_fidelity", "field_unknown"],
      [async () => film({ seconds: "4" }), "seconds", "field_out_of_range"],
      [async () => film({ model: "vid3", size: "1024x1792" }), "size", "field_invalid"],
      [async () => film({ model: "h3-text", input_reference: image }), "input_reference", "field_unknown"],
      [async () => film({ input_reference: { file_id: "file-1" } }), "input_reference", "field_invalid"],
      [async () => client.videos.list({ order: "asc" }), "order", "field_invalid"],
      [async () => client.videos.list({ after: "video_1" }), "after", "field_invalid"],
    ];
    for (const [call, param, code] of refused) {
      const error = await refusalOf(call());
      expect(error, `${param} ${code}`).toMatchObject({
        status: 400,
        param,
        code,
        type: "invalid_request_error",
      });
      expect(error).toBeInstanceOf(BadRequestError);
      expect(error.message).not.toContain("input.");
    }
    const { submissions } = await sandbox.ledger();
    expect(submissions).toEqual([]);
  });

  it("is told by its own classes who may not, what is not there, and what must be stated", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    await using gateway = await openGateway(sandbox);
    const acme = await gateway.join();
    const client = clientOf(gateway, acme.token);
    const stranger = await refusalOf(clientOf(gateway, "sk-none").models.list());
    expect(stranger).toBeInstanceOf(AuthenticationError);
    expect(stranger).toMatchObject({ code: "token_invalid", type: "authentication_error", param: null });
    const reader = await gateway.join("reader", { scopes: ["jobs:read"] });
    const scoped = await refusalOf(clientOf(gateway, reader.token).images.generate({ prompt: "a cat" }));
    expect(scoped).toBeInstanceOf(PermissionDeniedError);
    expect(scoped).toMatchObject({ code: "scope_missing" });
    const asked = await gateway.join("asked", { gates: "asked" });
    const asking = clientOf(gateway, asked.token);
    const words = { prompt: "a cat", user: "jo" };
    const unsaid = await refusalOf(asking.images.generate(words));
    expect(unsaid).toMatchObject({ status: 403, code: "statement_missing", param: "agreed" });
    expect(unsaid.error).toMatchObject({ statement: "terms", text: expect.any(String), agreed: ["terms"] });
    const said = Object.assign({ agreed: ["terms"] }, words);
    // The service makes nothing of what it is sent here; a client that asked again would be told the same.
    const failed = await refusalOf(asking.images.generate(said));
    expect(failed).toMatchObject({ status: 502, code: "job_failed", type: "server_error" });
    expect(failed.message).toContain("The service could not make this");
    expect(await refusalOf(client.get("/nothing"))).toMatchObject({ status: 404, code: "route_unknown" });
    const { id } = await client.videos.create({ prompt: "a cat" });
    const ended = await vi.waitUntil(async () => {
      const now = await client.videos.retrieve(id);
      return now.status === "failed" && now;
    }, PATIENCE_MS);
    expect(ended.error).toMatchObject({ code: "job_failed" });
    expect(await refusalOf(client.videos.downloadContent(id))).toBeInstanceOf(NotFoundError);
    expect((await sandbox.ledger()).submissions).toHaveLength(2);
  });

  it("pays once where the answer was lost, and twice for two orders", async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const copy = copyRenderer(tinyClip());
    await using sandbox = await testSandbox({
      render: async (...task) => {
        await mayEnd;
        await copy(...task);
      },
    });
    // However busy the machine is, the film is still made when it is to be deleted.
    using _ = { [Symbol.dispose]: end };
    await using gateway = await openGateway(sandbox);
    await using line = await lossyLine(gateway.url);
    const client = clientOf(line, (await gateway.join()).token);
    // The line breaks with the first answer on it.
    const first = await client.images.generate({ prompt: "a cat" });
    expect(line.passed.map(({ headers }) => headers["x-stainless-retry-count"])).toEqual(["0", "1"]);
    const count = async () => (await sandbox.ledger()).submissions.length;
    expect(await count()).toBe(1);
    const second = await client.images.generate({ prompt: "a cat" });
    expect(await count()).toBe(2);
    expect(second.data?.[0]?.b64_json).not.toBe(first.data?.[0]?.b64_json);
    const keyed = { headers: { "idempotency-key": "order-1" } };
    const { id } = await client.videos.create({ prompt: "a cat" }, keyed);
    expect((await client.videos.create({ prompt: "a cat" }, keyed)).id).toBe(id);
    const other = await refusalOf(client.videos.create({ prompt: "a dog" }, keyed));
    expect(other).toMatchObject({ status: 400, code: "idempotency_mismatch" });
    // As long as it waits here it may be taken back.
    await vi.waitUntil(async () => (await client.videos.retrieve(id)).status === "in_progress", PATIENCE_MS);
    const busy = await refusalOf(client.videos.delete(id));
    expect(busy).toBeInstanceOf(ConflictError);
  });
});
