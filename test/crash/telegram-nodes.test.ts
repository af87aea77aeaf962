import { setTimeout as sleep } from "node:timers/promises";
import { integer, sample } from "fast-check";
import { Client } from "pg";
import { afterAll, describe, expect, it, vi } from "vitest";
import { Child, hasMachines, type Home, onOwnMachine } from "../support/crash-child.ts";
import { startPostgres } from "../support/postgres.ts";
import { temporaryFolder, testSandbox } from "../support/sandbox.ts";
import { asksFor, isFilm } from "../support/telegram/asks.ts";
import { FakeTelegram } from "../support/telegram/fake-telegram.ts";
import type { Person } from "../support/telegram/person.ts";
import { PATIENCE_MS } from "../support/patience.ts";

const server = await startPostgres();
afterAll(() => server?.stop());

const MACHINES = hasMachines();

/** Two nodes with one bot, each on a machine of its own where that can be had. */
async function installation(
  telegram: FakeTelegram,
  sandbox: { readonly url: string; readonly keys: { ultra: string } },
) {
  const home: Home = {
    data: temporaryFolder(),
    env: {
      REELAY_STORE: (await server?.createDatabase()) ?? "",
      REELAY_API_URL: sandbox.url,
      REELAY_API_KEY: sandbox.keys.ultra,
      REELAY_OPERATOR_KEY_FOR: "all",
      REELAY_SECRET: "a secret for tests only",
      TELEGRAM_BOT_TOKEN: telegram.token,
      TELEGRAM_API_ROOT: telegram.url,
    },
  };
  return { home, node: () => new Child({ ...home, within: MACHINES ? onOwnMachine() : [] }) };
}

/** Each run tries other instants; CRASH_SEED repeats those of a run that failed. */
const seed = Number(process.env["CRASH_SEED"] ?? Date.now() % 2 ** 31);

/** The messages of a person that the bot has answered, in the order of its answers. */
const answered = (telegram: FakeTelegram, { user }: Person) =>
  telegram
    .calls("sendMessage")
    .filter(({ params, error }) => !error && params["chat_id"] === user.id)
    .map(({ params }) => (params["reply_parameters"] as { readonly message_id: number }).message_id);

/** Until what arrived is known to be dealt with: then it is remembered for a day instead of a week. */
async function untilDone({ env }: Home): Promise<void> {
  const client = new Client({ connectionString: env["REELAY_STORE"] });
  await client.connect();
  await vi.waitFor(
    async () => {
      const { rows } = await client.query(
        "select key from kv where namespace = 'telegram-sealed' and expires_at > now_ms() + 2 * 86400000",
      );
      expect(rows).toEqual([]);
    },
    { timeout: PATIENCE_MS, interval: 100 },
  );
  await client.end();
}

const ascending = (numbers: readonly number[]) => numbers.toSorted((a, b) => a - b);

describe.runIf(server)("two nodes with one bot", { timeout: 6 * PATIENCE_MS }, () => {
  it("let one of them hear, and another go on where it is killed: nothing is lost, and each job is made once", async () => {
    await using sandbox = await testSandbox();
    // A press is answered by whichever node it is.
    await using telegram = await FakeTelegram.start({ limits: { queryMs: 4 * PATIENCE_MS } });
    const { home, node } = await installation(telegram, sandbox);
    const people = ["Ann", "Bob", "Carla"].map((name) => telegram.person({ name }));
    const orderer = telegram.person({ name: "Dora" });
    const living = [node(), node()];
    await Promise.all(living.map(({ url }) => url));
    const ordered = asksFor(orderer, "dance of Dora", 4 * PATIENCE_MS);
    let asked = 0;
    const ask = () => {
      for (const person of people) person.says("/help");
      asked += 1;
    };
    const untilAnswered = () =>
      Promise.all(people.map((one) => telegram.until(() => new Set(answered(telegram, one)).size === asked)));
    ask();
    await untilAnswered();
    // One alone asks: nobody is told that another one does, too.
    expect(telegram.calls("getUpdates").filter(({ error }) => error?.code === 409)).toEqual([]);
    const kills = sample(integer({ min: 0, max: 700 }), { seed, numRuns: 3 });
    for (const ms of kills) {
      await untilDone(home);
      ask();
      await sleep(ms);
      const killed = living.shift();
      killed?.kill();
      await killed?.untilKilled();
      const since = performance.now();
      ask();
      await untilAnswered();
      const tookMs = Math.round(performance.now() - since);
      // No verdict by the machine's speed.
      process.stderr.write(`Updates flow again ${tookMs} ms after a kill (seed ${seed}).\n`);
      const next = node();
      living.push(next);
      await next.url;
    }
    await ordered;
    for (const person of people) {
      const all = answered(telegram, person);
      // What was being answered when its node was killed may be answered once more.
      expect(all.length).toBeLessThanOrEqual(asked + kills.length);
      expect(all).toEqual(ascending(all));
    }
    expect((await sandbox.ledger()).submissions).toHaveLength(1);
    expect(orderer.chat().filter(isFilm)).toHaveLength(1);
    for (const one of living) one.kill();
  });

  it("take over from one that stands still, which takes nothing in when it goes on", async () => {
    await using sandbox = await testSandbox();
    await using telegram = await FakeTelegram.start({});
    const { home, node } = await installation(telegram, sandbox);
    const ann = telegram.person({ name: "Ann" });
    using first = node();
    await first.url;
    using second = node();
    await second.url;
    const says = async () => {
      const { length } = answered(telegram, ann);
      ann.says("/help");
      await telegram.until(() => answered(telegram, ann).length > length);
    };
    await says();
    await untilDone(home);
    first.pause();
    await says();
    first.resume();
    for (let nth = 0; nth < 4; nth += 1) await says();
    await vi.waitFor(
      () => expect(first.output).toContain("Another process does from now on what this one did"),
      {
        timeout: PATIENCE_MS,
      },
    );
    await says();
    await untilDone(home);
    const all = answered(telegram, ann);
    expect(all).toEqual(ascending([...new Set(all)]));
    expect(all).toHaveLength(7);
  });

  it("hand over at once where one is stopped", async () => {
    await using sandbox = await testSandbox();
    await using telegram = await FakeTelegram.start({});
    const { node } = await installation(telegram, sandbox);
    const ann = telegram.person({ name: "Ann" });
    using stopped = node();
    await stopped.url;
    using other = node();
    await other.url;
    stopped.stop();
    ann.says("/help");
    await telegram.until(() => answered(telegram, ann).length === 1);
    await stopped.ended();
    ann.says("/help");
    await telegram.until(() => answered(telegram, ann).length === 2);
    expect(new Set(answered(telegram, ann)).size).toBe(2);
  });
});
