import { afterAll, afterEach, describe, expect, it } from "vitest";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Values } from "../../../src/seam/values.ts";
import { checkValues, fieldsOf } from "../../../src/domain/operations/fields.ts";
import { OPERATIONS, operationOf } from "../../../src/domain/operations/registry.ts";
import { textOf } from "../../sandbox/call.ts";
import { operating } from "./makers.ts";
import { padded, wav } from "./media.ts";
import type { Name } from "./service.ts";
import { ENDPOINTS, PRICES, requests } from "./table.ts";

const service = await operating();
const { material, maker, make, least, clips, given, wire, as } = service;
afterAll(() => service[Symbol.asyncDispose]());
// Slots are few.
afterEach(() => maker.api.deleteAllJobs());

const { photo, file } = given;
const base64 = material.pictures.jpeg.toString("base64");
const sampleOf = (endpoint: Name, field: string) => material.samples[endpoint]?.[field] ?? "";

/** What keeps values from being sent: the error's code and the field that it names. */
function mistake(operation: string, values: Values): readonly unknown[] | undefined {
  try {
    checkValues(operationOf(operation).schema, { ...least[operation], ...values });
    return undefined;
  } catch (error) {
    if (!(error instanceof ReelayError)) throw error;
    return [error.code, error.params["field"]];
  }
}

/** What an operation says that it costs, in tokens. */
const priceOf = (operation: string, values: Values) =>
  operationOf(operation).price({ ...least[operation], ...values });

/** The values that a form offers for a field. */
function choicesOf(operation: string, name: string) {
  const field = fieldsOf(operationOf(operation).schema).find((one) => one.name === name);
  return field?.choices?.map(({ value }) => value) ?? [];
}

describe("H3", () => {
  const operations = ["h3-text", "h3-image", "h3-reference"];

  it('`aspect_ratio` is "w:h (label)"', async () => {
    for (const operation of operations)
      for (const aspect_ratio of choicesOf(operation, "aspect_ratio")) {
        const { body } = await make(operation, { aspect_ratio });
        expect(body["aspect_ratio"]).toMatch(/^\d+:\d+ \([^()]+\)$/);
      }
    expect(choicesOf("h3-text", "aspect_ratio").length).toBeGreaterThan(1);
    for (const aspect_ratio of ["16:9", "wide", "16:9 ()"])
      await expect(maker.api.generateH3({ prompt: "x", aspect_ratio })).rejects.toMatchObject({
        code: "field_invalid",
        params: { field: "aspect_ratio" },
      });
  });

  it("never send loras, lora_name, style_lora, lora_pairs", async () => {
    const template = sampleOf("generateH3", "template_id");
    for (const operation of ["h3-image", "h3-reference"]) {
      const { body } = await make(operation, {
        template,
        sub_template: sampleOf("generateH3", "sub_template_id"),
      });
      expect(body).toMatchObject({ template_id: template });
      for (const field of requests.H3_FORBIDDEN) expect(body).not.toHaveProperty(field);
    }
    for (const field of requests.H3_FORBIDDEN) {
      await expect(
        maker.api.generateH3(Object.assign({ prompt: "x" }, { [field]: "x" })),
      ).rejects.toMatchObject({
        code: "field_unknown",
        params: { name: field },
      });
      for (const operation of operations)
        expect(mistake(operation, { [field]: "x" })).toEqual(["field_unknown", undefined]);
    }
  });

  it("a template with no mode becomes r2v", async () => {
    const request = {
      prompt: "slow zoom",
      template_id: sampleOf("generateH3", "template_id"),
      reference_images: [base64],
    };
    for (const mode of [undefined, "t2v"] as const) {
      const { raw } = await maker.api.generateH3({ ...request, mode });
      expect(raw).toMatchObject({ mode: "r2v", reference_count: 1 });
    }
    // The forms leave nothing to be found out.
    for (const [operation, mode] of [
      ["h3-text", "t2v"],
      ["h3-image", "i2v"],
      ["h3-reference", "r2v"],
    ] as const) {
      const { body, submitted } = await make(operation);
      expect([body["mode"], submitted.raw["mode"]]).toEqual([mode, mode]);
    }
    expect(fieldsOf(operationOf("h3-text").schema).map(({ name }) => name)).not.toContain("template");
  });
});

