import { readFileSync } from "node:fs";
import { afterAll, describe, expect, it } from "vitest";
import { caller, textOf } from "../../sandbox/call.ts";
import { tinyClip } from "../../support/sandbox.ts";
import { emulated, ended, GENERATING, HOSTS, type Name, pathsOf } from "./service.ts";
import { misfits } from "./shapes.ts";
import { answers, type Endpoint, ENDPOINTS, RECORDS, type Shown } from "./table.ts";

const running = await emulated("running");
const ending = await emulated("ending");
afterAll(async () => {
  await running.sandbox.stop();
  await ending.sandbox.stop();
});

/** What an endpoint makes: its type in the unified record, its own record and download, how it is deleted. */
interface Product {
  readonly type?: keyof typeof RECORDS;
  readonly own?: Name;
  readonly download?: Name;
  readonly remove?: Name;
  readonly kind: "video" | "image";
}

const PRODUCTS: Readonly<Partial<Record<Name, Product>>> = {
  generateVideo: { type: "video", remove: "deleteVideoJob", kind: "video" },
  generateVideoAudio: { type: "video_audio", remove: "deleteVideoAudioJob", kind: "video" },
  generateH3: { type: "vendor_h3", own: "h3Job", remove: "deleteH3Job", kind: "video" },
  generateVid3: { own: "vid3Job", download: "vid3Video", remove: "deleteVid3Job", kind: "video" },
  generateImage: { type: "image", remove: "deleteImageJob", kind: "image" },
  generateImageEdit: { type: "image_edit", remove: "deleteImageEditJob", kind: "image" },
  generateInpaint: { type: "image_edit", remove: "deleteImageEditJob", kind: "image" },
  generateFaceswap: { type: "faceswap", own: "faceswapJob", remove: "deleteFaceswapJob", kind: "image" },
  generateImgproEdit: { own: "imgproJob", download: "imgproImage", kind: "image" },
  generateImgproReference: { own: "imgproJob", download: "imgproImage", kind: "image" },
};

const MADE = GENERATING.map(({ name, endpoint }) => {
  const product = PRODUCTS[name];
  if (!product) throw new Error(`What does ${name} make?`);
  return { name, endpoint, product };
});

const POSTS = MADE.flatMap(({ name, endpoint, product }) =>
  HOSTS.flatMap((host) => pathsOf(endpoint).map((path) => ({ name, endpoint, product, host, path }))),
);

/** The paths of an endpoint for one job. */
function pathsFor(name: Name | undefined, id: string): readonly string[] {
  return name === undefined ? [] : pathsOf(ENDPOINTS[name]).map((path) => path.replace("{id}", id));
}

/** What a record has to look like; image pro's is not shown, and an H3 job's own one not all of it. */
function recordMisfits({ type, own }: Product, state: "running" | "completed", record: unknown): string[] {
  return type ? misfits(RECORDS[type][state], record) : ownMisfits(own, record);
}

function ownMisfits(own: Name | undefined, record: unknown): string[] {
  const { answer = {} }: { answer?: Shown } = own ? (ENDPOINTS[own] as Endpoint) : {};
  return misfits(answer, record, own === "faceswapJob" ? "refused" : "allowed");
}

describe("a submission", () => {
  it.each(POSTS)("$path on the $host host", async ({ name, endpoint, product, host, path }) => {
    const call = running.as("boss", host);
    const { status, body } = await call("POST", path, running.body(name));
    expect(status).toBe(200);
    // What image pro answers is not shown: it has to name a job.
    const { answer = { job_id: "id" } } = endpoint;
    expect(misfits(answer, body, endpoint.answer ? "refused" : "allowed")).toEqual([]);

    const id = textOf(body["job_id"]);
    for (const unified of pathsFor("job", id)) {
      const record = await call("GET", unified);
      expect(record.status, unified).toBe(product.type ? 200 : 404);
      expect(product.type ? recordMisfits(product, "running", record.body) : [], unified).toEqual([]);
    }
    for (const own of pathsFor(product.own, id)) expect((await call("GET", own)).status, own).toBe(200);
    for (const download of pathsFor(product.download, id))
      expect((await call("GET", download)).status, download).toBe(404);
  });

  it.each(MADE)("fills in what was left out: $name", async ({ name, endpoint, product }) => {
    const call = running.as("ultra");
    const { body } = await call("POST", endpoint.path, running.body(name));
    const shown = { ...body };
    for (const path of [
      ...pathsFor(product.own, textOf(body["job_id"])),
      ...pathsFor("job", textOf(body["job_id"])),
    ])
      Object.assign(shown, (await call("GET", path)).body);
    const defaults = Object.entries(endpoint.body ?? {}).flatMap(([field, { default: initial }]) =>
      field in shown && initial !== undefined && typeof initial !== "object" ? [[field, initial]] : [],
    );
    expect(shown).toMatchObject(Object.fromEntries(defaults));
  });
});

