import { readFileSync } from "node:fs";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { VID3_BOUNDS, VID3_PRICE } from "../../../src/common/contract.ts";
import { ffmpegRenderer } from "../../../src/sandbox/render/ffmpeg.ts";
import { testFfmpeg, testPicture, testSandbox, tinyClip } from "../../support/sandbox.ts";
import { caller, endedAt, submitTo, textOf } from "../call.ts";
import { describeClip, loudness, soundFile } from "../clip.ts";

const PATH = "/generate/vid3-ref2v";

let picture: string;
beforeAll(async () => {
  picture = await testPicture();
});

const dataUri = (type: string, file: Buffer) => `data:${type};base64,${file.toString("base64")}`;

/** The picture in another format, as a data URI. */
async function convert(to: "png" | "webp"): Promise<string> {
  return dataUri(`image/${to}`, await sharp(Buffer.from(picture, "base64")).toFormat(to).toBuffer());
}

describe("POST /generate/vid3-ref2v (section 4.8)", () => {
  it("answers with a page's address; its alias does the same", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    for (const [path, remaining] of [
      [PATH, 1191.45],
      ["/vid3-ref2v/generate", 1182.65],
    ] as const) {
      const { status, body } = await call("POST", path, { prompt: "a dance", images: [picture] });
      expect(status).toBe(200);
      expect(body).toEqual({
        job_id: expect.any(String),
        status: "submitted",
        message: "Reference-to-video job submitted. 8.8 tokens charged.",
        token_cost: 8.8,
        remaining_tokens: remaining,
        status_url: `${new URL(sandbox.url).origin}/pages/jobs/${textOf(body["job_id"])}`,
      });
    }
  });

  it("names a page that needs a login; visits to it are counted", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const { body } = await call("POST", PATH, { prompt: "a dance", images: [picture] });
    expect((await sandbox.ledger()).pages).toBe(0);
    const page = await fetch(textOf(body["status_url"]), { headers: { "x-api-key": sandbox.keys.pro } });
    expect([page.status, page.headers.get("content-type")]).toEqual([401, expect.stringContaining("html")]);
    expect((await sandbox.ledger()).pages).toBe(1);
  });

  it("costs max(2, round(duration x rate, 2))", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.boss);
    for (const [size, duration, cost] of [
      ["480p", 2, 2],
      ["480p", 3, 2.64],
      ["720p", 2, 3.52],
      ["1080p", 30, 105.6],
    ] as const) {
      const { body } = await call("POST", PATH, { prompt: "x", images: [picture], size, duration });
      expect(body["token_cost"]).toBe(cost);
      expect(cost).toBe(
        Math.max(VID3_PRICE.min, Math.round(duration * VID3_PRICE.perSecond[size] * 100) / 100),
      );
    }
  });

  it.each([
    [{ prompt: undefined }, /^prompt: is required/],
    [{ prompt: "x".repeat(20_001) }, /^prompt: must be at most 20000 characters/],
    [{ images: undefined }, /^images: must be 1 to 5 pictures/],
    [{ images: [] }, /^images: must be 1 to 5/],
    [{ images: ["a", "a", "a", "a", "a", "a"] }, /^images: must be 1 to 5/],
    [{ images: ["aGVsbG8h"] }, /^images\.0: cannot be decoded/],
    [{ duration: 1 }, /^duration: must be a whole number from 2 to 30/],
    [{ duration: 31 }, /^duration/],
    [{ size: "2K" }, /^size: must be one of 480p, 720p, 1080p/],
    [{ aspect_ratio: "21:9" }, /^aspect_ratio: must be one of 16:9, 9:16, 1:1, 4:3, 3:4/],
    [{ audio_enable: "on" }, /^audio_enable/],
    [{ prompt_expansion_enable: 1 }, /^prompt_expansion_enable/],
    [{ seed: -5 }, /^seed/],
    [{ platform: "discord" }, /^platform: must be one of api, web, telegram, kn/],
    [{ result_type: "file" }, /^result_type/],
    [{ in_app_username: 7 }, /^in_app_username/],
    [{ mode: "r2v" }, /^mode: unknown field/],
    [{ audios: [] }, /^audios: must be 1 to 3 sounds; leave it out when there are none/],
    [{ audios: ["a", "a", "a", "a"] }, /^audios: must be 1 to 3/],
    [{ audios: ["data:audio/flac;base64,aGVsbG8h"] }, /^audios\.0: must be one of audio\/mpeg/],
    [{ audios: ["no base64"] }, /^audios\.0: must be base64/],
    [{ audios: ["aGVsbG8h"] }, /^audios\.0: cannot be decoded as a sound/],
  ])("refuses %o with a 400 that names the field", async (fields, message) => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    expect(await call("POST", PATH, { prompt: "a dance", images: [picture], ...fields })).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message), code: 400 },
    });
    expect((await sandbox.ledger()).submissions).toEqual([]);
  });

  it("takes JPEG and PNG pictures only", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const ask = async (image: string) => call("POST", PATH, { prompt: "x", images: [image] });
    expect((await ask(await convert("png"))).status).toBe(200);
    expect((await ask(await convert("webp"))).body["error"]).toBe(
      "images.0: must be one of image/jpeg, image/png",
    );
  });

  it("needs an active Pro subscription: 403 says so, after the fields and before slots and tokens", async () => {
    await using sandbox = await testSandbox();
    for (const key of [sandbox.keys.standard, sandbox.keys.empty]) {
      const call = caller(sandbox.url, key);
      expect(await call("POST", PATH, { prompt: "x", images: [picture] })).toEqual({
        status: 403,
        body: { error: "Reference-to-video v3: an active Pro subscription is required.", code: 403 },
      });
      expect((await call("POST", PATH, { prompt: "x", images: [] })).status).toBe(400);
    }
    const poor = caller(sandbox.url, sandbox.addAccount("poor", "pro", 1));
    expect((await poor("POST", PATH, { prompt: "x", images: [picture] })).status).toBe(402);
  });

  it("notes the platform, api unless told otherwise, and the end user", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.boss);
    const fields = { prompt: "x", images: [picture], in_app_username: "someone" };
    for (const platform of [undefined, ...VID3_BOUNDS.platforms.choices])
      await submitTo(call, PATH, { ...fields, platform });
    const { submissions, requests } = await sandbox.ledger();
    expect(submissions.map(({ platform }) => platform)).toEqual(["api", "api", "web", "telegram", "kn"]);
    expect(submissions.every(({ in_app_username }) => in_app_username === "someone")).toBe(true);
    expect(requests).toEqual({ vid3: 5 });
  });
});

