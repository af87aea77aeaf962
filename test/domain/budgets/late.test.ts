import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { ReelayError } from "../../../src/common/errors.ts";
import { statesOf } from "../../../src/domain/budgets/spending.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { Ledger, type NewJob } from "../../../src/domain/jobs/ledger.ts";
import type { OperatorBudgets } from "../../../src/domain/policy/budgets.ts";
import { capsOfPartner, capsOfPerson, countUnder, type JobCaps } from "../../../src/domain/policy/caps.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import type { Group } from "../../../src/seam/access/groups.ts";
import type { Caps, Partner } from "../../../src/seam/access/partners.ts";
import { startEngines, twoNodes } from "../../contract/storage/engines.ts";
import { aRequest } from "../../support/job.ts";

// A server keeps a clock of its own, which no test can set.
vi.mock(import("../../../src/common/time.ts"), async (original) => ({
  ...(await original()),
  currentTime: () => Date.now(),
}));

const NOON = Date.UTC(2030, 0, 30, 12);
const DAY_MS = 24 * 3_600_000;

/** Which budgets are set at a moment. */
interface Rules {
  readonly person?: OperatorBudgets["person"];
  readonly chat?: OperatorBudgets["chat"];
  readonly key?: OperatorBudgets["key"];
  readonly group?: Group;
  readonly partner?: Caps;
  readonly partnerUser?: Caps;
}

/** Who asks for something, and whose key pays. */
interface Asker {
  readonly user: NewJob["user"];
  readonly chat?: `telegram:${string}`;
  readonly name?: string;
  readonly source?: "operator" | "group" | "own";
}

const ann: Asker = { user: "telegram:1" };
const annInChat: Asker = { user: "telegram:1", chat: "telegram:-1" };
const shop: Asker = { user: "http:shop", name: "ben" };

/** What applies to a job, as the gate finds it. */
function capsOf({ user, chat, name, source = "operator" }: Asker, rules: Rules): JobCaps {
  const { person = {}, chat: ofChat = {}, key = {}, group = {}, partner = {}, partnerUser = {} } = rules;
  if (name !== undefined) {
    const known = { id: user.slice("http:".length), caps: partner, userCaps: partnerUser } as Partner;
    return capsOfPartner(known, name, { source }, { key }, false);
  }
  const budgets = { person, chat: ofChat, key, warnAt: undefined };
  const caps = { dailyCap: 1_000, chatDailyCap: 1_000, atOnce: undefined, chatAtOnce: undefined, budgets };
  return capsOfPerson({ user, ...(chat && { chat }) }, { source, keyId: "theirs" }, group, caps);
}

const engines = await startEngines();

