import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { IllegalTransition, type Job } from "../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { aRequest } from "../../support/job.ts";

let folder: string;
let database: Database;
const request = aRequest();
const { user, values } = request;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "ledger-"));
  database = await openDatabase(join(folder, "reelay.db"));
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const retell = async () => ({ retell: true });

/** Later than anything that is due here, in milliseconds. */
const NOW = 1_000;

/** What is under way: nothing. */
const NONE = { jobs: [], users: [] };

/** For so long a second press means the first. */
const TEN_SECONDS_MS = 10_000;

describe("the ledger", () => {
  it("forgets nobody while something of theirs is going on, and everything afterwards", async () => {
    const ledger = new Ledger(database, "one");
    const job = await ledger.add(request, 5);
    await expect(ledger.forget(user)).rejects.toMatchObject({ code: "jobs_open", params: { count: 1 } });
    expect(await ledger.find(job.id)).toBeDefined();
    const gone = await ledger.apply(job, { type: "cancelled", at: 6 });
    await ledger.apply(await ledger.apply(gone, { type: "delivering" }), { type: "delivered", at: 7 });
    await ledger.forget(user);
    expect(await ledger.find(job.id)).toBeUndefined();
  });

  it("counts what goes before each of a person's jobs that wait", async () => {
    const ledger = new Ledger(database, "one");
    const jobs: Job[] = [];
    for (const fingerprint of ["a", "b", "c"]) jobs.push(await ledger.add({ ...request, fingerprint }, 5));
    const [first, , last] = jobs.toSorted((a, b) => (a.id < b.id ? -1 : 1));
    if (!first || !last) throw new Error("They are there.");
    expect(await ledger.ahead(user, [last])).toEqual(new Map([[last.id, 2]]));
    const found = await ledger.ahead(user, [last, first]);
    expect([found.get(first.id), found.get(last.id)]).toEqual([0, 2]);
  });

  it("keeps a job whole, also for whoever opens the file next", async () => {
    const ledger = new Ledger(database, "one");
    let job = await ledger.add(request, 5);
    job = await ledger.apply(job, { type: "submitting", at: 6, balance: null });
    job = await ledger.apply(job, { type: "accepted", at: 7, serviceId: "s-1", cost: 4.5, balance: 95.5 });
    await ledger.keepReceipt(job, { id: "message" });
    const other = await openDatabase(join(folder, "reelay.db"));
    const found = await new Ledger(other, "two").find(job.id);
    await other.close();
    expect(found).toEqual({ ...job, receipt: { id: "message" } });
    expect(found).toMatchObject({
      state: "running",
      submittedAt: 6,
      acceptedAt: 7,
      cost: 4.5,
      balance: 95.5,
      values,
    });
  });

  it("keeps where a job's message will be along with the job, where that is known by then", async () => {
    const ledger = new Ledger(database, "one");
    const job = await ledger.add(request, 5, async (_, { id }) => ({ receipt: { message: id } }));
    expect(job.receipt).toEqual({ message: job.id });
    expect(await ledger.find(job.id)).toEqual(job);
    expect((await ledger.add(request, 6, async () => undefined)).receipt).toBeNull();
  });

  it("makes one job of one request, however often the platform hands it on", async () => {
    const ledger = new Ledger(database, "one");
    const named = { ...request, request: "telegram:7" };
    const first = await ledger.add(named, 5);
    const again = await new Ledger(database, "two").add(named, 6);
    expect(again).toEqual(first);
    expect((await ledger.add({ ...request, request: "telegram:8" }, 7)).id).not.toBe(first.id);
    expect(await ledger.count({ user })).toBe(2);
  });

  it("makes one job of one press, however often within seconds and whoever writes it", async () => {
    const ledger = new Ledger(database, "one");
    const pressed = { ...request, press: "again:1" };
    await ledger.add(pressed, 5);
    const twice = { code: "already_begun" };
    await expect(ledger.add(pressed, 5)).rejects.toMatchObject(twice);
    await expect(new Ledger(database, "two").add(pressed, 4 + TEN_SECONDS_MS)).rejects.toMatchObject(twice);
    expect(await ledger.wasPressed(user, "again:1", 4 + TEN_SECONDS_MS)).toBe(true);
    await ledger.add({ ...pressed, press: "again:2" }, 6);
    await ledger.add({ ...pressed, user: "web:somebody-else" }, 6);
    expect(await ledger.wasPressed(user, "again:1", 5 + TEN_SECONDS_MS)).toBe(false);
    await ledger.add(pressed, 5 + TEN_SECONDS_MS);
    expect(await ledger.count({ user })).toBe(3);
  });

  it("lets only one of two win who change the same job", async () => {
    const ledger = new Ledger(database, "one");
    const job = await ledger.add(request, 5);
    await ledger.apply(job, { type: "cancelled", at: 6 });
    await expect(ledger.apply(job, { type: "submitting", at: 6, balance: null })).rejects.toThrow(
      IllegalTransition,
    );
    expect((await ledger.find(job.id))?.state).toBe("cancelled");
  });

  it("lets no twin leave while one is on its way or lost, and tells others apart", async () => {
    const ledger = new Ledger(database, "one");
    const first = await ledger.apply(await ledger.add(request, 5), {
      type: "submitting",
      at: 6,
      balance: null,
    });
    const twin = await ledger.add(request, 6);
    const other = await ledger.add({ ...request, fingerprint: "pan left" }, 7);
    const otherKey = await ledger.add({ ...request, keyId: "key-2" }, 8);
    await expect(ledger.apply(twin, { type: "submitting", at: 9, balance: null })).rejects.toThrow(
      IllegalTransition,
    );
    await ledger.apply(other, { type: "submitting", at: 9, balance: null });
    await ledger.apply(otherKey, { type: "submitting", at: 9, balance: null });
    expect(await ledger.roomFor(twin, twin.keyId)).toEqual({ running: 0, unsure: 0, hasTwin: true });
    expect(await ledger.roomFor(first, first.keyId)).toMatchObject({ hasTwin: false });
    expect(await ledger.roomFor(otherKey, "key-3")).toMatchObject({ hasTwin: false });
    // It keeps a twin from being sent, and from nothing else.
    const third = await ledger.add(request, 8);
    await ledger.apply(third, { type: "cancelled", at: 9 });
    const lost = await ledger.apply(first, { type: "lost", at: 7 });
    await expect(ledger.apply(twin, { type: "submitting", at: 9, balance: null })).rejects.toThrow(
      IllegalTransition,
    );
    await ledger.apply(lost, { type: "accepted", at: 10, serviceId: "s-1", cost: 1, balance: 1 });
    await ledger.apply(twin, { type: "submitting", at: 11, balance: null });
  });

  it("never gives one job of the service to two of ours", async () => {
    const ledger = new Ledger(database, "one");
    const accepted = { type: "accepted", at: 7, serviceId: "s-1", cost: 1, balance: 1 } as const;
    const first = await ledger.apply(await ledger.add(request, 5), {
      type: "submitting",
      at: 6,
      balance: null,
    });
    const second = await ledger.apply(await ledger.add({ ...request, fingerprint: "b" }, 5), {
      type: "submitting",
      at: 6,
      balance: null,
    });
    await ledger.apply(first, accepted);
    await expect(ledger.apply(second, accepted)).rejects.toThrow(/unique/i);
    expect((await ledger.holders(["s-1"])).map(({ id }) => id)).toEqual([first.id]);
    expect((await ledger.holders(["s-2", "s-1"])).map(({ id }) => id)).toEqual([first.id]);
    expect(await ledger.holders([])).toEqual([]);
  });

  it("finds what else may have moved an account's numbers: its key's jobs since, and whoever has a record", async () => {
    const ledger = new Ledger(database, "one");
    let sent = 0;
    const accept = async (keyId: string, serviceId: string, at: number) => {
      const job = await ledger.add({ ...request, keyId, fingerprint: `f-${(sent += 1)}` }, at);
      const submitted = await ledger.apply(job, { type: "submitting", at, balance: null });
      return ledger.apply(submitted, { type: "accepted", at: at + 1, serviceId, cost: 1, balance: 1 });
    };
    const job = await ledger.add({ ...request, keyId: "mine", fingerprint: "ours" }, 100);
    await accept("mine", "long-ago", 10);
    const since = await accept("mine", "since", 110);
    const held = await accept("another", "held", 10);
    await accept("another", "foreign", 110);
    const found = await ledger.othersSince(job, 100, ["held", "nobodys"]);
    expect(found.map(({ id }) => id).toSorted()).toEqual([since.id, held.id].toSorted());
  });

  it("takes over what a dead process left open, in a state from which it can go on", async () => {
    const dead = new Ledger(database, "dead");
    const queued = await dead.add(request, 1);
    const submitting = await dead.apply(await dead.add({ ...request, fingerprint: "b" }, 2), {
      type: "submitting",
      at: 3,
      balance: null,
    });
    let delivering = await dead.apply(await dead.add({ ...request, fingerprint: "c" }, 3), {
      type: "submitting",
      at: 3,
      balance: null,
    });
    delivering = await dead.apply(delivering, {
      type: "accepted",
      at: 4,
      serviceId: "s-1",
      cost: 1,
      balance: 1,
    });
    delivering = await dead.apply(delivering, { type: "completed", at: 5, result: ["/a.mp4"], cost: 1 });
    delivering = await dead.apply(delivering, { type: "delivering" });
    const elsewhere = await dead.add({ ...request, surface: "cli" }, 4);
    let done = await dead.apply(await dead.add(request, 5), { type: "cancelled", at: 6 });
    done = await dead.apply(done, { type: "delivering" });
    done = await dead.apply(done, { type: "delivered", at: 7 });

    const heir = new Ledger(database, "heir");
    const heard: string[] = [];
    heir.onChange(({ job }) => heard.push(job.id));
    expect(await heir.adopt(["dead"], ["web"])).toBe(3);
    expect(await heir.adopt(["dead"], ["web"])).toBe(0);
    expect(heard.toSorted()).toEqual([queued.id, submitting.id, delivering.id].toSorted());
    expect((await heir.inState("queued")).map(({ id }) => id)).toEqual([queued.id]);
    expect((await heir.inState("unsure")).map(({ id }) => id)).toEqual([submitting.id]);
    expect((await heir.undelivered(NOW, 10, NONE)).map(({ id, delivery }) => [id, delivery])).toEqual([
      [delivering.id, "due"],
    ]);
    expect((await dead.inState("queued")).map(({ id }) => id)).toEqual([elsewhere.id]);
    expect((await heir.find(done.id))?.state).toBe("cancelled");
  });

  describe("of a job that was taken over", () => {
    const intent = { type: "submitting", at: 3, balance: null } as const;

    it("takes nothing more from whoever had it before, not even when that one takes it back", async () => {
      const [paused, heir] = [new Ledger(database, "paused"), new Ledger(database, "heir")];
      const job = await paused.apply(await paused.add(request, 1), intent);
      const waiting = await paused.add({ ...request, fingerprint: "b" }, 2);
      const shown = await paused.apply(await paused.add({ ...request, fingerprint: "c" }, 2), {
        type: "cancelled",
        at: 3,
      });
      const late = async () => {
        for (const event of [
          { type: "accepted", at: 9, serviceId: "s-1", cost: 1, balance: 1 },
          { type: "releasing", at: 9 },
          { type: "postponed", until: 0 },
          { type: "lost", at: 9 },
          { type: "failed", at: 9, error: { code: "internal", params: {} }, cost: 0 },
        ] as const)
          await expect(paused.apply(job, event)).rejects.toThrow(IllegalTransition);
        await expect(paused.apply(waiting, intent)).rejects.toThrow(IllegalTransition);
        await expect(paused.apply(shown, { type: "delivering" })).rejects.toThrow(IllegalTransition);
        await expect(paused.keepReceipt(shown, { id: "late" })).rejects.toThrow(IllegalTransition);
      };
      expect(await heir.adopt(["paused"], ["web"])).toBe(3);
      await late();
      expect(await paused.adopt(["heir"], ["web"])).toBe(3);
      const unsure = await paused.find(job.id);
      if (!unsure) throw new Error("It is there.");
      // When it was sent is what it will be judged by.
      expect(unsure).toMatchObject({
        state: "unsure",
        submittedAt: 3,
        releasedAt: 3,
        fence: 2,
        receipt: null,
      });
      await paused.apply(unsure, { type: "absent" });
      await paused.apply(
        { ...waiting, fence: 2 },
        { type: "failed", at: 9, error: { code: "internal", params: {} }, cost: 0 },
      );
      await late();
    });

    it("still takes from everybody what whoever asked for it may do", async () => {
      const [paused, heir] = [new Ledger(database, "paused"), new Ledger(database, "heir")];
      const job = await paused.add(request, 1);
      await heir.adopt(["paused"], ["web"]);
      let done = await paused.apply(job, { type: "cancelled", at: 3 });
      done = await heir.apply({ ...done, fence: 1 }, { type: "delivering" });
      done = await heir.apply(done, { type: "delivered", at: 4 });
      const again = await paused.apply(done, { type: "redeliver" });
      expect(again.fence).toBe(2);
      await expect(heir.keepReceipt(done, { id: "late" })).rejects.toThrow(IllegalTransition);
      await paused.keepReceipt(again, { id: "new" });
      await paused.apply(again, { type: "delivering" });
      await heir.remove(job.id);
      expect(await paused.find(job.id)).toBeUndefined();
    });

    it("takes a new telling by whoever is asked, and leaves it with whoever is telling", async () => {
      const [one, two] = [new Ledger(database, "one"), new Ledger(database, "two")];
      let job = await one.apply(await one.add(request, 1), { type: "cancelled", at: 2 });
      job = await one.apply(job, { type: "delivering" });
      await two.retell(job.id, ["web"], retell);
      await one.keepReceipt(job, { id: "message" });
      job = await one.apply({ ...job, delivery: "due" }, { type: "delivering" });
      job = await one.apply(job, { type: "delivered", at: 3 });
      await two.retell(job.id, ["web"], retell);
      await expect(one.keepReceipt(job, { id: "late" })).rejects.toThrow(IllegalTransition);
      const [retold] = await two.undelivered(NOW, 9, NONE);
      if (!retold) throw new Error("It is to be told.");
      await two.apply(retold, { type: "delivering" });
    });
  });

  it("refuses what was still to be written of a telling before, once it is told anew", async () => {
    const ledger = new Ledger(database, "one");
    let job = await ledger.apply(await ledger.add(request, 1), { type: "cancelled", at: 2 });
    job = await ledger.apply(await ledger.apply(job, { type: "delivering" }), { type: "delivered", at: 3 });
    await ledger.retell(job.id, ["web"], retell);
    expect((await ledger.find(job.id))?.fence).toBe(job.fence + 1);
    await expect(ledger.keepReceipt(job, { id: "late" })).rejects.toThrow(IllegalTransition);
  });

  it("takes an end that is told in the database for one that is being told, until that is taken back", async () => {
    const [ledger, heir] = [
      new Ledger(database, "one", () => true),
      new Ledger(database, "heir", () => true),
    ];
    const ended = async (nth: number) => {
      const job = await ledger.add({ ...request, fingerprint: `${nth}` }, nth);
      return ledger.apply(job, { type: "failed", at: 2, error: { code: "internal", params: {} }, cost: 0 });
    };
    const [anew, left] = [await ended(0), await ended(1)];
    expect(await ledger.undelivered(NOW, 9, NONE)).toMatchObject([anew, left]);
    await ledger.retell(anew.id, ["web"], retell);
    await expect(ledger.apply(anew, { type: "delivered", at: 9 })).rejects.toThrow(IllegalTransition);
    expect(await heir.adopt(["one"], ["web"])).toBe(2);
    await expect(ledger.apply(left, { type: "delivered", at: 9 })).rejects.toThrow(IllegalTransition);
    const due = await heir.undelivered(NOW, 9, NONE);
    expect([anew, left, ...due].map(({ delivery }) => delivery)).toEqual([
      "delivering",
      "delivering",
      "due",
      "due",
    ]);
  });

  it("gives the oldest of what may be told now, and says when the next may be", async () => {
    const ledger = new Ledger(database, "teller");
    const ids: string[] = [];
    for (let nth = 0; nth < 4; nth++) {
      const job = await ledger.apply(await ledger.add(request, nth), { type: "cancelled", at: nth });
      ids.push(job.id);
      if (nth === 0)
        await ledger.apply(await ledger.apply(job, { type: "delivering" }), {
          type: "deferred",
          until: NOW + 5,
        });
      if (nth === 1) await ledger.apply(job, { type: "delivering" });
    }
    const due = async (now: number, limit: number, without = {}) =>
      (await ledger.undelivered(now, limit, { ...NONE, ...without })).map(({ id }) => id);
    expect(await due(NOW, 2)).toEqual(ids.slice(1, 3));
    expect(await due(NOW, 2, { jobs: ids.slice(0, 2) })).toEqual(ids.slice(2, 4));
    expect(await due(NOW, 2, { jobs: ids.slice(1, 2) })).toEqual(ids.slice(2, 4));
    expect(await due(NOW, 2, { users: [user] })).toEqual([]);
    expect(await ledger.nextDelivery(NOW)).toBe(NOW + 5);
    expect(await due(NOW + 5, 9)).toEqual(ids);
    expect(await ledger.nextDelivery(NOW + 5)).toBeUndefined();
  });

  it("takes over all at once: nobody comes upon a job that is still to be set back", async () => {
    const dead = new Ledger(database, "dead");
    for (let nth = 0; nth < 3; nth++)
      await dead.apply(await dead.apply(await dead.add(request, nth), { type: "cancelled", at: nth }), {
        type: "delivering",
      });
    const heir = new Ledger(database, "heir");
    const adopting = heir.adopt(["dead"], ["web"]);
    const looks = await Promise.all(Array.from({ length: 9 }, () => heir.undelivered(NOW, 10, NONE)));
    await adopting;
    expect(looks.flat().filter(({ delivery }) => delivery === "delivering")).toEqual([]);
    expect(await heir.undelivered(NOW, 10, NONE)).toHaveLength(3);
  });

  it("gives a result that is wanted once more to the process that was asked", async () => {
    const dead = new Ledger(database, "dead");
    let job = await dead.apply(await dead.add(request, 1), { type: "cancelled", at: 2 });
    job = await dead.apply(job, { type: "delivering" });
    job = await dead.apply(job, { type: "delivered", at: 3 });
    const asked = new Ledger(database, "asked");
    expect(await asked.isMine(job.id)).toBe(false);
    await asked.apply(job, { type: "redeliver" });
    expect(await asked.isMine(job.id)).toBe(true);
    expect((await asked.undelivered(NOW, 10, NONE)).map(({ id }) => id)).toEqual([job.id]);
  });

  it("lists a person's own jobs, newest first, page by page", async () => {
    const ledger = new Ledger(database, "one");
    const ids: string[] = [];
    for (let at = 1; at <= 5; at++) ids.unshift((await ledger.add(request, at)).id);
    await ledger.add({ ...request, user: "web:somebody" }, 9);
    const first = await ledger.ofUser(user, { limit: 3 });
    const second = await ledger.ofUser(user, { limit: 3, before: first.at(-1)?.id });
    expect([...first, ...second].map(({ id }) => id)).toEqual(ids);
  });
});