describe("reference audios (sections 4.8 and 8.2)", () => {
  it.each([
    ["mp3", "audio/mpeg"],
    ["wav", "audio/wav"],
    ["m4a", "audio/mp4"],
    ["aac", "audio/aac"],
    ["ogg", "audio/ogg"],
  ])("takes %s as %s, and as plain base64", async (ending, type) => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const file = soundFile(ending, 2);
    const audios = [dataUri(type, file), file.toString("base64")];
    expect((await call("POST", PATH, { prompt: "x", images: [picture], audios })).status).toBe(200);
  });

  it("refuses other sounds, videos, and more than 10 seconds, 15 together or 8 MB", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const refusal = async (...audios: string[]) =>
      (await call("POST", PATH, { prompt: "x", images: [picture], audios })).body["error"];
    const types = "must be one of audio/mpeg, audio/wav, audio/mp4, audio/aac, audio/ogg";
    expect(await refusal(soundFile("flac", 1).toString("base64"))).toBe(`audios.0: ${types}`);
    const clip = readFileSync(tinyClip());
    expect(await refusal(dataUri("video/mp4", clip))).toBe(`audios.0: ${types}`);
    expect(await refusal(dataUri("audio/mp4", clip))).toBe("audios.0: must be a sound, not a video");
    const [long, short] = [11, 8].map((seconds) => dataUri("audio/wav", soundFile("wav", seconds)));
    expect(await refusal(short ?? "", long ?? "")).toBe("audios.1: must be at most 10 seconds");
    expect(await refusal(short ?? "", short ?? "")).toBe("audios: must be at most 15 seconds together");
    const large = Buffer.concat([soundFile("wav", 1), Buffer.alloc(VID3_BOUNDS.audios.maxBytes)]);
    expect(await refusal(large.toString("base64"))).toBe("audios.0: must be at most 8 MB");
  });
});

