import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { type GatedCall, MediaApi, NotFound } from "../../../src/infrastructure/api/media-api.ts";
import { client, FACESWAP, H3, KEY, MASK, PICTURES, VID3, VIDEO } from "./client.ts";
import { answer, json, serve } from "./server.ts";

const ID = "0b9c8a57-5f0e-4d0c-9a53-0d3a4f9a0001";

/** A method, how it is called, what the service sees of it, its rate group, and whether it costs tokens. */
type Row = readonly [
  method: string,
  call: (api: MediaApi) => Promise<unknown>,
  request: string,
  group: GatedCall["group"],
  paid: "paid" | "free",
];

const TEMPLATE = { id: "zoom", name: "Zoom", prompt: "slow zoom", category: "Camera", is_mature: false };
const H3_TEMPLATE = { id: "duet", name: "Duet", is_mature: false, release_date: "2026-06-01" };

/** Every endpoint of section 4, in its order. */
const ENDPOINTS: readonly Row[] = [
  ["info", (api) => api.info(), "GET /user/info", "user", "free"],
  ["balance", (api) => api.balance(), "GET /user/balance", "user", "free"],
  ["tokens", (api) => api.tokens(), "GET /user/tokens", "user", "free"],
  ["templates", (api) => api.templates(), "GET /templates", "user", "free"],
  ["rawTemplates", (api) => api.rawTemplates(), "GET /templates?full=1", "user", "free"],
  ["imageModels", (api) => api.imageModels(), "GET /image-models", "user", "free"],
  ["imageEditTemplates", (api) => api.imageEditTemplates(), "GET /image-edit-templates", "user", "free"],
  ["h3Templates", (api) => api.h3Templates(), "GET /h3-r2v-templates", "user", "free"],
  [
    "h3Templates",
    (api) => api.h3Templates({ sort: "free-first" }),
    "GET /h3-r2v-templates?sort=free-first",
    "user",
    "free",
  ],
  ["h3Template", (api) => api.h3Template("a b"), "GET /h3-r2v-templates?id=a+b", "user", "free"],
  ["registerTemplate", (api) => api.registerTemplate(TEMPLATE), "POST /templates", "registration", "free"],
  [
    "registerH3Template",
    (api) => api.registerH3Template(H3_TEMPLATE),
    "POST /h3-r2v-templates",
    "registration",
    "free",
  ],
  ["generateVideo", (api) => api.generateVideo(VIDEO), "POST /generate/video", "video", "paid"],
  [
    "generateVideoAudio",
    (api) => api.generateVideoAudio({ prompt: "rain" }),
    "POST /generate/video-audio",
    "videoAudio",
    "paid",
  ],
  [
    "generateImageEdit",
    (api) => api.generateImageEdit({ image_1_base64: VIDEO.image_base64, prompt: "blue" }),
    "POST /generate/image-edit",
    "image",
    "paid",
  ],
  ["generateImage", (api) => api.generateImage({ prompt: "a fox" }), "POST /generate/image", "image", "paid"],
  ["generateH3", (api) => api.generateH3(H3), "POST /generate/vendor-h3", "videoAudio", "paid"],
  ["h3Job", (api) => api.h3Job(ID), `GET /vendor-h3-jobs/${ID}`, "status", "free"],
  ["generateVid3", (api) => api.generateVid3(VID3), "POST /generate/vid3-ref2v", "vid3", "paid"],
  ["vid3Job", (api) => api.vid3Job(ID), `GET /vid3-ref2v-jobs/${ID}`, "status", "free"],
  ["vid3Video", (api) => api.vid3Video(ID), `GET /vid3-ref2v/${ID}/video`, "status", "free"],
  [
    "generateImgproEdit",
    (api) => api.generateImgproEdit({ ...PICTURES, size: "1024x1024" }),
    "POST /generate/imgpro-i2i",
    "image",
    "paid",
  ],
  [
    "generateImgproReference",
    (api) => api.generateImgproReference(PICTURES),
    "POST /generate/imgpro-ref2i",
    "image",
    "paid",
  ],
  ["imgproJob", (api) => api.imgproJob(ID), `GET /imgpro-jobs/${ID}`, "status", "free"],
  ["imgproImage", (api) => api.imgproImage(ID), `GET /imgpro-jobs/${ID}/image`, "status", "free"],
  [
    "generateFaceswap",
    (api) => api.generateFaceswap(FACESWAP),
    "POST /generate/faceswap",
    "faceswap",
    "paid",
  ],
  ["faceswapJob", (api) => api.faceswapJob(ID), `GET /faceswap/${ID}`, "status", "free"],
  ["encodeMask", (api) => api.encodeMask(MASK), "POST /encode/image-mask", "image", "free"],
  [
    "generateInpaint",
    (api) => api.generateInpaint({ ...MASK, prompt: "a hat" }),
    "POST /generate/image-inpaint",
    "image",
    "paid",
  ],
  ["job", (api) => api.job(ID), `GET /job/${ID}`, "status", "free"],
  [
    "jobs",
    (api) => api.jobs({ page: 2, perPage: 50, status: "COMPLETED" }),
    "GET /jobs?page=2&per_page=50&status=COMPLETED",
    "status",
    "free",
  ],
  ["allJobs", (api) => api.allJobs().next(), "GET /jobs?page=1&per_page=100", "status", "free"],
  ["stats", (api) => api.stats(), "GET /stats", "status", "free"],
  ["jobSettings", (api) => api.jobSettings(ID), `GET /jobs/${ID}/settings`, "status", "free"],
  ["deleteAllJobs", (api) => api.deleteAllJobs(), "DELETE /jobs/delete-all", "delete", "free"],
  ["deleteVideoJob", (api) => api.deleteVideoJob(ID), `DELETE /jobs/${ID}`, "delete", "free"],
  ["deleteImageJob", (api) => api.deleteImageJob(ID), `DELETE /image-jobs/delete/${ID}`, "delete", "free"],
  [
    "deleteImageEditJob",
    (api) => api.deleteImageEditJob(ID),
    `DELETE /image-edit-jobs/delete/${ID}`,
    "delete",
    "free",
  ],
  [
    "deleteFaceswapJob",
    (api) => api.deleteFaceswapJob(ID),
    `DELETE /faceswap-jobs/delete/${ID}`,
    "delete",
    "free",
  ],
  [
    "deleteVideoAudioJob",
    (api) => api.deleteVideoAudioJob(ID),
    `DELETE /video-audio-jobs/delete/${ID}`,
    "delete",
    "free",
  ],
  ["deleteH3Job", (api) => api.deleteH3Job(ID), `DELETE /vendor-h3-jobs/delete/${ID}`, "delete", "free"],
  ["deleteVid3Job", (api) => api.deleteVid3Job(ID), `DELETE /vid3-ref2v-jobs/delete/${ID}`, "delete", "free"],
  [
    "deleteUpscaleJob",
    (api) => api.deleteUpscaleJob(ID),
    `DELETE /image-upscale-jobs/delete/${ID}`,
    "delete",
    "free",
  ],
];