describe("vid3", () => {
  it("`audios` is left out when unused, never []", async () => {
    for (const values of [{}, { audios: [] }])
      expect((await make("vid3", values)).body).not.toHaveProperty("audios");
    const sound = await file("a.wav", wav(1));
    expect((await make("vid3", { audios: [sound] })).body["audios"]).toHaveLength(1);
    await expect(maker.api.generateVid3({ prompt: "x", images: [base64], audios: [] })).rejects.toMatchObject(
      { code: "field_count", params: { field: "audios" } },
    );
  });

  it("types, 8 MB and 10 s each, 15 s together are checked before sending", async () => {
    const before = wire.recorded.length;
    const video = material.sounds.get("audio/mp4") ?? Buffer.alloc(0);
    for (const [code, ...sounds] of [
      ["sound_unreadable", Buffer.from("no sound at all")],
      ["sound_type", material.pictures.png],
      ["media_too_large", padded(wav(9, 888_000), 8_400_000)],
      ["sound_too_long", wav(10.5)],
      ["sounds_too_long", wav(8), wav(8)],
    ] as const) {
      const audios = await Promise.all(sounds.map((content, nth) => file(`${code}-${nth}.wav`, content)));
      await expect(make("vid3", { audios })).rejects.toMatchObject({ code });
    }
    expect(wire.recorded.length).toBe(before);
    const fitting = await Promise.all(
      [wav(7.5), wav(7), video].map((content, nth) => file(`fits-${nth}`, content)),
    );
    expect((await make("vid3", { audios: fitting.slice(0, 2) })).body["audios"]).toHaveLength(2);
    expect((await make("vid3", { audios: fitting.slice(1) })).body["audios"]).toEqual([
      expect.stringMatching(/^data:audio\/wav;base64,/),
      expect.stringMatching(/^data:audio\/mp4;base64,/),
    ]);
    expect(mistake("vid3", { audios: [photo, photo, photo, photo] })).toEqual(["field_count", "audios"]);
  });

  it("`platform` is one of api, web, telegram, kn (a Discord job says `api`)", async () => {
    for (const [platform, sent] of [
      ["web", "web"],
      ["telegram", "telegram"],
      ["discord", "api"],
      ["cli", "api"],
    ] as const) {
      const { body } = await make("vid3", {}, { platform, inAppUsername: "somebody" });
      expect(body).toMatchObject({ platform: sent, in_app_username: "somebody" });
    }
  });

  it("cost is max(2, round(duration x rate, 2))", async () => {
    const { least: lowest, perSecond } = PRICES.vid3;
    for (const [size, rate] of Object.entries(perSecond)) {
      for (let duration = 2; duration <= 30; duration++)
        expect(priceOf("vid3", { duration, size })).toBe(
          Math.max(lowest, Number((duration * rate).toFixed(2))),
        );
      for (const duration of [2, 7, 30]) {
        const { submitted } = await make("vid3", { duration, size });
        expect(submitted.cost).toBe(priceOf("vid3", { duration, size }));
      }
    }
  });
});

describe("video", () => {
  it("`end_image_base64` only with video_quality new", async () => {
    const request = { image_base64: base64, prompt: "x", end_image_base64: base64 };
    for (const video_quality of [undefined, "legacy"] as const) {
      expect(mistake("video", { end_image: photo, ...(video_quality && { video_quality }) })?.at(1)).toBe(
        "video_quality",
      );
      await expect(maker.api.generateVideo({ ...request, video_quality })).rejects.toMatchObject({
        code: "field_invalid",
      });
    }
    const { body } = await make("video", { end_image: photo, video_quality: "new" });
    expect(body).toMatchObject({ video_quality: "new", end_image_base64: expect.any(String) });
    expect((await make("video")).body).not.toHaveProperty("end_image_base64");
  });

  it("prompt or lora_template", async () => {
    const template = sampleOf("generateVideo", "lora_template");
    expect(mistake("video", { prompt: undefined })).toEqual(["field_required", "prompt"]);
    const { body } = await make("video", { prompt: undefined, template });
    expect(body).toMatchObject({ lora_template: template });
    expect(body).not.toHaveProperty("prompt");
    await expect(maker.api.generateVideo({ image_base64: base64 })).rejects.toMatchObject({
      code: "field_required",
      params: { field: "prompt" },
    });
  });

  it("steps 4, 6 or 8", async () => {
    for (const steps of [4, 6, 8]) expect((await make("video", { steps })).body["steps"]).toBe(steps);
    for (const steps of [3, 5, 7, 10])
      expect(mistake("video", { steps })).toEqual(["field_invalid", "steps"]);
  });
});