describe("a multipart request", () => {
  it("brings pictures and audios as files, and every other field as text", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const photo = new File([Buffer.from(picture, "base64")], "photo.jpg", { type: "image/jpeg" });
    const sound = new File([soundFile("mp3", 1)], "sound.mp3", { type: "audio/mpeg" });
    for (const [images, audios] of [
      [
        ["images", "images"],
        ["audio_1", "audio_3"],
      ],
      [["image_1", "image_2"], ["audios[]"]],
    ] as const) {
      const form = new FormData();
      const texts = { prompt: "42", duration: "3", size: "480p", audio_enable: "true", seed: "5" };
      for (const [name, value] of Object.entries(texts)) form.set(name, value);
      for (const name of images) form.append(name, photo);
      for (const name of audios) form.append(name, sound);
      const id = await submitTo(call, PATH, form);
      expect(await endedAt(call, `/vid3-ref2v-jobs/${id}`)).toMatchObject({
        duration: 3,
        size: "480p",
        audio_enable: true,
        token_cost: 2.64,
      });
    }
  });

  it("is refused with a 400 for unknown files, values of the wrong kind and broken bodies", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const refusal = async (name: string, value: string | File) => {
      const form = new FormData();
      form.set("prompt", "x");
      form.set("images", picture);
      form.set(name, value);
      return (await call("POST", PATH, form)).body["error"];
    };
    expect(await refusal("mask", new File(["x"], "x.png"))).toBe("mask: unknown file");
    expect(await refusal("duration", "long")).toMatch(/^duration: must be a whole number/);
    expect(await refusal("image_9", "x")).toBe("image_9: unknown field");
    const broken = await fetch(sandbox.url + PATH, {
      method: "POST",
      headers: { "x-api-key": sandbox.keys.pro, "content-type": "multipart/form-data; boundary=x" },
      body: "nonsense",
    });
    expect(broken.status).toBe(400);
  });

  it("is not taken where the contract does not offer it", async () => {
    await using sandbox = await testSandbox();
    const form = new FormData();
    form.set("prompt", "x");
    const { status } = await caller(sandbox.url, sandbox.keys.pro)("POST", "/generate/video-audio", form);
    expect(status).toBe(400);
  });
});