/** Requests whose results are small, so that they are drawn quickly. */
const SMALL: Readonly<Partial<Record<Name, object>>> = {
  generateImage: { width: 64, height: 64 },
  generateImageEdit: { width: 64, height: 64 },
};

describe.concurrent("a job that has ended", () => {
  it.each(MADE)("shows and gives its result, and is deleted: $name", async ({ name, endpoint, product }) => {
    const call = ending.as("boss");
    const submitted = await call("POST", endpoint.path, ending.body(name, { ...SMALL[name] }));
    const id = textOf(submitted.body["job_id"]);
    const [first = ""] = pathsFor(product.type ? "job" : product.own, id);
    const record = await ended(call, first);
    expect(record["status"]).toBe("COMPLETED");
    for (const host of HOSTS) {
      for (const path of pathsFor(product.type && "job", id))
        expect(
          recordMisfits(product, "completed", (await ending.as("boss", host)("GET", path)).body),
        ).toEqual([]);
      for (const path of pathsFor(product.own, id))
        expect(ownMisfits(product.own, (await ending.as("boss", host)("GET", path)).body)).toEqual([]);
    }

    const url = new URL(textOf(record[`${product.kind}_url`]), ending.sandbox.url);
    const file = await fetch(url, { headers: { "x-api-key": ending.sandbox.keys.boss } });
    expect(file.headers.get("content-type")).toMatch(`${product.kind}/`);
    const content = Buffer.from(await file.arrayBuffer());
    expect(product.kind === "image" || content.equals(readFileSync(tinyClip()))).toBe(true);
    const inline = record[`${product.kind}_base64`];
    expect(inline === undefined || textOf(inline).endsWith(content.toString("base64"))).toBe(true);
    for (const path of pathsFor(product.download, id)) await needsKey(path, content);

    await expectDeletable(product, id);
  });
});

/** A download path gives a file to its owner's key alone. */
async function needsKey(path: string, content: Buffer): Promise<void> {
  const { keys } = ending.sandbox;
  for (const url of Object.values(ending.hosts)) {
    const own = await fetch(url + path, { headers: { "x-api-key": keys.boss } });
    expect(Buffer.from(await own.arrayBuffer()).equals(content)).toBe(true);
    expect((await caller(url, undefined)("GET", path)).status).toBe(401);
    expect((await caller(url, keys.pro)("GET", path)).status).toBe(404);
  }
}

/** A job is deleted by its own endpoint, on every path of it, once; image pro has none. */
async function expectDeletable({ type, own, remove }: Product, id: string): Promise<void> {
  const call = ending.as("boss");
  const [record = ""] = pathsFor(type ? "job" : own, id);
  const deletes = GENERATING.flatMap(({ name }) => PRODUCTS[name]?.remove ?? []).filter(
    (name) => name !== remove,
  );
  for (const other of deletes) {
    const [path = ""] = pathsFor(other, id);
    expect((await call("DELETE", path)).status, `by ${other}`).toBe(404);
  }
  expect((await call("GET", record)).status).toBe(200);
  if (!remove) return;
  const [path = ""] = pathsFor(remove, id);
  expect((await ending.as("pro")("DELETE", path)).status, "by another account").toBe(404);
  const deleted = await call("DELETE", path);
  expect(misfits(answers.DELETED, deleted.body)).toEqual([]);
  expect(deleted).toMatchObject({ status: 200, body: { success: true } });
  expect((await call("GET", record)).status).toBe(404);
  expect((await call("DELETE", path)).status).toBe(404);
}
