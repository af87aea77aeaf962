import { beforeEach, describe, expect, it } from "vitest";
import { statesOf } from "../../../src/domain/budgets/spending.ts";
import type { Job } from "../../../src/domain/jobs/job.ts";
import { Ledger, type NewJob } from "../../../src/domain/jobs/ledger.ts";
import { budgetsOfKey, budgetsOfPartner, budgetsOfPerson } from "../../../src/domain/policy/budgets.ts";
import { countEarlier } from "../../../src/domain/policy/earlier.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { startEngines, twoNodes } from "../../contract/storage/engines.ts";
import { aRequest, endedJob } from "../../support/job.ts";

const NOON = Date.UTC(2030, 0, 31, 12);
const DAY_MS = 24 * 3_600_000;

const all = { day: 1_000, month: 1_000 };
const set = { person: all, chat: all, key: all, warnAt: undefined };
const inChat = { user: "telegram:1", chat: "telegram:-1" } as const;
const ofPerson = budgetsOfPerson(inChat, { source: "operator", keyId: "ours" }, {}, set);
const members = { memberDayTokens: 1_000, dayTokens: 1_000 };
const ofMember = budgetsOfPerson(inChat, { source: "group", keyId: "theirs" }, members, set);
const tokens = { dayTokens: 1_000, monthTokens: 1_000 };
const ofBen = budgetsOfPartner({ id: "shop", caps: tokens, userCaps: tokens }, "ben", false);

const tags = (inAppUsername: string) => ({ platform: "shop", inAppUsername });

const isOurs = async ({ keyId }: Job) => keyId === "ours";

const engines = await startEngines();

describe.each(engines)("jobs that a version from before budgets wrote, on $name", (engine) => {
  let nodes: readonly [Database, Database];
  let ledger: Ledger;
  let count = 0;
  beforeEach(async () => {
    nodes = await twoNodes(engine);
    ledger = new Ledger(nodes[0], "one");
  });

  /** Nothing says who paid, nor what it counts for. */
  const made = (cost: number, asked: Partial<NewJob> = {}, at = NOON) =>
    endedJob(
      ledger,
      { ...inChat, keyId: "ours", fingerprint: String((count += 1)), ...asked },
      { at, cost, seconds: 1, toldAt: at + 2_000 },
    );

  const counted = (node = nodes[0], now = NOON + DAY_MS / 4) => countEarlier(node, isOurs, now);
  const spent = async (budgets: Parameters<typeof statesOf>[1]) =>
    (await statesOf(nodes[1], budgets, NOON)).map((state) => state.spent);

  it("count in their day and month, for all whose budgets may be set, once", async () => {
    await made(1, {}, Date.UTC(2029, 11, 31, 23, 59));
    await made(2, {}, NOON - DAY_MS);
    await made(4.01);
    await made(8, { keyId: "theirs" });
    await made(16, { user: "telegram:2", chat: null });
    expect(await counted()).toBe(4);
    expect(await spent(ofPerson)).toEqual([4.01, 6.01, 4.01, 6.01, 20.01, 22.01]);
    expect(await spent(ofMember)).toEqual([8, 8]);
    expect(await counted()).toBe(0);
    expect(await spent(budgetsOfKey(all))).toEqual([20.01, 22.01]);
  });

  it("count for partners, whoever paid", async () => {
    const shop = { user: "http:shop", surface: "http", chat: null } as const;
    await made(1, { ...shop, tags: tags("ben"), keyId: "theirs" });
    await made(2, { ...shop, tags: tags("ann") });
    expect(await counted()).toBe(2);
    expect(await spent([...ofBen, ...budgetsOfKey(all)])).toEqual([1, 1, 3, 3, 2, 2]);
  });

  it("count once by several nodes at the same moment, beside what is spent meanwhile, and stay when they are erased", async () => {
    const ids: string[] = [];
    for (let nth = 0; nth < 250; nth++) ids.push(await made(0.1));
    await Promise.all([counted(nodes[0]), counted(nodes[1]), counted(nodes[0])]);
    expect(await spent(budgetsOfKey(all))).toEqual([25, 25]);
    await ledger.remove(ids[0] ?? "");
    await counted();
    expect(await spent(budgetsOfKey(all))).toEqual([25, 25]);
  });

  it("count what they cost when they have ended, and nothing where nobody knows", async () => {
    const request = aRequest({ ...inChat, request: null, keyId: "ours" });
    const open = await ledger.add(request, NOON);
    const sent = await ledger.apply(open, { type: "submitting", at: NOON, balance: null });
    const running = await ledger.apply(sent, {
      type: "accepted",
      at: NOON,
      serviceId: "s",
      cost: 5,
      balance: null,
    });
    expect(await counted()).toBe(0);
    await ledger.apply(running, { type: "completed", at: NOON, result: [], cost: 4 });
    const lost = await ledger.add({ ...request, fingerprint: "lost" }, NOON);
    await ledger.apply(lost, { type: "cancelled", at: NOON });
    expect(await counted()).toBe(2);
    expect(await spent(budgetsOfKey(all))).toEqual([4, 4]);
  });

  it("are added to what was counted since", async () => {
    const before = await made(3);
    await counted();
    await nodes[0].kysely.updateTable("jobs").set({ held: null }).where("id", "=", before).execute();
    await made(2);
    expect(await counted()).toBe(2);
    expect(await spent(budgetsOfKey(all))).toEqual([8, 8]);
  });
});
