import { Webhook } from "standardwebhooks";
import { describe, expect, it } from "vitest";
import { ACME, allDone, HOUR, MINUTE, OTHER, receiver, says, SECOND, harness, tried } from "./harness.ts";

const completed = { events: ["job.completed"] } as const;

describe("a message", () => {
  it("arrives at once, signed, as Standard Webhooks wants it", async () => {
    await using hook = await receiver();
    await using acme = await harness();
    acme.dispatcher.start();
    const { endpoint, secret } = await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.tell({ data: { id: "j1", prompt: "Zażółć 🎬" } });
    const [delivery] = await acme.log(allDone);
    const [message] = hook.arrived;
    expect(hook.arrived).toHaveLength(1);
    expect(
      new Webhook(secret).verify(message?.body ?? "", message?.headers as Record<string, string>),
    ).toEqual({
      type: "job.completed",
      timestamp: new Date(acme.now()).toISOString(),
      data: { id: "j1", prompt: "Zażółć 🎬" },
    });
    expect(message?.headers["content-type"]).toBe("application/json");
    expect(delivery).toEqual({
      id: message?.id,
      endpoint: endpoint.id,
      url: hook.url,
      type: "job.completed",
      job: "j1",
      state: "delivered",
      attempts: [{ at: acme.now(), status: 200, error: null, tookMs: 0 }],
      nextAt: null,
      createdAt: acme.now(),
    });
  });

  it("is sent over the connection of the one before, where that is there still", async () => {
    const sockets = new Set<unknown>();
    await using hook = await receiver((request, response) => {
      sockets.add(request.socket);
      response.end();
    });
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    for (const [nth, job] of ["j1", "j2", "j3"].entries()) {
      await acme.tell({ job });
      await acme.log((all) => all.length === nth + 1 && allDone(all));
    }
    expect(hook.arrived).toHaveLength(3);
    expect(sockets.size).toBe(1);
  });

  it("goes to those who want to hear of it alone", async () => {
    await using ends = await receiver();
    await using steps = await receiver();
    await using own = await receiver();
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: ends.url, ...completed });
    await acme.webhooks.create(ACME, { url: steps.url, events: ["job.progress"] });
    await acme.webhooks.create(OTHER, { url: ends.url, ...completed });
    const callback = { url: own.url, events: ["job.progress", "job.failed"] } as const;
    await acme.tell({ type: "job.progress", callback });
    await acme.log((all) => all.length === 2 && allDone(all));
    await acme.tell({ type: "job.completed", callback });
    await acme.log((all) => all.length === 3 && allDone(all));
    const types = (hook: typeof own) => hook.arrived.map(({ body }) => JSON.parse(body) as unknown);
    expect(types(ends)).toMatchObject([{ type: "job.completed" }]);
    expect(types(steps)).toMatchObject([{ type: "job.progress" }]);
    expect(types(own)).toMatchObject([{ type: "job.progress" }]);
  });

  it("is sent again with the same id until it is taken", async () => {
    await using hook = await receiver(says(500), says(302, { location: "/elsewhere" }), says(204));
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.tell();
    const [first] = await acme.log(tried(1));
    expect(first).toMatchObject({ state: "due", nextAt: acme.now() + 5 * SECOND });
    acme.later(5 * SECOND - 1);
    acme.later(1);
    const [second] = await acme.log(tried(2));
    expect(second).toMatchObject({ state: "due", nextAt: acme.now() + 5 * MINUTE });
    acme.later(5 * MINUTE);
    const [third] = await acme.log(allDone);
    expect(third).toMatchObject({ state: "delivered", nextAt: null });
    expect(third?.attempts.map(({ status }) => status)).toEqual([500, 302, 204]);
    expect(new Set(hook.arrived.map(({ id }) => id)).size).toBe(1);
  });

  it("is given up after the tenth try", async () => {
    await using hook = await receiver(says(500));
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.tell();
    for (let count = 1; count <= 10; count += 1) {
      await acme.log(tried(count));
      acme.later(24 * HOUR);
    }
    expect(await acme.log(allDone)).toMatchObject([{ state: "failed", nextAt: null }]);
    expect(hook.arrived).toHaveLength(10);
  });

  it("waits as long as its receiver asks", async () => {
    await using hook = await receiver(says(429, { "retry-after": "600" }));
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.tell();
    expect(await acme.log(tried(1))).toMatchObject([{ nextAt: acme.now() + 10 * MINUTE }]);
  });

  it("is signed with both secrets for a day after a rotation, then with the new one", async () => {
    await using hook = await receiver();
    await using acme = await harness();
    acme.dispatcher.start();
    const { endpoint, secret: old } = await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    const fresh = await acme.webhooks.rotate(ACME, endpoint.id);
    await acme.tell({ job: "j1" });
    await hook.atLeast(1);
    acme.later(24 * HOUR);
    await acme.tell({ job: "j2" });
    await hook.atLeast(2);
    const counts = hook.arrived.map(({ headers }) => String(headers["webhook-signature"]).split(" ").length);
    expect(counts).toEqual([2, 1]);
    const [both] = hook.arrived;
    for (const secret of [old, fresh]) {
      const headers = both?.headers as Record<string, string>;
      expect(new Webhook(secret).verify(both?.body ?? "", headers)).toMatchObject({ type: "job.completed" });
    }
  });

  it("to a job's own address is signed with the callbacks' secret, also where nobody asked for that before", async () => {
    await using hook = await receiver();
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.tell({ callback: { url: hook.url, ...completed } });
    expect(await acme.log(allDone)).toMatchObject([{ endpoint: null, state: "delivered" }]);
    const [message] = hook.arrived;
    const webhook = new Webhook(await acme.webhooks.callbackSecret(ACME));
    const headers = message?.headers as Record<string, string>;
    expect(webhook.verify(message?.body ?? "", headers)).toMatchObject({ type: "job.completed" });
  });

  it("that tells of a step is dropped once something later is to be told", async () => {
    await using hook = await receiver(says(500), says(200));
    await using acme = await harness();
    const { webhooks, dispatcher } = acme;
    await webhooks.create(ACME, { url: hook.url, events: ["job.progress", "job.completed"] });
    await acme.tell({ type: "job.progress", data: 1 });
    await acme.tell({ type: "job.progress", data: 2 });
    await acme.tell({ type: "job.progress", data: 9, job: "another" });
    await acme.tell({ type: "job.completed", data: 3 });
    const states = await acme.log((all) => all.length === 4);
    expect(states.map(({ state }) => state)).toEqual(["dropped", "dropped", "due", "due"]);
    dispatcher.start();
    await acme.log(tried(2));
    expect(
      hook.arrived.map(({ body }) => (JSON.parse(body) as { data: number }).data).sort((a, b) => a - b),
    ).toEqual([3, 9]);
  });
});

