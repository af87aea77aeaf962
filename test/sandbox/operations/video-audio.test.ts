import { beforeAll, describe, expect, it } from "vitest";
import { ffmpegRenderer } from "../../../src/sandbox/render/ffmpeg.ts";
import { testFfmpeg, testPicture, testSandbox } from "../../support/sandbox.ts";
import { caller, endedAt, submitTo, textOf } from "../call.ts";
import { describeClip, loudness } from "../clip.ts";

const PATH = "/generate/video-audio";

let picture: string;
beforeAll(async () => {
  picture = await testPicture();
});

describe("POST /generate/video-audio (section 4.4)", () => {
  it("answers with its mode: T2V from words, I2V with a picture; its alias does the same", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.standard);
    for (const [path, fields, mode, balance] of [
      [PATH, {}, "T2V", 247.75],
      ["/video-audio/generate", { image_base64: picture }, "I2V", 245],
    ] as const)
      expect(await call("POST", path, { prompt: "waves", ...fields })).toEqual({
        status: 200,
        body: {
          job_id: expect.any(String),
          status: "submitted",
          message: "Video+audio job submitted. 2.75 tokens charged.",
          token_cost: 2.75,
          remaining_tokens: balance,
          mode,
        },
      });
  });

  it("is recorded and listed with its mode, and deleted by its own path", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.standard);
    const id = await submitTo(call, PATH, { prompt: "waves" });
    const record = await endedAt(call, `/video-audio/job/${id}`);
    const url = `${new URL(sandbox.url).origin}/results/${id}.mp4`;
    const file = Buffer.from(await (await fetch(url)).arrayBuffer());
    expect(record).toEqual({
      job_id: id,
      type: "video_audio",
      status: "COMPLETED",
      progress: 100,
      created_at: expect.any(String),
      started_at: expect.any(String),
      completed_at: expect.any(String),
      error_message: null,
      token_cost: 2.75,
      mode: "T2V",
      video_url: url,
      result_urls: [url],
      video_base64: file.toString("base64"),
    });
    expect((await call("GET", `/job/${id}`)).body).toEqual(record);
    const { jobs } = (await call("GET", "/jobs?per_page=1")).body as { jobs: object[] };
    expect(jobs).toMatchObject([{ id, type: "video_audio", mode: "T2V", video_url: url }]);
    expect((await call("GET", `/jobs/${id}/settings`)).status, "settings are for videos").toBe(404);
    expect((await call("DELETE", `/jobs/${id}`)).status, "a video's path").toBe(404);
    expect((await call("DELETE", `/video-audio-jobs/delete/${id}`)).status).toBe(200);
    expect((await call("GET", `/job/${id}`)).status).toBe(404);
  });

  it.each([
    [{ prompt: undefined }, /^prompt: is required/],
    [{ prompt: " " }, /^prompt: is required/],
    [{ duration: 4 }, /^duration: must be a whole number from 5 to 20/],
    [{ duration: 21 }, /^duration/],
    [{ width: 56 }, /^width: must be a multiple of 8 from 64 to 1240/],
    [{ width: 1248 }, /^width/],
    [{ height: 100 }, /^height/],
    [{ frame_rate: 24 }, /^frame_rate: must be one of 16, 25/],
    [{ template: "no-such" }, /^template: no template "no-such"/],
    [{ image_base64: "aGVsbG8h" }, /^image_base64: cannot be decoded/],
    [{ negative_prompt: 1 }, /^negative_prompt/],
    [{ platform: "api" }, /^platform: unknown field/],
  ])("refuses %o with a 400 that names the field", async (fields, message) => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    expect(await call("POST", PATH, { prompt: "waves", ...fields })).toEqual({
      status: 400,
      body: { error: expect.stringMatching(message), code: 400 },
    });
  });

  it("takes the bounds themselves", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.boss);
    for (const fields of [
      { width: 64, height: 1240, duration: 20, frame_rate: 25 },
      { width: 1240, height: 64, duration: 5, frame_rate: 16, negative_prompt: "rain" },
    ])
      expect((await call("POST", PATH, { prompt: "waves", ...fields })).status).toBe(200);
  });

  it("keeps premium templates for subscribers, and charges more for large videos", async () => {
    await using sandbox = await testSandbox();
    const ask = (key: string, fields: object) => caller(sandbox.url, key)("POST", PATH, fields);
    const premium = { prompt: "x", template: "trailer" };
    expect((await ask(sandbox.keys.standard, premium)).status).toBe(403);
    expect((await ask(sandbox.keys.pro, premium)).status).toBe(200);
    const large = { prompt: "x", width: 1240, height: 720, duration: 10 };
    expect((await ask(sandbox.keys.pro, large)).body["token_cost"]).toBe(8.25);
  });

  it("counts a template's uses with the videos'", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.url, sandbox.keys.pro);
    const uses = async () => {
      const { templates } = (await call("GET", "/templates")).body as {
        templates: Record<string, { usage_count: number }>;
      };
      return templates["confetti"]?.usage_count ?? 0;
    };
    const before = await uses();
    await submitTo(call, PATH, { prompt: "x", template: "confetti" });
    expect(await uses()).toBe(before + 1);
  });

  it("on the full-catalogue host uses that host's own compute, and says so", async () => {
    await using sandbox = await testSandbox();
    const call = caller(sandbox.fullCatalogUrl, sandbox.keys.boss);
    const { body } = await call("POST", PATH, { prompt: "waves" });
    expect(body["message"]).toContain("the full-catalogue host's own compute");
    const { jobs } = (await call("GET", "/jobs?per_page=1")).body as { jobs: object[] };
    expect(jobs).toMatchObject([{ request: { compute: "full-catalog" } }]);
  });
});

describe("a video with audio", () => {
  it.each([
    ["from words", [], { width: 320, height: 192 }, { width: 320, height: 192, fps: 16 }],
    ["from a landscape photo", [320, 240], {}, { width: 704, height: 480, fps: 25 }],
    ["from a portrait photo", [240, 320], { frame_rate: 16 }, { width: 480, height: 704, fps: 16 }],
  ])(
    "%s has the size and frame rate asked, or their defaults, and an AAC track",
    async (_, photo, fields, expected) => {
      await using sandbox = await testSandbox({ render: ffmpegRenderer(testFfmpeg()) });
      const call = caller(sandbox.url, sandbox.keys.pro);
      const id = await submitTo(call, PATH, {
        prompt: "waves on a beach",
        ...(photo.length > 0 && { image_base64: await testPicture(...photo) }),
        ...fields,
      });
      const { video_url } = await endedAt(call, `/job/${id}`);
      const clip = await describeClip(textOf(video_url));
      expect(clip).toMatchObject({ ...expected, duration: 5 });
      expect(clip.sound).toBeCloseTo(5, 1);
      expect(await loudness(textOf(video_url), 300)).toBeGreaterThan(-50);
    },
  );
});