/** What every method can read. */
const ANYTHING = {
  success: true,
  job_id: ID,
  status: "submitted",
  jobs: [],
  template: {},
  image_base64: "aQ==",
  mask_base64: "bQ==",
  status_url: "https://service.example/jobs/1",
};

describe("every endpoint of section 4", () => {
  it("has a method here", () => {
    const methods = new Set<string>();
    for (
      let level: object = MediaApi.prototype;
      level !== Object.prototype;
      level = Object.getPrototypeOf(level)
    )
      for (const name of Object.getOwnPropertyNames(level)) methods.add(name);
    // These are no endpoints, and tested below.
    const others = ["constructor", "close", "submit", "download", "vid3VideoUrl", "imgproImageUrl"];
    expect(new Set([...ENDPOINTS.map(([method]) => method), ...others])).toEqual(methods);
  });

  it.each(ENDPOINTS)("%s: first path, key, rate group and cost", async (_, call, request, group, paid) => {
    await using server = await serve(json(ANYTHING));
    const calls: GatedCall[] = [];
    const gate = <T>(turn: GatedCall, send: () => Promise<T>): Promise<T> => {
      calls.push(turn);
      return send();
    };
    const [method = "", path = ""] = request.split(" ");
    for (const baseUrl of [server.baseUrl, `${server.baseUrl}/`]) {
      await using used = client(baseUrl, { gate });
      await call(used.api);
    }
    const seen = server.requests.map(({ method, path }) => `${method} ${path}`);
    expect(seen).toEqual([`${method} /api${path}`, `${method} /api${path}`]);
    expect(calls).toMatchObject([1, 2].map(() => ({ group, method, paid: paid === "paid" })));
    for (const { headers, path } of server.requests) {
      expect(headers["x-api-key"]).toBe(KEY);
      expect(path).not.toContain(KEY);
      expect(headers["content-type"]).toBe(method === "POST" ? "application/json" : undefined);
      expect(Number(headers["content-length"] ?? 0) > 0).toBe(method === "POST");
    }
  });

  it("never fetches nor shows the page behind status_url", async () => {
    await using server = await serve(json(ANYTHING));
    await using used = client(server.baseUrl);
    const { raw, ...submitted } = await used.api.generateFaceswap(FACESWAP);
    expect(raw).toHaveProperty("status_url");
    expect(JSON.stringify(submitted)).not.toContain("https:");
    expect(server.requests).toHaveLength(1);
  });
});