describe("an endpoint that is gone", () => {
  it("is switched off, and what was to be sent there is dropped", async () => {
    await using hook = await receiver(says(410));
    await using well = await receiver();
    await using acme = await harness();
    const { endpoint } = await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.webhooks.create(ACME, { url: well.url, ...completed });
    await acme.tell({ job: "j1" });
    acme.dispatcher.start();
    await acme.log(allDone);
    expect(await acme.webhooks.get(ACME, endpoint.id)).toMatchObject({
      disabledAt: acme.now(),
      disabledBecause: "gone",
    });
    await acme.tell({ job: "j2" });
    const log = await acme.log((all) => all.length === 3 && allDone(all));
    expect(log.map(({ state }) => state).sort()).toEqual(["delivered", "delivered", "dropped"]);
    await acme.webhooks.change(ACME, endpoint.id, { enabled: true });
    expect(await acme.webhooks.get(ACME, endpoint.id)).toMatchObject({
      disabledAt: null,
      disabledBecause: null,
    });
  });

  it("as a job's own address takes with it what is due there, of that partner", async () => {
    await using hook = await receiver(says(500), says(410));
    await using acme = await harness();
    const callback = { url: hook.url, ...completed };
    acme.dispatcher.start();
    await acme.tell({ job: "j1", callback });
    await acme.log(tried(1));
    await acme.tell({ job: "j2", callback });
    const log = await acme.log(allDone);
    expect(log.map(({ state }) => state)).toEqual(["dropped", "dropped"]);
    expect(hook.arrived).toHaveLength(2);
  });
});

describe("an answer", () => {
  it("that never ends is cut off, and counts as what its head said", async () => {
    const endless = Buffer.alloc(16 * 1024);
    let sent = 0;
    await using hook = await receiver((_request, response) => {
      const more = () => {
        sent += endless.length;
        if (!response.destroyed) response.write(endless, more);
      };
      response.writeHead(200);
      more();
    });
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.tell();
    expect(await acme.log(allDone)).toMatchObject([{ state: "delivered" }]);
    expect(sent).toBeLessThan(16 * 1024 * 1024);
  });

  it("that does not come in time is a failure", async () => {
    await using hook = await receiver(() => {});
    await using acme = await harness({ tryMs: 50 });
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.tell();
    expect(await acme.log(tried(1))).toMatchObject([{ attempts: [{ status: null, error: "timeout" }] }]);
  });

  it("of a redirect is not followed", async () => {
    await using elsewhere = await receiver();
    await using hook = await receiver(says(307, { location: elsewhere.url }));
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.tell();
    expect(await acme.log(tried(1))).toMatchObject([{ state: "due", attempts: [{ status: 307 }] }]);
    expect(elsewhere.arrived).toEqual([]);
  });

  it("that nobody gives is told in a word", async () => {
    const hook = await receiver();
    await hook[Symbol.asyncDispose]();
    await using acme = await harness();
    acme.dispatcher.start();
    await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    await acme.tell();
    const [delivery] = await acme.log(tried(1));
    expect(delivery?.attempts).toMatchObject([{ status: null, error: "ECONNREFUSED" }]);
  });
});
