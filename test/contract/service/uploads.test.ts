import { afterAll, describe, expect, it } from "vitest";
import { type Call, caller } from "../../sandbox/call.ts";
import { wav } from "./media.ts";
import { emulated, HOSTS } from "./service.ts";
import { misfits } from "./shapes.ts";
import { answers, ENDPOINTS } from "./table.ts";

const { sandbox, as, body, material, hosts } = await emulated("running");
afterAll(() => sandbox.stop());

const PNG = new Blob([Uint8Array.from(material.pictures.png)], { type: "image/png" });
const WAV = new Blob([Uint8Array.from(wav(1))], { type: "audio/wav" });

/** A form of texts and files. */
function form(parts: readonly (readonly [name: string, value: string | Blob])[]): FormData {
  const data = new FormData();
  for (const [name, value] of parts) {
    if (typeof value === "string") data.append(name, value);
    else data.append(name, value, "file");
  }
  return data;
}

const TAKEN = { status: 200, body: expect.any(Object) };
const REFUSED = { status: 400, body: { error: expect.any(String), code: 400 } };

describe("POST /encode/image-mask", () => {
  const { path, multipart } = ENDPOINTS.encodeMask;
  const [image] = multipart.image_base64;
  const [mask] = multipart.mask_base64;

  it("answers the same to JSON and to a form, on both hosts", async () => {
    const png = material.pictures.png.toString("base64");
    for (const host of HOSTS) {
      const sent = [
        { image_base64: png, mask_base64: `data:image/png;base64,${png}` },
        form([
          [image, PNG],
          [mask, PNG],
        ]),
      ];
      const [encoded, other] = await Promise.all(sent.map((one) => as("standard", host)("POST", path, one)));
      expect(misfits(answers.ENCODED_MASK, encoded?.body)).toEqual([]);
      expect(other).toEqual(encoded);
      expect(encoded?.body).toMatchObject({ success: true, image_width: 24, image_mime: "image/png" });
    }
  });

  it("costs nothing and makes no job", async () => {
    const call = caller(hosts.primary, sandbox.addAccount("encodes", "standard", 0));
    expect(await call("POST", path, body("encodeMask"))).toEqual(TAKEN);
    expect((await call("GET", "/jobs")).body["jobs"]).toEqual([]);
  });

  it("encodes what an inpainting then takes", async () => {
    const { image_base64, mask_base64 } = (await as("pro")("POST", path, body("encodeMask"))).body;
    const request = body("generateInpaint", { image_base64, mask_base64 });
    expect(await as("pro")("POST", ENDPOINTS.generateInpaint.path, request)).toEqual(TAKEN);
  });
});

describe("reference-to-video v3 as a form", () => {
  const { path, multipart } = ENDPOINTS.generateVid3;
  const texts = [
    ["prompt", "slow zoom"],
    ["duration", "3"],
    ["audio_enable", "true"],
  ] as const;
  const post = (...files: readonly (readonly [string, Blob])[]) =>
    as("boss")("POST", path, form([...texts, ...files]));

  it.each(multipart.audios)("takes a sound as %s", async (name) => {
    const { body: record } = await recordOf(as("boss"), await post(["images", PNG], [name, WAV]));
    expect(record).toMatchObject({ duration: 3, audio_enable: true });
  });

  it("takes five pictures and three sounds, and no more", async () => {
    const pictures = Array.from({ length: 5 }, () => ["images", PNG] as const);
    const sounds = ["audio_1", "audio_2", "audio_3"].map((name) => [name, WAV] as const);
    expect(await post(...pictures, ...sounds)).toEqual(TAKEN);
    expect(await post(...pictures, ["images", PNG])).toEqual(REFUSED);
    expect(await post(["images", PNG], ...sounds, ["audios[]", WAV])).toEqual(REFUSED);
    expect(await post(...sounds)).toEqual(REFUSED);
  });
});

async function recordOf(call: Call, submitted: Awaited<ReturnType<Call>>) {
  return call("GET", `/vid3-ref2v-jobs/${JSON.stringify(submitted.body["job_id"]).slice(1, -1)}`);
}

describe.each(["generateImgproEdit", "generateImgproReference"] as const)("%s as a form", (name) => {
  const { path, multipart } = ENDPOINTS[name];
  const texts = [
    ["prompt", "slow zoom"],
    ["size", "2048x2048"],
  ] as const;
  const post = (names: readonly string[]) =>
    as("boss")("POST", path, form([...texts, ...names.map((part) => [part, PNG] as const)]));

  it.each(multipart.images)("takes a picture as %s", async (part) => {
    expect(await post([part])).toEqual(TAKEN);
  });

  it("takes five, and no more", async () => {
    const five = multipart.images.filter((part) => part !== "images");
    expect(await post(five)).toEqual(TAKEN);
    expect(await post([...five, "images"])).toEqual(REFUSED);
    expect(await post(["image"])).toEqual(REFUSED);
  });
});

describe("every other submission", () => {
  it.each(["generateVideo", "generateImage", "generateImageEdit", "generateH3", "generateFaceswap"] as const)(
    "is JSON alone: %s",
    async (name) => {
      expect(await as("boss")("POST", ENDPOINTS[name].path, form([["prompt", "slow zoom"]]))).toEqual(
        REFUSED,
      );
    },
  );
});
