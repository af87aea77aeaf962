import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { IllegalTransition } from "../../../src/domain/jobs/job.ts";
import { laneOf } from "../../../src/domain/jobs/lane.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../support/failing-folder.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const request = aRequest();
const { user } = request;

let database: Database;
let ledger: Ledger;

beforeEach(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  ledger = new Ledger(database, "one");
});

afterEach(() => database.close());

const retell = async () => ({ retell: true });

async function isFull(): Promise<never> {
  await new Promise((resolve) => setImmediate(resolve));
  throw new Error("It is full.");
}

const erased = () =>
  database.kysely.selectFrom("erased_jobs").select(["user", "in_app_username"]).orderBy("rowid").execute();

describe("the ledger", () => {
  it("tells everyone who listens of each change, once, and warns of none", async () => {
    const warn = vi.spyOn(process, "emitWarning");
    onTestFinished(() => warn.mockRestore());
    const heard: string[] = [];
    for (let nth = 0; nth < 20; nth++) ledger.onChange(({ job }) => heard.push(job.state));
    const named = { ...request, request: "telegram:7" };
    const job = await ledger.add(named, 5);
    await ledger.add(named, 6);
    await ledger.apply(job, { type: "cancelled", at: 6 });
    expect(heard).toEqual(
      ["queued", "cancelled"].flatMap((state) => Array.from({ length: 20 }, () => state)),
    );
    expect(warn).not.toHaveBeenCalled();
  });

  it("writes no job where what belongs to it cannot be done", async () => {
    await expect(ledger.add(request, 5, isFull)).rejects.toThrow("It is full.");
    expect(await ledger.count({})).toBe(0);
  });

  it("says what was decided of telling a job anew, and tells who listens only where it is", async () => {
    const job = await ledger.apply(await ledger.add(request, 1), { type: "cancelled", at: 2 });
    const heard: unknown[] = [];
    ledger.onChange(({ job: { id, delivery } }) => heard.push([id, delivery]));
    expect(await ledger.retell(job.id, ["web"], async () => ({ retell: false, why: "same" }))).toEqual({
      retell: false,
      why: "same",
    });
    expect(heard).toEqual([]);
    expect(await ledger.retell(job.id, ["web"], async () => ({ retell: true, why: "new" }))).toEqual({
      retell: true,
      why: "new",
    });
    expect(heard).toEqual([[job.id, "due"]]);
    expect(await ledger.retell("none", ["web"], retell)).toBeUndefined();
  });

  it("tells who listens of what was written though its flush had failed, once", async () => {
    let failures = 0;
    const path = join(temporaryFolder(), "reelay.db");
    const failing = await openDatabase(path, async () => {
      if (failures-- > 0) throw Object.assign(new Error("EIO: i/o error, fdatasync"), { code: "EIO" });
    });
    onTestFinished(() => failing.close());
    const kept = new Ledger(failing, "one");
    const job = await kept.add(request, 1);
    const heard: string[] = [];
    kept.onChange(({ job: { state }, before }) => heard.push(`${before?.state} ${state}`));
    failures = 1;
    expect(await kept.settle(job, { type: "cancelled", at: 2 })).toMatchObject({ state: "cancelled" });
    expect(heard).toEqual(["queued cancelled"]);
  });

  it("leaves what it cannot tell anew to a process that can", async () => {
    let job = await ledger.apply(await ledger.add(request, 1), { type: "cancelled", at: 2 });
    job = await ledger.apply(await ledger.apply(job, { type: "delivering" }), { type: "delivered", at: 3 });
    await ledger.retell(job.id, ["cli"], retell);
    expect(await ledger.isMine(job.id)).toBe(false);
    expect(await new Ledger(database, "two").adopt([], [])).toBe(0);
    expect(await new Ledger(database, "two").adopt([], ["web"])).toBe(1);
  });

  it("counts what is queued before a job, and everything of a person", async () => {
    const over = await ledger.apply(await ledger.add(request, 1), { type: "cancelled", at: 2 });
    await ledger.apply(await ledger.apply(over, { type: "delivering" }), { type: "delivered", at: 3 });
    await ledger.apply(await ledger.add(request, 2), { type: "submitting", at: 3, balance: null });
    await ledger.add({ ...request, fingerprint: "b" }, 3);
    const last = await ledger.add({ ...request, fingerprint: "c" }, 4);
    expect(await ledger.ahead(user, [last])).toEqual(new Map([[last.id, 1]]));
    expect(await ledger.count({ user })).toBe(4);
  });

  it("counts on without the name of whoever was forgotten, or a partner's name for somebody", async () => {
    const told = async (who: typeof user, inAppUsername: string) => {
      const tags = { ...request.tags, inAppUsername };
      let job = await ledger.add({ ...request, user: who, tags }, 1);
      job = await ledger.apply(job, { type: "cancelled", at: 2 });
      job = await ledger.apply(await ledger.apply(job, { type: "delivering" }), { type: "delivered", at: 3 });
      await ledger.remove(job.id);
      expect(await ledger.find(job.id)).toBeUndefined();
    };
    await told(user, "ann");
    await told(user, "ben");
    await told("web:other", "ann");
    await ledger.forgetName(user, "ann");
    expect(await erased()).toEqual([
      { user, in_app_username: null },
      { user, in_app_username: "ben" },
      { user: "web:other", in_app_username: "ann" },
    ]);
    await ledger.add({ ...request, user: "web:other" }, 1);
    await ledger.forget(user);
    expect(await erased()).toEqual([
      { user: null, in_app_username: null },
      { user: null, in_app_username: null },
      { user: "web:other", in_app_username: "ann" },
    ]);
  });
});

describe("while the data folder fails", () => {
  it.each(FOLDER_FAULTS)(
    "what happened outside is written once it can be, and heard of once: %s",
    async (fault) => {
      await using folder = new FailingFolder(fault);
      const kept = new Ledger(await folder.open(), "one");
      const job = await kept.add(request, 1);
      const heard: string[] = [];
      kept.onChange((change) => heard.push(change.job.state));
      await folder.fail();
      const settled = kept.settle(job, { type: "cancelled", at: 2 }, { message: 7 });
      expect(await folder.mendOnceWaitedFor(settled)).toMatchObject({ state: "cancelled" });
      expect(heard).toEqual(["cancelled"]);
      expect(await kept.find(job.id)).toMatchObject({ state: "cancelled", receipt: { message: 7 } });
    },
  );

  it("nothing is written of a job that another process took over", async () => {
    await using folder = new FailingFolder(FOLDER_FAULTS[0]);
    const opened = await folder.open();
    const kept = new Ledger(opened, "one");
    const job = await kept.add(request, 1);
    await new Ledger(opened, "two").adopt(["one"], ["web"]);
    await folder.fail();
    const error = { code: "internal", params: {} } as const;
    const settled = kept.settle(job, { type: "failed", at: 2, error, cost: 0 });
    await expect(folder.mendOnceWaitedFor(settled)).rejects.toThrow(IllegalTransition);
    expect(await kept.find(job.id)).toMatchObject({ state: "queued" });
  });

  it("a job that is there, although the disk said that it is not, is no failure", async () => {
    await using folder = new FailingFolder(FOLDER_FAULTS[1]);
    const kept = new Ledger(await folder.open(), "one");
    const heard: string[] = [];
    kept.onChange((change) => heard.push(change.job.state));
    await folder.fail();
    const job = await folder.mendOnceWaitedFor(kept.add(request, 1));
    expect(heard).toEqual(["queued"]);
    expect(await kept.nextQueued(laneOf(job))).toEqual(job);
  });
});
