import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, vi } from "vitest";
import { ACME, allDone, MINUTE, OTHER, receiver, SECRET, harness, THIRD } from "./harness.ts";

const completed = { events: ["job.completed"] } as const;
const source = (path: string) => JSON.stringify(new URL(`../../../src/${path}`, import.meta.url).href);

/** A process that sends what is due. */
class Sender implements Disposable {
  readonly #process: ChildProcess;
  readonly ended: Promise<unknown[]>;

  constructor(folder: string) {
    const program = `
      const { openDatabase } = await import(${source("infrastructure/storage/database.ts")});
      const { Vault } = await import(${source("infrastructure/vault/vault.ts")});
      const { givenSecrets } = await import(${source("infrastructure/vault/secrets.ts")});
      const { makeLogger } = await import(${source("infrastructure/telemetry/telemetry.ts")});
      const { openWebhooks } = await import(${source("domain/webhooks/open.ts")});
      const database = await openDatabase(${JSON.stringify(join(folder, "reelay.db"))});
      const vault = new Vault(database, givenSecrets(${JSON.stringify(SECRET)}));
      const log = makeLogger({ level: "error" });
      const audit = { write: async () => {} };
      const parts = { database, vault, log, audit, surface: "http", privateHosts: ["127.0.0.1"] };
      openWebhooks(parts).dispatcher.start();
      setInterval(() => {}, 1000);`;
    this.#process = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
    this.ended = once(this.#process, "exit");
  }

  [Symbol.dispose](): void {
    this.#process.kill("SIGKILL");
  }
}

describe("a process that is killed", () => {
  it("before it heard an answer leaves the message to the next, under the same id", async () => {
    const kill = Promise.withResolvers<void>();
    await using hook = await receiver(() => kill.resolve());
    await using acme = await harness();
    await acme.tell({ callback: { url: hook.url, ...completed } });
    {
      using child = new Sender(acme.folder);
      await kill.promise;
      child[Symbol.dispose]();
      expect(await child.ended).toEqual([null, "SIGKILL"]);
    }
    expect(await acme.log(() => true)).toMatchObject([{ state: "due", attempts: [] }]);

    await using well = await receiver();
    await acme.database.kysely
      .updateTable("webhook_deliveries")
      .set({ url: well.url, host: new URL(well.url).host })
      .execute();
    acme.dispatcher.start();
    // A minute and the time that the child took: its claim is no longer good.
    acme.later(2 * MINUTE);
    expect(await acme.log(allDone)).toMatchObject([{ state: "delivered" }]);
    expect(well.arrived.map(({ id }) => id)).toEqual(hook.arrived.map(({ id }) => id));
  });
});

describe("a stop", () => {
  it("gives a message back whose try does not end, and the next process sends it at once", async () => {
    await using hook = await receiver(
      () => {},
      (_request, response) => response.end(),
    );
    const first = await harness();
    first.dispatcher.start();
    await first.webhooks.create(ACME, { url: hook.url, ...completed });
    await first.tell();
    await hook.atLeast(1);
    // What is patient is no test: the stop waits some seconds for an answer.
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    const stopped = first[Symbol.asyncDispose]();
    await vi.advanceTimersByTimeAsync(10_000);
    vi.useRealTimers();
    await stopped;
    await using next = await harness({ folder: first.folder });
    next.dispatcher.start();
    expect(await next.log(allDone)).toMatchObject([{ state: "delivered", attempts: [{ status: 200 }] }]);
  });
});

describe("two processes over one database", () => {
  it("send each message once", async () => {
    await using hook = await receiver();
    await using acme = await harness();
    await acme.webhooks.create(ACME, { url: hook.url, ...completed });
    const jobs = Array.from({ length: 60 }, (_, index) => `j${index}`);
    for (const job of jobs) await acme.tell({ job });
    using senders = new DisposableStack();
    for (let count = 0; count < 2; count += 1) senders.use(new Sender(acme.folder));
    await acme.log((all) => all.length === jobs.length && allDone(all));
    expect(new Set(hook.arrived.map(({ id }) => id)).size).toBe(jobs.length);
    expect(hook.arrived).toHaveLength(jobs.length);
  });

  it("take up what the other wrote", async () => {
    await using hook = await receiver();
    await using server = await harness({ ahead: MINUTE });
    server.dispatcher.start();
    const { endpoint } = await server.webhooks.create(ACME, { url: hook.url, ...completed });
    await using commandLine = await harness({ folder: server.folder });
    await commandLine.webhooks.ping(ACME, endpoint.id);
    expect(await server.log(allDone)).toMatchObject([{ type: "ping", state: "delivered" }]);
  });
});

describe("hosts that do not answer", () => {
  it("are tried by four at a time, and hold nobody else up", async () => {
    // First, so that it stops last: tries end with their receivers. However busy the machine is, none gives back its place.
    await using acme = await harness({ patienceMs: MINUTE });
    await using dead = await receiver(() => {});
    await using alsoDead = await receiver(() => {});
    await using third = await receiver(() => {});
    await using well = await receiver();
    for (const { url } of [dead, alsoDead, third]) await acme.webhooks.create(ACME, { url, ...completed });
    await acme.webhooks.create(OTHER, { url: well.url, ...completed });
    for (const job of ["j1", "j2", "j3", "j4"]) await acme.tell({ job });
    acme.dispatcher.start();
    await dead.atLeast(1);
    for (const job of ["k1", "k2", "k3", "k4"]) await acme.tell({ job, user: OTHER });
    await well.atLeast(4);
    const tries = [dead, alsoDead, third].map(({ arrived }) => arrived.length);
    expect(Math.max(...tries)).toBeLessThanOrEqual(4);
    // The most for one partner.
    expect(tries.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(8);
  });

  it("hold nobody up where two partners have many messages for them", async () => {
    await using acme = await harness({ tryMs: 200 });
    const dead: Awaited<ReturnType<typeof receiver>>[] = [];
    await using hosts = new AsyncDisposableStack();
    for (const user of [ACME, ACME, OTHER, OTHER]) {
      const hook = hosts.use(await receiver(() => {}));
      dead.push(hook);
      await acme.webhooks.create(user, { url: hook.url, ...completed });
    }
    await using well = await receiver();
    await acme.webhooks.create(THIRD, { url: well.url, ...completed });
    const jobs = Array.from({ length: 20 }, (_, index) => `j${index}`);
    for (const job of jobs)
      for (const user of [ACME, OTHER]) await acme.tell({ job: `${user} ${job}`, user });
    await acme.tell({ job: "the last", user: THIRD });
    acme.dispatcher.start();
    await well.atLeast(1);
    // Of 80 that were there before; nobody knows beforehand how long the first ones take.
    expect(dead.reduce((sum, { arrived }) => sum + arrived.length, 0)).toBeLessThanOrEqual(16);
  });
});