describe("video-audio", () => {
  it("sizes are multiples of 8 within 64-1240", async () => {
    const { body } = await make("video-audio", { width: 64, height: 1240 });
    expect(body).toMatchObject({ width: 64, height: 1240 });
    for (const side of [56, 63, 65, 100.5, 1241, 1248])
      expect(mistake("video-audio", { width: side })?.at(1), String(side)).toBe("width");
  });

  it("frame rate's default depends on the mode", async () => {
    const rates: unknown[] = [];
    for (const values of [{}, { image: photo }]) {
      await maker.api.deleteAllJobs();
      const { body, submitted } = await make("video-audio", values);
      expect(body).not.toHaveProperty("frame_rate");
      rates.push([submitted.raw["mode"], clips.at(-1)?.fps]);
    }
    expect(rates).toEqual([
      ["T2V", 16],
      ["I2V", 25],
    ]);
    await maker.api.deleteAllJobs();
    await make("video-audio", { frame_rate: 25 });
    expect(clips.at(-1)?.fps).toBe(25);
  });
});

describe("edit", () => {
  it("third image is Ultra only", async () => {
    const images = [photo, photo, photo];
    const { body } = await make("image-edit", { images });
    expect(body).toMatchObject({ image_1_base64: expect.any(String), image_3_base64: expect.any(String) });
    const refused = await as("pro")("POST", ENDPOINTS.generateImageEdit.path, body);
    expect(refused.status).toBe(403);
    expect(textOf(refused.body["error"])).toMatch("Ultra");
    expect(operationOf("image-edit").forbidden({ ...least["image-edit"], images })).toBe("ultra_required");
    expect(mistake("image-edit", { images: [...images, photo] })).toEqual(["field_count", "images"]);
  });

  it("guidance only with model_b", async () => {
    expect((await make("image-edit", { model: "model_b", guidance: 3 })).body).toMatchObject({ guidance: 3 });
    for (const values of [{ guidance: 3 }, { guidance: 3, model: "model_a" }])
      expect(mistake("image-edit", values)?.at(1)).toBe("model");
    await expect(
      maker.api.generateImageEdit({ image_1_base64: base64, prompt: "x", guidance: 3 }),
    ).rejects.toMatchObject({ code: "field_invalid", params: { field: "guidance" } });
  });

  it("quality doubles the cost", async () => {
    for (const images of [[photo], [photo, photo]]) {
      const fast = await make("image-edit", { images, v2_mode: "fast" });
      const careful = await make("image-edit", { images, v2_mode: "quality" });
      expect(careful.submitted.cost).toBeCloseTo(2 * (fast.submitted.cost ?? Number.NaN));
    }
    // Prices are learned by size: the two must not be taken for one.
    const [fast, quality] = ["fast", "quality"].map((v2_mode) =>
      operationOf("image-edit").size({ ...least["image-edit"], v2_mode }),
    );
    expect(quality).not.toBe(fast);
  });
});

describe("pictures", () => {
  it("ref2i: 2K sizes, no output_format", async () => {
    for (const size of choicesOf("imgpro-reference", "size")) {
      const [width = 0, height = 0] = String(size).split("x").map(Number);
      expect(width * height, String(size)).toBeGreaterThan(1536 * 1536);
      const { body, submitted } = await make("imgpro-reference", { size: String(size) });
      expect(submitted.cost).toBe(PRICES.imgpro.ref2i);
      expect(body).not.toHaveProperty("output_format");
    }
    expect(mistake("imgpro-reference", { size: "1024x1024" })).toEqual(["field_invalid", "size"]);
    expect(mistake("imgpro-reference", { output_format: "png" })).toEqual(["field_unknown", undefined]);
    expect((await make("imgpro-edit", { output_format: "png" })).body).toMatchObject({
      output_format: "png",
    });
  });

  it("image: at most 2048", async () => {
    expect((await make("image", { width: 2048, height: 2048 })).body).toMatchObject({
      width: 2048,
      height: 2048,
    });
    for (const side of ["width", "height"])
      expect(mistake("image", { [side]: 2049 })).toEqual(["field_out_of_range", side]);
    await expect(maker.api.generateImage({ prompt: "x", width: 2049 })).rejects.toMatchObject({
      code: "field_out_of_range",
    });
  });
});

describe("who asks", () => {
  const tags = { platform: "telegram", inAppUsername: "somebody" };

  it("`platform` and `in_app_username` go out wherever the contract takes them", async () => {
    for (const { id } of OPERATIONS) {
      const { body, path } = await make(id, {}, tags);
      const endpoint = Object.values(ENDPOINTS).find(
        (one) => `/api${one.path}` === path && one.method === "POST",
      );
      const takes = endpoint && "body" in endpoint && "in_app_username" in endpoint.body;
      expect({ platform: body["platform"], in_app_username: body["in_app_username"] }, id).toEqual(
        takes
          ? { platform: "telegram", in_app_username: "somebody" }
          : { platform: undefined, in_app_username: undefined },
      );
    }
  });
});
