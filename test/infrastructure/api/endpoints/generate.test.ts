import { describe, expect, it } from "vitest";
import {
  type MediaApi,
  Network,
  ServiceFailure,
  type Submitted,
  Unsure,
} from "../../../../src/infrastructure/api/media-api.ts";
import { client, FACESWAP, file, H3, MASK, PICTURE, PICTURES, VID3, VIDEO } from "../client.ts";
import { json, keeping, refusal, reset, serve } from "../server.ts";

const BASE64 = PICTURE.toString("base64");
const JPEG = file(PICTURE, { type: "image/jpeg" });
const SOUND = file(Buffer.from("a sound"), { type: "audio/mpeg" });

/** What a call sends: its body, and the head of it that tells how to read it. */
async function sentBy(call: (api: MediaApi) => Promise<unknown>, answer: object = { job_id: "a" }) {
  const bodies: Buffer<ArrayBuffer>[] = [];
  await using server = await serve(keeping(bodies, answer));
  await using used = client(server.baseUrl);
  const result = await call(used.api);
  const [body = Buffer.alloc(0)] = bodies;
  const headers = server.requests[0]?.headers;
  expect(headers?.["content-length"]).toBe(String(body.length));
  return { body, type: headers?.["content-type"] ?? "", result };
}

/** A JSON body. */
async function jsonOf(call: (api: MediaApi) => Promise<Submitted>): Promise<unknown> {
  const { body, type } = await sentBy(call);
  expect(type).toBe("application/json");
  return JSON.parse(body.toString());
}

/** A form as another implementation reads it: text as it is, a file as its type and content. */
async function formOf(call: (api: MediaApi) => Promise<unknown>, answer?: object) {
  const { body, type } = await sentBy(call, answer);
  expect(type).toMatch(/^multipart\/form-data; boundary=/);
  const form = await new Response(body, { headers: { "content-type": type } }).formData();
  return Promise.all(
    [...form].map(async ([name, value]) => [
      name,
      typeof value === "string" ? value : [value.type, await value.text()],
    ]),
  );
}

const FILE = ["application/octet-stream", PICTURE.toString()];

describe("a submission in JSON", () => {
  it("goes out under the service's names, whole", async () => {
    expect(
      await jsonOf((api) =>
        api.generateVideo({
          ...VIDEO,
          duration: 8,
          seed: -1,
          video_quality: "new",
          end_image_base64: "ZW5k",
        }),
      ),
    ).toEqual({
      image_base64: BASE64,
      prompt: "slow zoom",
      duration: 8,
      seed: -1,
      video_quality: "new",
      end_image_base64: "ZW5k",
    });
    expect(await jsonOf((api) => api.generateFaceswap(FACESWAP))).toEqual({
      target_base64: BASE64,
      source_base64: BASE64,
    });
    expect(
      await jsonOf((api) => api.generateH3({ ...H3, mode: "r2v", reference_images: [JPEG, "aGk="] })),
    ).toEqual({
      prompt: "slow zoom",
      mode: "r2v",
      reference_images: [`data:image/jpeg;base64,${BASE64}`, "aGk="],
    });
    expect(await jsonOf((api) => api.generateImgproReference({ ...PICTURES, size: "2048x2048" }))).toEqual({
      images: [BASE64],
      prompt: "slow zoom",
      size: "2048x2048",
    });
  });

  it("writes a file of known type as a data URI, and text as it is", async () => {
    const { image_base64 } = VIDEO;
    for (const [given, written] of [
      [image_base64, BASE64],
      [JPEG, `data:image/jpeg;base64,${BASE64}`],
      ["https://example.org/a.jpg", "https://example.org/a.jpg"],
      ["data:image/png;base64,aGk=", "data:image/png;base64,aGk="],
    ] as const)
      expect(await jsonOf((api) => api.generateVideo({ ...VIDEO, image_base64: given }))).toMatchObject({
        image_base64: written,
      });
  });

  it("leaves audios out when there are none, and sends them as data URIs", async () => {
    for (const request of [VID3, { ...VID3, audios: undefined }])
      expect(await jsonOf((api) => api.generateVid3(request))).toEqual({
        images: [BASE64],
        prompt: "slow zoom",
      });
    expect(await jsonOf((api) => api.generateVid3({ ...VID3, audios: [SOUND] }))).toMatchObject({
      audios: [`data:audio/mpeg;base64,${Buffer.from("a sound").toString("base64")}`],
    });
  });
});

