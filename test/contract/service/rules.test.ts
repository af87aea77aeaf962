import { afterAll, afterEach, describe, expect, it } from "vitest";
import { MediaApi } from "../../../src/infrastructure/api/media-api.ts";
import { OPERATIONS, operationOf } from "../../../src/domain/operations/registry.ts";
import { json, serve } from "../../infrastructure/api/server.ts";
import { callsWith } from "./calls.ts";
import { makerOver, operating } from "./makers.ts";
import { HOSTS, NO_JOB } from "./service.ts";
import { type Endpoint, ENDPOINTS, LISTED_TYPES, STATES } from "./table.ts";

const service = await operating();
const { sandbox, hosts, material, wire, maker, least, make } = service;
afterAll(() => service[Symbol.asyncDispose]());
// Slots are few.
afterEach(() => maker.api.deleteAllJobs());

describe("on every request", () => {
  const calls = callsWith(material);

  it.each(HOSTS)("the base URL already ends in /api: no doubled segment (%s host)", async (host) => {
    const base = wire.through(hosts[host]);
    for (const baseUrl of [base, `${base}/`]) {
      await using used = makerOver(wire, baseUrl, sandbox.keys.boss);
      for (const [name, call] of calls) {
        const before = wire.recorded.length;
        // What does not exist, and what this host does not have, is asked for all the same.
        await call(used.api, NO_JOB).catch(() => undefined);
        const { method, path }: Endpoint = ENDPOINTS[name];
        const { pathname } = new URL(base);
        const [asked, ...others] = wire.recorded.slice(before);
        expect([asked?.method, asked?.path.replace(/\?.*/, "")]).toEqual([
          method,
          pathname + path.replace("{id}", NO_JOB),
        ]);
        expect(others).toEqual([]);
      }
    }
  });

  it("X-API-Key goes along, GETs and downloads too, and never in a URL", async () => {
    const key = sandbox.keys.ultra;
    const before = wire.recorded.length;
    await using used = makerOver(wire, wire.through(hosts["full-catalog"]), key);
    for (const [, call] of calls) await call(used.api, NO_JOB).catch(() => undefined);
    for (const url of ["/results/a.mp4", wire.through(`${hosts.primary}/vid3-ref2v/${NO_JOB}/video`)])
      await used.api.download(url).catch(() => undefined);
    const asked = wire.recorded.slice(before);
    expect(new Set(asked.map(({ method }) => method))).toEqual(new Set(["GET", "POST", "DELETE"]));
    expect(asked.length).toBe(calls.length + 2);
    for (const { path, headers } of asked) {
      expect(headers["x-api-key"], path).toBe(key);
      expect(path).not.toContain(key);
    }
  });
});

describe("statuses and answers", () => {
  it("are `submitted` from a POST, `SUBMITTED` in records; inpaint answers `IN_PROGRESS`", async () => {
    for (const { id } of OPERATIONS) {
      const { submitted } = await make(id);
      expect(submitted.status, id).toBe(id === "inpaint" ? "IN_PROGRESS" : "submitted");
    }
    const { jobs } = await maker.api.jobs();
    const [submittedState, running] = STATES;
    expect(new Set(jobs.map(({ status }) => status))).toEqual(new Set([running, submittedState]));
    expect(new Set(jobs.map(({ state }) => state))).toEqual(new Set(["running"]));
  });

  it("of inpaint have no `remaining_tokens`; all others that are shown have", async () => {
    for (const { id } of OPERATIONS) {
      const { submitted } = await make(id);
      expect(submitted.cost, id).toBeGreaterThan(0);
      expect(submitted.remaining === null, id).toBe(id === "inpaint");
    }
  });

  it("of image, edit and faceswap come without `message`", async () => {
    for (const id of ["image", "image-edit", "faceswap"]) {
      const { submitted } = await make(id);
      expect(submitted.raw, id).not.toHaveProperty("message");
      expect(submitted.id).toMatch(/^[0-9a-f-]{36}$/);
    }
  });

  it("vid3's record says `id`, not `job_id`", async () => {
    const { submitted } = await make("vid3");
    const record = await maker.api.vid3Job(submitted.id);
    expect(record.raw).not.toHaveProperty("job_id");
    expect(record).toMatchObject({ id: submitted.id, state: "running" });
  });

  it.each([
    [{ job_id: NO_JOB }, { job_id: NO_JOB, status: "COMPLETED", image_url: "/a.png" }],
    [
      { id: NO_JOB, token_cost: 1.22 },
      { id: NO_JOB, status: "completed", url: "/a.png" },
    ],
    [{ success: true, job: { id: NO_JOB } }, { job: { status: "COMPLETED", result_urls: ["/a.png"] } }],
    [
      { job_id: NO_JOB, more: [] },
      { status: "COMPLETED", image_url: "/a.png", more: {} },
    ],
  ])("image pro's are not shown at all: read leniently (%j)", async (answer, record) => {
    await using server = await serve(json(answer), json(record));
    const api = new MediaApi({ baseUrl: server.baseUrl, key: sandbox.keys.pro });
    expect(await api.generateImgproReference({ prompt: "slow zoom", images: ["aGk="] })).toMatchObject({
      id: NO_JOB,
    });
    expect(await api.imgproJob(NO_JOB)).toMatchObject({
      id: NO_JOB,
      state: "completed",
      imageUrl: "/a.png",
    });
    await api.close();
  });
});

describe("where jobs are", () => {
  it("vid3 and image pro have their own status and download paths and are no unified types", async () => {
    for (const [id, record, download] of [
      ["vid3", "/vid3-ref2v-jobs/", /\/api\/vid3-ref2v\/[^/]+\/video$/],
      ["imgpro-edit", "/imgpro-jobs/", /\/api\/imgpro-jobs\/[^/]+\/image$/],
      ["imgpro-reference", "/imgpro-jobs/", /\/api\/imgpro-jobs\/[^/]+\/image$/],
    ] as const) {
      const { submitted } = await make(id);
      const before = wire.recorded.length;
      const { videoUrl, imageUrl, resultUrls } = await operationOf(id).read(maker.api, submitted.id);
      expect(wire.recorded.slice(before).map(({ path }) => path)).toEqual([`/api${record}${submitted.id}`]);
      expect([videoUrl ?? imageUrl, ...resultUrls]).toEqual([expect.stringMatching(download)]);
      await expect(maker.api.job(submitted.id)).rejects.toMatchObject({ code: "not_found" });
    }
  });

  it("listed for standard users are video, video_audio and image_edit only", async () => {
    await using standard = makerOver(wire, wire.through(hosts.primary), sandbox.addAccount("lists", "ultra"));
    for (const { id } of OPERATIONS) await standard.make(id, least[id] ?? {});
    const { jobs } = await standard.api.jobs();
    expect(new Set(jobs.map(({ type }) => type))).toEqual(new Set(LISTED_TYPES));
    const listed = OPERATIONS.filter((operation) => operation.listed);
    expect(new Set(listed.map(({ type }) => type))).toEqual(new Set(LISTED_TYPES));
  });
});