describe("downloads of the API", () => {
  it("carry the key in a header and stream the file", async () => {
    await using server = await serve(answer(200, "the film", { "content-type": "video/mp4" }));
    await using used = client(server.baseUrl);
    for (const { stream, type } of [await used.api.vid3Video(ID), await used.api.imgproImage(ID)])
      expect([await text(stream), type]).toEqual(["the film", "video/mp4"]);
    for (const { headers } of server.requests)
      expect(headers).toMatchObject({ "x-api-key": KEY, accept: "*/*" });
  });

  it("have addresses below the base URL, without the key", async () => {
    await using used = client("https://service.example/v7/api/");
    expect(used.api.vid3VideoUrl(ID)).toBe(`https://service.example/v7/api/vid3-ref2v/${ID}/video`);
    expect(used.api.imgproImageUrl(ID)).toBe(`https://service.example/v7/api/imgpro-jobs/${ID}/image`);
    expect(used.api.vid3VideoUrl("../user/info")).toBe(
      "https://service.example/v7/api/vid3-ref2v/..%2Fuser%2Finfo/video",
    );
  });
});

/** Ids of another shape than the contract's, each in one segment of a path. */
const ODD_IDS = [
  "../x",
  "a/b?c",
  "a%2fb",
  "%2e%2e",
  "delete-all",
  "job 7 #1",
  "zażółć-🎬",
  "...",
  "x".repeat(2_000),
];

describe("an id", () => {
  it.each(ODD_IDS)("is asked for as it is: %j", async (id) => {
    await using server = await serve(json({ ...ANYTHING, job_id: id }));
    await using used = client(server.baseUrl);
    const { api } = used;
    await Promise.all([api.job(id), api.imgproJob(id), api.jobSettings(id), api.vid3Video(id)]);
    const segments = server.requests.map(({ path }) => new URL(path, "http://host").pathname.split("/"));
    expect(segments.map((parts) => parts[3]).map((part) => decodeURIComponent(part ?? ""))).toEqual(
      Array.from({ length: 4 }, () => id),
    );
  });

  it.each(["", ".", "..", "\ud83c", "x".repeat(2_001), "🎬".repeat(200)])(
    "that no path can hold is not found: %j",
    async (id) => {
      await using server = await serve(json(ANYTHING));
      await using used = client(server.baseUrl);
      const { api } = used;
      for (const call of [api.job(id), api.imgproJob(id), api.jobSettings(id), api.vid3Video(id)])
        await expect(call).rejects.toBeInstanceOf(NotFound);
      expect(() => api.vid3VideoUrl(id)).toThrow("not_found");
      expect(server.requests).toHaveLength(0);
    },
  );

  it.each(["delete-all", "Delete-All", "delete", "..", "a/b", "a%2fb", "..\\delete-all", "a\nb", ""])(
    "that something between might read as another path deletes nothing: %j",
    async (id) => {
      await using server = await serve(json(ANYTHING));
      await using used = client(server.baseUrl);
      const { api } = used;
      for (const call of [api.deleteVideoJob(id), api.deleteH3Job(id)])
        await expect(call).rejects.toMatchObject({ code: "field_invalid", params: { field: "id" } });
      expect(server.requests).toHaveLength(0);
    },
  );

  it("of another shape is deleted as it is", async () => {
    await using server = await serve(json(ANYTHING));
    await using used = client(server.baseUrl);
    await used.api.deleteH3Job("job 7?#1");
    expect(server.requests.map(({ path }) => path)).toEqual(["/api/vendor-h3-jobs/delete/job%207%3F%231"]);
  });
});
