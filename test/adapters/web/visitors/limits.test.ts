import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { PHOTO } from "../support/client.ts";
import { APP, PUBLIC, visit } from "../support/visitor.ts";
import { startWhole, type WholeSite } from "../support/whole.ts";

let site: WholeSite;
let photo: Buffer;
beforeEach(async () => {
  // A minute lasts as long as a test does, however slow the machine is.
  vi.useFakeTimers({ toFake: ["Date"] });
  site = await startWhole(PUBLIC);
  photo = await readFile(PHOTO);
});
afterEach(async () => {
  vi.useRealTimers();
  await site[Symbol.asyncDispose]();
});

interface Visitor {
  readonly cookie: string;
}

/** Gives a file. @param nth one differs from every other one */
function give(visitor: Visitor, nth: number, type = "image/jpeg", signal?: AbortSignal): Promise<Response> {
  // What stands behind a picture's end is looked at by nobody.
  const body = new Uint8Array(Buffer.concat([photo, Buffer.alloc(nth)]));
  const headers = { ...visitor, origin: site.url, "content-type": type };
  return fetch(`${site.url}${APP}/web/media`, { method: "POST", headers, body, ...(signal && { signal }) });
}

const idOf = async (answer: Response) => ((await answer.json()) as { media: { id: string } }).media.id;
const statusOf = async (visitor: Visitor, id: string) =>
  (await fetch(`${site.url}${APP}/web/media/${id}`, { headers: { ...visitor } })).status;

describe("a visitor", () => {
  it("fills no disk: of what waits unused the oldest goes, and a minute holds no more than sixty", async () => {
    const ann = await visit(site, "telegram:111");
    const ids: string[] = [];
    for (let nth = 0; nth < 60; nth++) ids.push(await idOf(await give(ann, nth)));
    expect(await statusOf(ann, ids[0] ?? "")).toBe(404);
    expect(await statusOf(ann, ids[9] ?? "")).toBe(404);
    expect(await statusOf(ann, ids[10] ?? "")).toBe(200);
    expect(await statusOf(ann, ids[59] ?? "")).toBe(200);
    const refused = await give(ann, 60);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({ code: "too_many_requests", params: { max: 60 } });
    expect((await give(await visit(site, "telegram:222"), 0)).status).toBe(201);
  });

  it("holds no more than six uploads open", async () => {
    const [ann, ben] = [await visit(site, "telegram:111"), await visit(site, "telegram:222")];
    const slow = new AbortController();
    const headers = { ...ann, origin: site.url, "content-type": "image/jpeg" };
    // Bodies that never end.
    const open = Array.from({ length: 6 }, () =>
      fetch(`${site.url}${APP}/web/media`, {
        method: "POST",
        headers,
        body: new ReadableStream({ start: (stream) => stream.enqueue(new Uint8Array(photo)) }),
        duplex: "half",
        signal: slow.signal,
      }).catch(() => undefined),
    );
    await expect
      .poll(async () => (await give(ann, 1)).json())
      .toMatchObject({ code: "too_many_open", params: { max: 6 } });
    expect((await give(ben, 2)).status).toBe(201);
    slow.abort();
    await Promise.all(open);
    await expect.poll(async () => (await give(ann, 3)).status).toBe(201);
  });

  it("asks no more than a page would, and keeps nobody else from asking", async () => {
    const [ann, ben] = [await visit(site, "telegram:111"), await visit(site, "telegram:222")];
    const ask = (visitor: Visitor) => fetch(`${site.url}${APP}/web/devices`, { headers: { ...visitor } });
    const statuses: number[] = [];
    for (let nth = 0; nth < 60; nth++)
      statuses.push(...(await Promise.all(Array.from({ length: 20 }, async () => (await ask(ann)).status))));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1_200);
    expect((await ask(ann)).status).toBe(429);
    expect((await ask(ben)).status).toBe(200);
  });

  it("takes no picture from others by giving the same one as something that is refused", async () => {
    const [ann, ben] = [await visit(site, "telegram:111"), await visit(site, "telegram:222")];
    const id = await idOf(await give(ann, 0));
    expect((await give(ben, 0, "audio/mpeg")).status).toBe(400);
    expect(await statusOf(ann, id)).toBe(200);
    expect(await statusOf(ben, id)).toBe(404);
  });
});