describe("a reference-to-video v3 job", () => {
  it("says id, is read and downloaded with the key on paths of its own, and is deleted", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { prompt: "x", images: [picture], aspect_ratio: "1:1" });
    const record = await endedAt(call, `/vid3-ref2v-jobs/${id}`);
    expect(record).toEqual({
      id,
      status: "COMPLETED",
      progress: 100,
      duration: 5,
      size: "720p",
      aspect_ratio: "1:1",
      audio_enable: false,
      prompt_expansion_enable: false,
      pre_token_cost: 8.8,
      token_cost: 8.8,
      error_message: null,
      created_at: expect.any(String),
      completed_at: expect.any(String),
      video_url: `/api/vid3-ref2v/${id}/video`,
      video_base64: expect.stringMatching(/^data:video\/mp4;base64,/),
    });
    expect((await call("GET", `/vid3-ref2v/job/${id}`)).body).toEqual(record);
    const get = (path: string, key?: string) =>
      fetch(new URL(path, sandbox.url), { headers: key === undefined ? {} : { "x-api-key": key } });
    for (const path of [textOf(record["video_url"]), `/api/vid3-ref2v-jobs/${id}/video`]) {
      const file = await get(path, sandbox.keys.pro);
      expect([file.status, file.headers.get("content-type")]).toEqual([200, "video/mp4"]);
      expect(dataUri("video/mp4", Buffer.from(await file.arrayBuffer()))).toBe(record["video_base64"]);
      expect((await get(path)).status).toBe(401);
      expect((await get(path, sandbox.keys.ultra)).status).toBe(404);
    }
    expect((await get(`/results/${id}.mp4`)).status, "no open address").toBe(404);

    const onFull = await caller(sandbox.fullCatalogUrl, sandbox.keys.pro)("GET", `/vid3-ref2v-jobs/${id}`);
    const elsewhere = textOf(onFull.body["video_url"]);
    expect((await get(elsewhere, sandbox.keys.pro)).status, "on the host that was asked").toBe(200);

    expect((await call("DELETE", `/jobs/delete/${id}`)).status).toBe(404);
    expect((await call("DELETE", `/vid3-ref2v-jobs/delete/${id}`)).status).toBe(200);
    expect((await call("GET", `/vid3-ref2v-jobs/${id}`)).status).toBe(404);
  });

  it("is no type of the unified record, and in nobody's list", async () => {
    await using sandbox = await testSandbox();
    for (const key of [sandbox.keys.pro, sandbox.keys.boss]) {
      const call = caller(sandbox.url, key);
      const id = await submitTo(call, PATH, { prompt: "x", images: [picture] });
      expect((await call("GET", `/job/${id}`)).status).toBe(404);
      expect((await call("GET", `/jobs/${id}/settings`)).status).toBe(404);
      expect((await call("GET", "/jobs")).body["pagination"]).toMatchObject({ total: 6 });
      expect((await call("GET", "/stats")).body["breakdown"]).toMatchObject({ vid3: { total: 1 } });
    }
  });

  it("tells why it failed", async () => {
    await using sandbox = await testSandbox({ failRate: 1 });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const id = await submitTo(call, PATH, { prompt: "x", images: [picture] });
    expect(await endedAt(call, `/vid3-ref2v-jobs/${id}`)).toMatchObject({
      status: "FAILED",
      error_message: expect.any(String),
      pre_token_cost: 8.8,
      token_cost: 0,
    });
    const video = `${sandbox.url}/vid3-ref2v/${id}/video`;
    expect((await fetch(video, { headers: { "x-api-key": sandbox.keys.pro } })).status).toBe(404);
  });

  it.each([
    ["480p", "16:9", 854, 480],
    ["480p", "3:4", 480, 640],
    ["720p", "9:16", 720, 1280],
  ])("has %s at %s, silent, through all of its pictures", async (size, aspect_ratio, width, height) => {
    await using sandbox = await testSandbox({ render: ffmpegRenderer(testFfmpeg()) });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const images = [picture, await testPicture(100, 200), await testPicture(300, 300)];
    const fields = { prompt: "x", images, size, aspect_ratio, duration: 2 };
    const id = await submitTo(call, PATH, fields);
    await endedAt(call, `/vid3-ref2v-jobs/${id}`);
    const clip = await describeClip(`${sandbox.dir}/files/${id}/result.mp4`);
    expect(clip).toMatchObject({ width, height, duration: 2, sound: 0 });
  });

  it("has an AAC track when audio is enabled, in which the reference audios are heard", async () => {
    await using sandbox = await testSandbox({ render: ffmpegRenderer(testFfmpeg()) });
    const call = caller(sandbox.url, sandbox.keys.pro);
    const pitched = async (fields: object) => {
      const id = await submitTo(call, PATH, {
        prompt: "x",
        images: [picture],
        size: "480p",
        duration: 2,
        audio_enable: true,
        seed: 1,
        ...fields,
      });
      await endedAt(call, `/vid3-ref2v-jobs/${id}`);
      const path = `${sandbox.dir}/files/${id}/result.mp4`;
      expect((await describeClip(path)).sound).toBeCloseTo(2, 1);
      return Promise.all([2000, 3000, 4000].map((hertz) => loudness(path, hertz)));
    };
    const alone = await pitched({});
    const audios = [
      soundFile("mp3", 0.6, 2000),
      soundFile("m4a", 0.6, 3000),
      soundFile("ogg", 0.6, 4000),
    ].map((file) => file.toString("base64"));
    const together = await pitched({ audios });
    for (const [index, level] of together.entries()) expect(level).toBeGreaterThan((alone[index] ?? 0) + 15);
  });
});