describe.each(engines)("a budget that is set late, on $name", (engine) => {
  let nodes: readonly [Database, Database];
  let count = 0;
  beforeEach(async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: NOON });
    nodes = await twoNodes(engine);
  });
  afterEach(() => void vi.useRealTimers());

  const ledger = () => new Ledger(nodes[0], "one");

  /** Accepts a job, as the gate does. @returns undefined where a budget does not cover it */
  async function begin(
    price: number | null,
    rules: Rules = {},
    asker = ann,
    node = nodes[0],
  ): Promise<Job | undefined> {
    const { user, chat = null } = asker;
    const request = aRequest({ request: null, fingerprint: String((count += 1)), user, chat });
    const spending = { cost: { price, dearest: 105.6 }, warnAt: undefined };
    try {
      return await new Ledger(node, "one").add(request, Date.now(), async (transaction, job) => {
        const { held } = await countUnder(capsOf(asker, rules), transaction, job, spending);
        return { held };
      });
    } catch (error) {
      if (error instanceof ReelayError && error.code.endsWith("budget_spent")) return undefined;
      throw error;
    }
  }

  async function run(job: Job | undefined, cost: number | null): Promise<Job> {
    if (!job) throw new Error("It was refused.");
    const sent = await ledger().apply(job, { type: "submitting", at: Date.now(), balance: null });
    return ledger().apply(sent, { type: "accepted", at: Date.now(), serviceId: job.id, cost, balance: null });
  }

  const complete = (job: Job, cost: number) =>
    ledger().apply(job, { type: "completed", at: Date.now(), result: [], cost });

  /** Makes something that was expected to cost something else. */
  const make = async (cost: number, asker = ann, rules: Rules = {}) =>
    complete(await run(await begin(cost + 0.5, rules, asker), cost + 0.25), cost);

  /** Asks for so many at the same moment, each of somebody else, on both nodes. */
  const atOnce = (times: number, rulesOf: (nth: number) => Rules) =>
    Promise.all(
      Array.from({ length: times }, (_, nth) =>
        begin(0.4, rulesOf(nth), { user: `telegram:${nth}` }, nodes[nth % 2]),
      ),
    );

  /** What is spent of the budgets that these rules set, in their order. */
  const spent = async (rules: Rules, asker = ann) =>
    (await statesOf(nodes[1], capsOf(asker, rules).budgets, Date.now())).map((state) => state.spent);

  it("counts what was spent before in its day and month", async () => {
    vi.setSystemTime(NOON - DAY_MS);
    await make(5);
    vi.setSystemTime(NOON);
    for (const cost of [10.01, 11.99]) await make(cost);
    expect(await spent({ key: { day: 30, month: 30 } })).toEqual([22, 27]);
    expect(await begin(1.01, { key: { day: 23 } })).toBeUndefined();
    expect(await begin(1, { key: { day: 23 } })).toBeDefined();
    expect(await begin(0.01, { key: { day: 23 } })).toBeUndefined();
    expect(await begin(3, { key: { day: 100, month: 30 } })).toBeUndefined();
    expect(await begin(2, { key: { day: 100, month: 30 } })).toBeDefined();
  });

  it("counts what was spent while it was cleared, however often", async () => {
    for (let time = 1; time <= 3; time++) {
      await make(1.1, ann, { key: { day: 1_000 } });
      await make(2.02);
      expect(await spent({ key: { day: 1_000 } })).toEqual([(312 * time) / 100]);
    }
    expect(await begin(0.01, { key: { day: 9.36 } })).toBeUndefined();
  });

  it("counts what is still open as it is expected, then as it cost, and nothing of what gave it back", async () => {
    const set = { key: { day: 200 } };
    const job = await begin(10);
    const other = await begin(4);
    const failing = await run(await begin(3), null);
    const unknown = await begin(null);
    expect(await spent(set)).toEqual([122.6]);
    const running = await run(job, 9.5);
    if (other) await ledger().apply(other, { type: "cancelled", at: Date.now() });
    const lost = { code: "job_failed", params: {} } as const;
    await ledger().apply(failing, { type: "failed", at: Date.now(), error: lost, cost: 0 });
    await run(unknown, 2);
    expect(await spent(set)).toEqual([11.5]);
    await begin(1, set);
    await complete(running, 12.34);
    expect(await spent(set)).toEqual([15.34]);
  });

  it("counts what was deleted or forgotten meanwhile", async () => {
    const told = async (asker: Asker) => {
      const delivering = await ledger().apply(await make(5, asker), { type: "delivering" });
      return ledger().apply(delivering, { type: "delivered", at: Date.now() });
    };
    await ledger().remove((await told(ann)).id);
    await told({ user: "telegram:2" });
    await ledger().forget("telegram:2");
    expect(await spent({ person: { month: 30 }, key: { day: 30 } })).toEqual([5, 10]);
  });

  it("counts nobody else's, and of no other key", async () => {
    await make(1, ann);
    await make(2, annInChat);
    await make(4, { ...annInChat, source: "own" });
    await make(8, { ...annInChat, user: "telegram:2" });
    await make(16, { ...annInChat, user: "web:me" });
    await make(32, { ...annInChat, source: "group" });
    const set = { person: { day: 99 }, chat: { day: 99 }, key: { day: 99 } };
    expect(await spent(set, annInChat)).toEqual([3, 10, 27]);
    const group = { memberDayTokens: 99, dayTokens: 99 };
    expect(await spent({ group }, { ...annInChat, source: "group" })).toEqual([32, 32]);
  });

  it("counts what a partner, and each of their people, spent with any key", async () => {
    await make(1, shop);
    await make(2, { ...shop, name: "ann", source: "own" });
    await make(4, { ...shop, user: "http:club" });
    const set = { partnerUser: { monthTokens: 2 }, partner: { dayTokens: 9 }, key: { day: 9 } };
    expect(await spent(set, shop)).toEqual([1, 3, 5]);
    expect(await begin(1.01, set, shop)).toBeUndefined();
    expect(await begin(1, set, shop)).toBeDefined();
    expect(await spent(set, shop)).toEqual([2, 4, 6]);
  });

  it("lets as many of 40 at once through as what is left covers, also beside nodes that do not know of it yet", async () => {
    for (let nth = 0; nth < 5; nth++) await make(4.4);
    const jobs = await atOnce(40, () => ({ key: { day: 30 } }));
    expect(jobs.filter((job) => job)).toHaveLength(20);
    expect(await spent({ key: { day: 30 } })).toEqual([30]);
    const mixed = await atOnce(40, (nth) => (nth % 4 < 2 ? { key: { day: 34, month: 34 } } : {}));
    expect(mixed.filter((job, nth) => job && nth % 4 >= 2)).toHaveLength(20);
    const all = mixed.filter((job) => job).length;
    expect(await spent({ key: { day: 34 } })).toEqual([Math.round((30 + all * 0.4) * 10) / 10]);
  });
});
