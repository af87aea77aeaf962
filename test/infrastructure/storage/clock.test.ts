import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { asOther } from "../../../src/domain/jobs/other-job.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { clockBehind, clockSetBackAt, keepTime } from "../../../src/infrastructure/storage/clock.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const NOW = 1_700_000_000_000;
const HOUR_MS = 3_600_000;

let database: Database;
let ledger: Ledger;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ["Date"], now: NOW });
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  ledger = new Ledger(database, "me");
});

afterEach(async () => {
  vi.useRealTimers();
  await database.close();
});

const keep = () => keepTime(database);

/** The clock is set back by two hours, a second after the time was kept, and that is noticed. */
async function setBack(): Promise<void> {
  await keep();
  vi.setSystemTime(NOW + 1_000 - 2 * HOUR_MS);
  expect(await keep()).toBe(2 * HOUR_MS - 1_000);
}

/** What the clock says after {@link setBack}. */
const THEN = NOW + 1_000 - 2 * HOUR_MS;

const ANSWER = { serviceId: "s", cost: 1, balance: null };
const NUMBERS = { from: NOW - 1, to: NOW, tokens: 1, totals: null, failed: null };

async function submitting(fingerprint: string, at = NOW) {
  const job = await ledger.add(aRequest({ fingerprint }), NOW);
  return ledger.apply(job, { type: "submitting", at, balance: null, before: NUMBERS });
}

describe("a clock that was set back", () => {
  it("is noticed once, with when that was", async () => {
    expect([await keep(), await clockSetBackAt(database), await clockBehind(database)]).toEqual([0, 0, 0]);
    vi.setSystemTime(NOW - HOUR_MS);
    expect(await clockBehind(database)).toBe(HOUR_MS);
    expect(await keep()).toBe(HOUR_MS);
    expect(await clockBehind(database)).toBe(0);
    vi.setSystemTime(NOW - HOUR_MS + 5_000);
    expect([await keep(), await clockSetBackAt(database)]).toEqual([0, NOW - HOUR_MS]);
  });

  it("is none where two processes reckon a second apart", async () => {
    await keep();
    vi.setSystemTime(NOW - 1_000);
    expect(await keep()).toBe(0);
    vi.setSystemTime(NOW - 1_001);
    expect(await keep()).toBe(1_001);
  });

  it("leaves nothing at the service that seems to get there later", async () => {
    let running = await submitting("running", THEN - 1);
    running = await ledger.apply(running, { type: "accepted", at: NOW, ...ANSWER });
    const lost = await ledger.apply(await submitting("lost"), { type: "lost", at: NOW });
    // It is kept in mind from here on.
    expect((await ledger.find(running.id))?.acceptedAt).toBe(NOW);
    await setBack();
    const times = { createdAt: NOW, lostAt: null, endedAt: null };
    expect(await ledger.find(running.id)).toMatchObject({
      ...times,
      submittedAt: THEN - 1,
      acceptedAt: THEN,
    });
    expect(await ledger.find(lost.id)).toMatchObject({ submittedAt: THEN, lostAt: THEN, acceptedAt: null });
  });

  it("is nothing that jobs are compared with that ended before, and leaves them as they were otherwise", async () => {
    const ended = async (name: string, acceptedAt: number, at: number) => {
      const job = await submitting(name, THEN - 10);
      const running = await ledger.apply(job, {
        type: "accepted",
        at: acceptedAt,
        ...ANSWER,
        serviceId: name,
      });
      return ledger.apply(running, { type: "failed", at, error: { code: "internal", params: {} }, cost: 1 });
    };
    const [old, straddling, later] = [
      await ended("old", THEN - 5, THEN),
      await ended("straddling", THEN, THEN + 1),
      await ended("later", NOW, NOW),
    ];
    await setBack();
    const now = await Promise.all([old, straddling, later].map(({ id }) => ledger.find(id)));
    expect(now).toEqual([old, { ...straddling, submittedAt: null }, { ...later, submittedAt: null }]);
    expect(now.map((job) => job && asOther(job, THEN - 10, null)?.type)).toEqual([
      "video",
      undefined,
      undefined,
    ]);
  });

  it("makes no press of a moment ago of one that led to something long ended", async () => {
    const pressed = await ledger.add(aRequest({ press: "again" }), NOW);
    await setBack();
    const isPressed = () => ledger.wasPressed(pressed.user, "again", Date.now());
    expect(await isPressed()).toBe(true);
    const cancelled = await ledger.apply(pressed, { type: "cancelled", at: THEN });
    const told = await ledger.apply(cancelled, { type: "delivering" });
    await ledger.apply(told, { type: "delivered", at: THEN });
    expect(await isPressed()).toBe(false);
  });

  it("keeps nothing waiting for longer than it would have", async () => {
    let job = await ledger.add(aRequest(), NOW);
    job = await ledger.apply(job, { type: "cancelled", at: NOW });
    job = await ledger.apply(job, { type: "delivering" });
    await ledger.apply(job, { type: "deferred", until: NOW + 60_000 });
    await database.kysely
      .insertInto("webhook_deliveries")
      .values([NOW, NOW + 60_000, THEN].map((next_at, index) => aMessage(`m${index}`, next_at)))
      .execute();
    await database.kysely
      .insertInto("report_notices")
      .values({ job: "j", audience: "operators", news: 1, next_at: NOW + 60_000 })
      .execute();
    await database.kysely
      .insertInto("left_notices")
      .values({ notice: "{}", surface: "telegram", next_at: NOW + 60_000 })
      .execute();
    await setBack();
    const none = { jobs: [], users: [] };
    expect(await ledger.undelivered(THEN + 60_000 - 1, 10, none)).toHaveLength(0);
    expect(await ledger.undelivered(THEN + 60_000, 10, none)).toHaveLength(1);
    const messages = await database.kysely.selectFrom("webhook_deliveries").select("next_at").execute();
    expect(messages.map(({ next_at }) => next_at)).toEqual([THEN, THEN + 60_000, THEN]);
    for (const notices of ["report_notices", "left_notices"] as const)
      expect(await database.kysely.selectFrom(notices).select("next_at").execute()).toEqual([
        { next_at: THEN + 60_000 },
      ]);
  });

  it("has the account's numbers forgotten that a submission left with whose outcome is open", async () => {
    const open = await submitting("open");
    const lost = await ledger.apply(await submitting("lost"), { type: "lost", at: NOW });
    const known = await ledger.apply(await submitting("known"), { type: "accepted", at: NOW, ...ANSWER });
    await setBack();
    const kept = async (id: string) => (await ledger.find(id))?.before;
    expect([await kept(open.id), await kept(lost.id), await kept(known.id)]).toEqual([null, null, NUMBERS]);
  });
});

function aMessage(id: string, next_at: number) {
  return {
    id,
    user: "http:shop",
    endpoint: null,
    url: "https://shop.example/hook",
    host: "shop.example",
    type: "ping",
    job: null,
    body: "{}",
    state: "due",
    attempts: "[]",
    failures: 0,
    next_at,
    created_at: NOW,
  };
}
