import { afterEach, expect, it, vi } from "vitest";
import { Presses } from "../../../adapters/web/serving/presses.ts";
import type { Memory } from "../../../src/common/memory.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import { PATIENCE_MS } from "../../support/patience.ts";
import { history, post } from "./support/client.ts";
import { FakeCore } from "./support/fakeCore.ts";
import { startSite, type Site } from "./support/site.ts";
import { APP, PUBLIC, visit } from "./support/visitor.ts";

afterEach(() => void vi.restoreAllMocks());

/** From now on presses come to no end, as in a process that is killed in the middle. @returns how many there were */
function hold(): () => number {
  const held = vi.spyOn(FakeCore.prototype, "act").mockImplementation(() => new Promise(() => {}));
  return () => held.mock.calls.length;
}

const ME: Origin = { platform: "web", user: "web:me", address: {}, locale: "en", audience: "private" };

const everything = () => `delete-all-now:${Date.now() + 60_000}`;

/** What is kept of presses. */
async function kept(memory: Memory): Promise<readonly string[]> {
  return (await memory.entries("pressed:")).map(([key]) => key);
}

const untilKept = ({ memory }: Site, count: number) =>
  vi.waitFor(async () => expect(await kept(memory)).toHaveLength(count), PATIENCE_MS);

it.each(["/act", "/aside/act"])(
  "what is taken away for good by %s goes on in the next process, as old as it is, and is answered once",
  async (path) => {
    const asked = hold();
    const site = await startSite();
    const [before, token] = [Date.now(), everything()];
    const press = () => post(site.url, `/web${path}`, { token }).catch(() => undefined);
    void press();
    await untilKept(site, 1);
    const after = Date.now();
    void press();
    await vi.waitFor(() => expect(asked()).toBe(2), PATIENCE_MS);
    await site.stop();
    // In that one, too.
    const { data } = site;
    const next = await startSite({ data });
    await vi.waitFor(() => expect(asked()).toBe(3), PATIENCE_MS);
    await next.stop();
    vi.restoreAllMocks();

    const last = await startSite({ data });
    await untilKept(last, 0);
    expect(await history(last.url)).toHaveLength(1);
    expect(last.core.heard).toMatchObject([{ name: "delete-all-now", origin: { user: "web:me" } }]);
    const [at = 0] = last.core.heard.map(({ origin }) => origin.pressedAt);
    expect(at).toBeGreaterThanOrEqual(before);
    expect(at).toBeLessThanOrEqual(after);
    await last.close();
  },
);

it("who is signed out by it is forgotten and told, and nothing is left of the press, which is there until then", async () => {
  const env = PUBLIC;
  hold();
  const site = await startSite({ env });
  const headers = await visit(site, "telegram:111");
  const token = `forget-now:${Date.now() + 60_000}`;
  void post(site.url, `${APP}/web/act`, { token }, headers).catch(() => undefined);
  await untilKept(site, 1);
  await site.stop();

  const started = Promise.withResolvers<Site>();
  let meanwhile: readonly string[] = [];
  vi.spyOn(FakeCore.prototype, "act").mockImplementation(async ({ user, address }) => {
    const { surface, memory } = await started.promise;
    await surface.forget(user);
    meanwhile = await kept(memory);
    await surface.deliver(address, { kind: "notice", text: { key: "forget.done" } });
  });
  const next = await startSite({ data: site.data, env });
  started.resolve(next);
  await untilKept(next, 0);
  expect(meanwhile).toHaveLength(1);
  expect((await fetch(`${next.url}${APP}/web/session`, { headers })).status).toBe(401);
  const back = await visit(next, "telegram:111");
  expect((await history(next.url, back, APP)).map(({ body }) => body)).toMatchObject([
    { kind: "notice", text: { key: "forget.done" } },
  ]);
  await next.close();
});

it("what another process works on is left to it, and goes on here once that is gone", async () => {
  const site = await startSite();
  const gone = { name: "1", origin: ME, token: everything(), at: 1, runner: "a" };
  const working = { ...gone, name: "2", token: `forget-now:${Date.now() + 60_000}`, runner: "b" };
  for (const one of [gone, working]) await site.memory.set(`pressed:${one.name}`, one);
  await site.stop();

  const { data } = site;
  const next = await startSite({ data, living: ["b"] });
  await untilKept(next, 1);
  expect(next.core.heard.map(({ name }) => name)).toEqual(["delete-all-now"]);
  next.core.living.clear();
  await untilKept(next, 0);
  expect(next.core.heard.map(({ name }) => name)).toEqual(["delete-all-now", "forget-now"]);
  await next.close();
});

it("what another process left goes when its person is forgotten", async () => {
  const site = await startSite();
  for (const user of ["web:me", "telegram:111"])
    await site.memory.set(`pressed:${user}`, { name: user, origin: { user }, token: everything(), at: 1 });
  await site.surface.forget("telegram:111");
  expect(await kept(site.memory)).toEqual(["pressed:web:me"]);
  await site.close();
});

it("only what takes something away for good is kept, and no longer than until it is answered", async () => {
  const site = await startSite();
  const asked: number[] = [];
  vi.spyOn(site.core, "command").mockImplementation(async () => {
    asked.push((await kept(site.memory)).length);
    return true;
  });
  for (const token of ["show:1", "delete-now:1", "delete-here:1", everything(), "forget-all:1"])
    await post(site.url, "/web/act", { token });
  expect(asked).toEqual([0, 1, 1, 1, 1]);
  expect(await kept(site.memory)).toEqual([]);
  await site.close();
});

/** A press that takes longer than whoever pressed waits. */
async function begun() {
  const site = await startSite();
  const { promise: end, resolve, reject } = Promise.withResolvers<void>();
  const failed = vi.fn<(error: unknown) => void>();
  const { runners } = site.core;
  const rules = { isForGood: () => true, press: () => end, runners: () => runners, failed };
  const presses = new Presses(site.memory, rules, 1);
  await presses.begin(ME, everything());
  expect(await kept(site.memory)).toHaveLength(1);
  return { site, resolve, reject, failed };
}

it("who presses in the conversation is answered before it is done where that takes long, and it goes on", async () => {
  const { site, resolve, failed } = await begun();
  resolve();
  await untilKept(site, 0);
  expect(failed).not.toHaveBeenCalled();
  await site.close();
});

it("what comes to no end after that is heard of, and stays for the next process", async () => {
  const { site, reject, failed } = await begun();
  const why = new Error("the disk is away");
  reject(why);
  await vi.waitFor(() => expect(failed).toHaveBeenCalledExactlyOnceWith(why), PATIENCE_MS);
  expect(await kept(site.memory)).toHaveLength(1);
  await site.close();
});

it.each([
  ["/act", "begin"],
  ["/aside/act", "press"],
] as const)("%s waits as `%s` does", async (path, how) => {
  const site = await startSite();
  const asked = vi.spyOn(Presses.prototype, how);
  await post(site.url, `/web${path}`, { token: everything() });
  expect(asked).toHaveBeenCalled();
  await site.close();
});
