import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { PageMessage } from "../../../../adapters/web/wire.ts";
import { history, post } from "../support/client.ts";
import { startSite, type Site } from "../support/site.ts";
import { APP, cookieOf, opens, PUBLIC, signIn, ticketFor, visit } from "../support/visitor.ts";

let site: Site;
let leave: AbortController;
beforeEach(async () => {
  leave = new AbortController();
  site = await startSite({ env: PUBLIC });
});
afterEach(async () => {
  leave.abort();
  await site.close();
});

type Headers = Readonly<Record<string, string>>;

/** Follows somebody's conversation. @returns what their window was sent so far, and whether that ended */
async function follow(headers: Headers) {
  const { body } = await fetch(`${site.url}${APP}/web/events`, { headers, signal: leave.signal });
  const heard = { text: "", isOver: false };
  const listen = async () => {
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) heard.text += chunk;
    heard.isOver = true;
  };
  // Left when the test is over.
  listen().catch(() => undefined);
  await expect.poll(() => heard.text).toContain("event: history");
  return heard;
}

describe("a device that is logged out", () => {
  it.each<[string, (device: Headers, other: Headers) => Promise<unknown>]>([
    ["by itself", (device) => post(site.url, `${APP}/web/logout`, {}, device)],
    [
      "by another",
      async (_, headers) => {
        const answer = await fetch(`${site.url}${APP}/web/devices`, { headers });
        const devices = (await answer.json()) as { id: string; current: boolean }[];
        const id = devices.find(({ current }) => !current)?.id;
        const origin = { origin: site.url };
        await fetch(`${site.url}${APP}/web/devices/${id}`, {
          method: "DELETE",
          headers: { ...headers, ...origin },
        });
      },
    ],
    [
      "by whoever comes next",
      async ({ cookie }) => signIn(site.url, { ticket: await ticketFor(site, "telegram:222") }, cookie),
    ],
  ])("%s hears nothing more, whatever window it left open", async (_, end) => {
    const [device, other] = [await visit(site, "telegram:111"), await visit(site, "telegram:111")];
    const [left, stays] = [await follow(device), await follow(other)];
    await end(device, other);
    await post(site.url, `${APP}/web/command/image`, { values: { prompt: "heron at dawn" } }, other);
    await expect.poll(() => stays.text).toContain("heron at dawn");
    await expect.poll(() => left.isOver).toBe(true);
    expect(left.text).not.toContain("heron at dawn");
  });
});

it("reads a conversation however long its words are", async () => {
  const memory = site.memoryFor("web", "telegram:111");
  const prompt = "swan on a lake ".repeat(300);
  const body = { kind: "request", command: "image", values: { prompt } } as const;
  for (let at = 1; at <= 300; at++)
    await memory.set(`message:${at}`, { id: String(at), from: "person", at, body } satisfies PageMessage);
  const headers = await visit(site, "telegram:111");
  expect(await history(site.url, headers, APP)).toHaveLength(300);
});

it("lets nobody fill the list of their devices: the one that was used longest ago is out", async () => {
  const [first, ben] = [await visit(site, "telegram:111"), await visit(site, "telegram:222")];
  let last: Headers = first;
  for (let nth = 0; nth < 64; nth++)
    last = { cookie: cookieOf(await signIn(site.url, { initData: opens(111) })) };
  const devices = async (headers: Headers) => fetch(`${site.url}${APP}/web/devices`, { headers });
  expect(await (await devices(last)).json()).toHaveLength(64);
  expect((await devices(first)).status).toBe(401);
  expect((await devices(ben)).status).toBe(200);
});
