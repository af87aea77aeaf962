import { expect, it, vi } from "vitest";
import { type Arrived, arrivedRequests } from "../../../adapters/web/serving/arrived.ts";
import { history, post } from "./support/client.ts";
import { startSite } from "./support/site.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

it("a request goes on in the next process where the first ended before it was heard, once", async () => {
  const site = await startSite();
  // As a kill between the message and the job: nothing of what follows happens, and nobody is told.
  site.core.run = () => new Promise(() => {});
  const values = { prompt: "slow zoom" };
  const asking = { values, agreed: ["terms"], draft: "a", price: 4.5 };
  void post(site.url, "/web/command/image", asking).catch(() => undefined);
  await vi.waitFor(async () => expect(await history(site.url)).toHaveLength(1), PATIENCE_MS);
  await site.stop();

  const next = await startSite({ data: site.data });
  await vi.waitFor(async () => {
    const kinds = (await history(next.url)).map(({ body }) => body.kind);
    expect(kinds).toEqual(["request", "result"]);
  }, PATIENCE_MS);
  expect(next.core.heard).toMatchObject([
    { name: "image", values, origin: { user: "web:me", agreed: ["terms"], price: 4.5 } },
  ]);
  const [{ origin } = { origin: undefined }] = next.core.heard;
  // Pressed again there, it is the same request, and the core makes one job of that.
  await post(next.url, "/web/command/image", asking);
  expect(next.core.heard.map((heard) => heard.origin.request)).toEqual([origin?.request, origin?.request]);
  await next.stop();

  const last = await startSite({ data: site.data });
  await vi.waitFor(async () => expect(await history(last.url)).not.toHaveLength(0), PATIENCE_MS);
  expect(last.core.heard).toEqual([]);
  await last.close();
});

/** A request as it is kept. */
const one = (request: string): Arrived => ({
  origin: { request, platform: "web", user: "web:me", address: {}, locale: "en", audience: "private" },
  command: "image",
  values: {},
  bubble: request,
});

it("one that is left is taken over by one process of several, by the first after a version that named none, too", async () => {
  const site = await startSite();
  const of = (id: string, gone: readonly string[]) =>
    arrivedRequests(site.memory, () => ({ id, goneAmong: async () => gone }));
  await of("a", []).keep(one("1"));
  await site.memory.set("arrived:2", one("2"));
  expect((await of("b", []).takeOver()).map(({ bubble }) => bubble)).toEqual(["2"]);
  // By now both have seen that it is gone.
  const both = await Promise.all([of("b", ["a"]), of("c", ["a", "b"])].map((taker) => taker.takeOver()));
  expect(both.flat().filter(({ bubble }) => bubble === "1")).toHaveLength(1);
  expect(await of("d", []).takeOver()).toEqual([]);
  await site.close();
});