describe("a submission as a form", () => {
  it("of reference-to-video v3 has its files as images and audio_1 to audio_3", async () => {
    const request = {
      ...VID3,
      images: [JPEG, file(Buffer.from("--\r\n--"))],
      duration: 7,
      audio_enable: true,
      audios: [SOUND, SOUND],
    };
    expect(await formOf((api) => api.generateVid3(request, { as: "multipart" }))).toEqual([
      ["prompt", "slow zoom"],
      ["duration", "7"],
      ["audio_enable", "true"],
      ["images", ["image/jpeg", PICTURE.toString()]],
      ["images", ["application/octet-stream", "--\r\n--"]],
      ["audio_1", ["audio/mpeg", "a sound"]],
      ["audio_2", ["audio/mpeg", "a sound"]],
    ]);
  });

  it("of image pro has its files as imgpro_image_0 to imgpro_image_4", async () => {
    const request = { ...PICTURES, images: [file(PICTURE), JPEG], size: "1024x1024" };
    for (const call of [
      (api: MediaApi) => api.generateImgproEdit(request, { as: "multipart" }),
      (api: MediaApi) => api.generateImgproReference(request, { as: "multipart" }),
    ])
      expect(await formOf(call)).toEqual([
        ["prompt", "slow zoom"],
        ["size", "1024x1024"],
        ["imgpro_image_0", FILE],
        ["imgpro_image_1", ["image/jpeg", PICTURE.toString()]],
      ]);
  });

  it("of a mask has its files as image and mask", async () => {
    const answer = { image_base64: "aQ==", mask_base64: "bQ==" };
    expect(await formOf((api) => api.encodeMask(MASK, { as: "multipart" }), answer)).toEqual([
      ["image", FILE],
      ["mask", FILE],
    ]);
  });

  it("takes sources only: text goes in JSON", async () => {
    await using server = await serve(json({ job_id: "a" }));
    await using used = client(server.baseUrl);
    await expect(
      used.api.generateImgproReference({ ...PICTURES, images: [BASE64] }, { as: "multipart" }),
    ).rejects.toMatchObject({ code: "field_invalid", params: { field: "images", wanted: "a file" } });
    expect(server.requests).toHaveLength(0);
  });
});

describe("the answer to a submission", () => {
  it.each([
    ["of a video", { job_id: "a", status: "submitted", token_cost: "2.5", remaining_tokens: 7 }, 2.5, 7],
    ["of H3: what was reserved, where that is all", { job_id: "a", pre_token_cost: 9 }, 9, null],
    ["of H3: what it costs, where both are said", { job_id: "a", pre_token_cost: 9, token_cost: 8 }, 8, null],
    ["of an edit, without a message", { job_id: "a", status: "submitted", token_cost: 1 }, 1, null],
    ["of image pro, under another name", { id: "a", token_cost: 1.22 }, 1.22, null],
    ["of image pro, inside", { success: true, job: { id: "a" }, remaining_tokens: 3 }, null, 3],
  ])("%s", async (_, answer, cost, remaining) => {
    const { result } = await sentBy((api) => api.generateVideo(VIDEO), answer);
    expect(result).toMatchObject({ id: "a", cost, remaining, raw: answer });
  });

  it("of an inpaint says IN_PROGRESS and no remaining tokens", async () => {
    const answer = { success: true, job_id: "a", status: "IN_PROGRESS", mode: "inpaint", token_cost: 2 };
    const { result } = await sentBy((api) => api.generateInpaint({ ...MASK, prompt: "a hat" }), answer);
    expect(result).toMatchObject({ id: "a", status: "IN_PROGRESS", cost: 2, remaining: null });
  });
});

describe("a POST that costs nothing", () => {
  const template = { id: "z", name: "Z", prompt: "zoom", category: "Camera", is_mature: false };
  const encoded = { success: true, image_base64: "aQ==", mask_base64: "bQ==" };

  it("is repeated like a read, with its files opened anew", async () => {
    const bodies: Buffer<ArrayBuffer>[] = [];
    await using server = await serve(reset, refusal(500, "busy"), keeping(bodies, encoded));
    await using used = client(server.baseUrl);
    await expect(used.api.encodeMask(MASK)).resolves.toMatchObject({ imageBase64: "aQ==" });
    expect(server.requests).toHaveLength(3);
    expect(JSON.parse(String(bodies[0]))).toEqual({ image_base64: BASE64, mask_base64: BASE64 });
  });

  it("is Network when its answer was lost, never Unsure", async () => {
    await using server = await serve(reset);
    await using used = client(server.baseUrl);
    for (const call of [used.api.encodeMask(MASK), used.api.registerTemplate(template)])
      await expect(call).rejects.toBeInstanceOf(Network);
    expect(server.requests).toHaveLength(8);
    await expect(used.api.generateInpaint({ ...MASK, prompt: "a hat" })).rejects.toBeInstanceOf(Unsure);
    expect(server.requests).toHaveLength(9);
  });

  it("fails where its answer holds nothing of what was asked", async () => {
    await using server = await serve(json({ success: false }));
    await using used = client(server.baseUrl);
    await expect(used.api.encodeMask(MASK)).rejects.toBeInstanceOf(ServiceFailure);
    await expect(used.api.registerTemplate(template)).rejects.toBeInstanceOf(ServiceFailure);
  });

  it("tells what was registered", async () => {
    const message = "Template saved";
    await using server = await serve(json({ success: true, template_id: "z", message }), json({}));
    await using used = client(server.baseUrl);
    expect(await used.api.registerTemplate(template)).toMatchObject({ id: "z", message });
    const { prompt: _prompt, category: _category, ...rest } = template;
    expect(await used.api.registerH3Template({ ...rest, release_date: "2026-06-01" })).toMatchObject({
      id: "z",
      message: null,
    });
  });
});

describe("an encoded mask", () => {
  it("comes back whole, however long", async () => {
    const image = "A".repeat(3_000_000);
    const answer = {
      success: true,
      image_base64: image,
      mask_base64: "bQ==",
      image_width: 640,
      image_height: 480,
      mask_width: 640,
      mask_height: 480,
      image_mime: "image/jpeg",
      mask_mime: "image/png",
    };
    await using server = await serve(json(answer));
    await using used = client(server.baseUrl);
    expect(await used.api.encodeMask(MASK)).toEqual({
      imageBase64: image,
      maskBase64: "bQ==",
      imageWidth: 640,
      imageHeight: 480,
      maskWidth: 640,
      maskHeight: 480,
      imageMime: "image/jpeg",
      maskMime: "image/png",
    });
  });
});
