import { once } from "node:events";
import { createServer, type AddressInfo, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { sql } from "kysely";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { UserId } from "../../../src/seam/values.ts";
import { Deliveries } from "../../../src/domain/webhooks/deliveries.ts";
import { dueIn } from "../../../src/domain/webhooks/due.ts";
import { ACME, allDone, MINUTE, OTHER, receiver, SECOND, harness, tried } from "./harness.ts";
import { PATIENCE_MS } from "../../support/patience.ts";

const completed = { events: ["job.completed"] } as const;
/** Longer than any test: nothing that hangs ends by itself. */
const FOREVER_MS = 60 * MINUTE;

/** How a receiver keeps whoever calls it waiting; each is a way that was seen. */
const SILENCES = {
  "accepts and says nothing": () => {},
  "drips a byte of its head": (socket: Socket) => {
    const head = "HTTP/1.1 200 OK\r\nx-slow: ";
    let at = 0;
    const drip = setInterval(() => socket.write(head[at++] ?? "x"), 20);
    socket.once("close", () => clearInterval(drip));
  },
} as const;

/** Servers of the kind that nobody gets an answer from. */
async function silent(silence: (socket: Socket) => void = SILENCES["accepts and says nothing"]) {
  const open = new Set<Socket>();
  let calls = 0;
  const server = createServer((socket) => {
    calls++;
    open.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => open.delete(socket));
    socket.resume();
    silence(socket);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `http://${host}/hook`,
    secureUrl: `https://${host}/hook`,
    calls: () => calls,
    hanging: () => open.size,
    async [Symbol.asyncDispose]() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** Names for partners. */
const partners = (count: number): UserId[] =>
  Array.from({ length: count }, (_, index) => `http:p${index}` as const);

describe("a healthy partner's message", () => {
  it.each(Object.entries(SILENCES))(
    "arrives while fifty partners' receivers hang: each %s",
    async (_, silence) => {
      await using at = await harness({ tryMs: FOREVER_MS });
      await using hook = await silent(silence);
      await using well = await receiver();
      for (const user of partners(50))
        for (const job of ["j1", "j2", "j3"])
          await at.tell({ user, job: `${user} ${job}`, callback: { url: hook.url, ...completed } });
      await at.tell({ callback: { url: well.url, ...completed } });
      at.dispatcher.start();
      await well.atLeast(1);
      await vi.waitFor(() => expect(hook.hanging()).toBeGreaterThanOrEqual(50), PATIENCE_MS);
      expect(await at.log(allDone)).toMatchObject([{ state: "delivered" }]);
    },
  );

  it("is not looked for again and again while its receiver has no place left", async () => {
    // The looks every few seconds are not counted.
    vi.useFakeTimers({ toFake: ["setInterval"] });
    onTestFinished(() => void vi.useRealTimers());
    await using at = await harness({ tryMs: FOREVER_MS, patienceMs: FOREVER_MS });
    await using hook = await silent();
    for (let job = 0; job < 10; job += 1)
      await at.tell({ job: `j${job}`, callback: { url: hook.url, ...completed } });
    at.dispatcher.start();
    await vi.waitFor(() => expect(hook.hanging()).toBe(4), PATIENCE_MS);
    const looks = vi.spyOn(Deliveries.prototype, "due");
    onTestFinished(() => looks.mockRestore());
    for (let turn = 0; turn < 100; turn += 1) await dueIn(at.database.kysely, at.now());
    expect(looks.mock.calls.length).toBeLessThan(5);
  });

  it("arrives while fifty receivers of one partner never finish TLS", async () => {
    await using at = await harness({ tryMs: FOREVER_MS, patienceMs: 50 });
    await using hooks = new AsyncDisposableStack();
    for (const count of partners(50).keys()) {
      const hook = hooks.use(await silent());
      await at.tell({ user: OTHER, job: `j${count}`, callback: { url: hook.secureUrl, ...completed } });
    }
    await using well = await receiver();
    await at.tell({ callback: { url: well.url, ...completed } });
    // The same partner's own receiver that is well, behind all of theirs that are not.
    await at.tell({ user: OTHER, job: "own", data: "own", callback: { url: well.url, ...completed } });
    at.dispatcher.start();
    await well.atLeast(1);
    // Where this machine is slow it may have been given up among those that hang: then it is tried again.
    await vi.waitFor(() => {
      at.later(5 * SECOND);
      expect(well.arrived.map(({ body }) => body).join()).toContain('"own"');
    }, PATIENCE_MS);
  });

  it("arrives while more hang than there are places", async () => {
    await using at = await harness({ tryMs: FOREVER_MS, patienceMs: 50 });
    await using hook = await silent();
    await using well = await receiver();
    for (const user of partners(150))
      await at.tell({ user, job: user, callback: { url: hook.url, ...completed } });
    await at.tell({ callback: { url: well.url, ...completed } });
    at.dispatcher.start();
    await well.atLeast(1);
    await vi.waitFor(() => expect(hook.calls()).toBe(150), PATIENCE_MS);
    expect(hook.hanging()).toBe(150);
  });

  it("is not behind an answer that never ends", async () => {
    await using at = await harness({ tryMs: FOREVER_MS });
    // One that says 200 and then a byte now and then: what it has said counts.
    await using slow = await silent((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-type: text/plain\r\n\r\n");
      const drip = setInterval(() => socket.write("x"), 20);
      socket.once("close", () => clearInterval(drip));
    });
    await at.tell({ callback: { url: slow.url, ...completed } });
    at.dispatcher.start();
    expect(await at.log(allDone)).toMatchObject([{ state: "delivered" }]);
    await vi.waitFor(() => expect(slow.hanging()).toBe(0), PATIENCE_MS);
  });
});

describe("a receiver that does not answer", () => {
  it("is tried by one message at a time, after longer and longer rests, and by all once it answers", async () => {
    let well = false;
    await using hook = await receiver((_request, response) => {
      if (well) response.end();
    });
    // Longer than four take to leave, one after the other.
    await using at = await harness({ tryMs: 2 * SECOND, patienceMs: SECOND });
    await at.webhooks.create(ACME, { url: hook.url, ...completed });
    for (let count = 0; count < 12; count++) await at.tell({ job: `j${count}` });
    at.dispatcher.start();
    // The first four find out.
    await at.log(tried(4));
    at.later(4 * MINUTE);
    await at.log(tried(5));
    at.later(5 * MINUTE);
    await at.log(tried(6));
    expect(hook.arrived).toHaveLength(6);
    well = true;
    at.later(5 * MINUTE);
    await vi.waitFor(() => expect(new Set(hook.arrived.map(({ id }) => id)).size).toBe(12), PATIENCE_MS);
  });

  it("makes nobody look again and again for what must wait", async () => {
    await using at = await harness({ tryMs: FOREVER_MS, patienceMs: FOREVER_MS });
    await using hook = await receiver(() => {});
    await at.webhooks.create(ACME, { url: hook.url, ...completed });
    for (let count = 0; count < 9; count++) await at.tell({ job: `j${count}` });
    const looks = vi.spyOn(Deliveries.prototype, "due");
    at.dispatcher.start();
    await hook.atLeast(4);
    for (let turn = 0; turn < 1_000; turn++) await setImmediate();
    expect(hook.arrived).toHaveLength(4);
    expect(looks.mock.calls.length).toBeLessThan(20);
    looks.mockRestore();
  });
});

describe("what is due", () => {
  it("is looked for without passing over what waits for others", async () => {
    await using at = await harness();
    await using hook = await silent();
    for (const user of partners(3))
      for (const job of ["a", "b"])
        await at.tell({ user, job: `${user} ${job}`, callback: { url: hook.url, ...completed } });
    const { kysely } = at.database;
    const statements: string[] = [];
    const spy = vi.spyOn(kysely.getExecutor(), "executeQuery").mockImplementation(async (query) => {
      statements.push(query.sql);
      return { rows: [] };
    });
    await dueIn(kysely, at.now());
    spy.mockRestore();
    const plan = await sql<{ detail: string }>`explain query plan ${sql.raw(
      (statements[0] ?? "").replaceAll("?", "1"),
    )}`.execute(kysely);
    const steps = plan.rows.map(({ detail }) => detail);
    const reads = steps.filter((step) => /webhook_deliveries|due/.test(step));
    expect(reads.length).toBeGreaterThan(3);
    expect(
      reads.filter(
        (step) => !/USING (COVERING )?INDEX webhook_deliveries_due|USING INTEGER PRIMARY KEY/.test(step),
      ),
    ).toEqual([]);
    expect(steps.filter((step) => step.includes("TEMP B-TREE"))).toEqual([]);
  });

  it("is one message for each receiver, the oldest of those that were never tried first", async () => {
    await using at = await harness();
    await using hook = await silent();
    const callback = { url: hook.url, ...completed };
    for (const job of ["a", "b"]) await at.tell({ job, callback });
    await at.tell({ job: "c", user: OTHER, callback });
    const { kysely } = at.database;
    const first = await dueIn(kysely, at.now());
    expect(first.map(({ user }) => user)).toEqual([ACME, OTHER]);
    const [own] = first;
    await kysely
      .updateTable("webhook_deliveries")
      .set({ failures: 1 })
      .where("seq", "=", own?.seq ?? 0)
      .execute();
    const [second] = await dueIn(kysely, at.now());
    expect(second?.seq).toBe((own?.seq ?? 0) + 1);
    expect(await dueIn(kysely, at.now() - SECOND)).toEqual([]);
  });
});

/** How many messages are left of one, after a sweep so many days later. */
async function kept(days: number): Promise<number> {
  await using at = await harness();
  await at.tell({ callback: { url: "http://127.0.0.1:9/hook", ...completed } });
  await using next = await harness({ folder: at.folder, ahead: days * 24 * 60 * MINUTE });
  next.dispatcher.start();
  await next.dispatcher.stop();
  return (await next.webhooks.deliveries(ACME, { limit: 10 })).length;
}

describe("the log of what was sent", () => {
  it("is kept for thirty days", async () => {
    expect(await kept(29)).toBe(1);
    expect(await kept(31)).toBe(0);
  });
});
