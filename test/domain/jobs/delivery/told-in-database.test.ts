import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Account, Accounts } from "../../../../src/domain/accounts/accounts.ts";
import { Copies } from "../../../../src/domain/jobs/delivery/copies.ts";
import { Outbox } from "../../../../src/domain/jobs/delivery/delivery.ts";
import { Progress } from "../../../../src/domain/jobs/delivery/progress.ts";
import { Experience } from "../../../../src/domain/jobs/experience/experience.ts";
import { IllegalTransition } from "../../../../src/domain/jobs/job.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { atomically } from "../../../../src/infrastructure/storage/exclusive.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import type { Surface, WriteTold } from "../../../../src/seam/surface/surface.ts";
import { Surfaces } from "../../../../src/seam/surface/surfaces.ts";
import { aRequest, endedJob } from "../../../support/job.ts";
import { temporaryFolder, tinyClip } from "../../../support/sandbox.ts";
import { MemorySurface } from "../../../support/surface.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const RECEIPT = { index: 7 };

const download = async () => ({ stream: createReadStream(tinyClip()), type: "video/mp4" });

/**
 * A job whose result is there, an outbox, and a surface that tells in the database.
 * @param tellsIn what it says of that
 */
async function opened(tellsIn: Surface["tellsIn"] = "platform") {
  /** What is to fail, what the surface does before it writes, and what happens while the file is looked at. */
  const faults = { flush: async () => {}, before: async () => {}, look: async () => {} };
  const scratch = temporaryFolder();
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"), async (file) => {
    await faults.flush();
    await file.datasync();
  });
  const surface = new MemorySurface();
  surface.tellsIn = tellsIn;
  const surfaces = new Surfaces([surface], []);
  const ledgerOf = (runner: string) => new Ledger(database, runner, (name) => surfaces.tellsInDatabase(name));
  const ledger = ledgerOf("me");
  /** How often the end was told and heard of, and how the job was as soon as it was told. */
  const seen = { told: 0, heard: 0, atOnce: [] as (string | undefined)[] };
  ledger.onChange(({ job }) => void (job.delivery === "delivered" && (seen.heard += 1)));
  surface.deliver = async (_address, view, write?: WriteTold) => {
    if (view.kind !== "result") return RECEIPT;
    seen.told += 1;
    await faults.before();
    try {
      await atomically(database.kysely, async (kysely) => write?.(RECEIPT, { kysely }));
    } finally {
      seen.atOnce.push((await ledger.find(view.job.id))?.delivery);
      faults.flush = async () => {};
    }
    return RECEIPT;
  };
  const [log, experience] = [makeLogger({ level: "silent" }), await Experience.open(database, "sandbox")];
  const account = { keyId: "key-1", tellsBalance: true, api: () => ({ download }) } as unknown as Account;
  const outbox = new Outbox({
    ledger,
    accounts: { of: async () => account } as unknown as Accounts,
    surfaces,
    progress: new Progress({ ledger, surfaces, experience, log }),
    copies: new Copies(memory(database, "copies"), surfaces, log),
    release: async () => ({ kind: "deliver", spoiler: false }),
    experience,
    log,
    look: () => faults.look(),
    scratch,
  });
  onTestFinished(async () => {
    await outbox.stop();
    await database.close();
  });
  const id = await endedJob(ledger, {}, { at: Date.now() - 60_000, seconds: 1, cost: 4 });
  /** Delivers it to the end. */
  const deliver = async () => {
    outbox.start();
    await vi.waitFor(() => expect(seen.heard).toBe(1), PATIENCE_MS);
    await outbox.stop();
    expect(await ledger.find(id)).toMatchObject({ delivery: "delivered", receipt: RECEIPT });
  };
  return { faults, database, ledger, ledgerOf, outbox, scratch, seen, id, deliver };
}

describe("a surface that tells in the database", () => {
  it("writes in the transaction in which it tells that it did", async () => {
    const { deliver, seen } = await opened();
    await deliver();
    expect(seen).toEqual({ told: 1, heard: 1, atOnce: ["delivered"] });
  });

  it("tells nothing again that is there although its flush failed, and is heard of once it is on disk", async () => {
    const { deliver, seen, ledger, faults } = await opened();
    ledger.onChange(({ job }) => {
      if (job.delivery === "delivering") faults.flush = () => Promise.reject(new Error("EIO"));
    });
    await deliver();
    expect(seen).toEqual({ told: 1, heard: 1, atOnce: ["delivered"] });
  });

  it("tells nothing of a job that is to be told anew meanwhile, but that", async () => {
    const { deliver, seen, ledger, faults, id } = await opened();
    faults.before = async () => {
      faults.before = async () => {};
      await ledger.retell(id, ["web"], async () => ({ retell: true }));
    };
    await deliver();
    expect(seen).toEqual({ told: 2, heard: 1, atOnce: ["due", "delivered"] });
  });
});

describe("a surface that says that it tells in the database", () => {
  const over = { type: "completed", at: 4, result: ["/a.mp4"], cost: 1 } as const;
  const intent = { type: "submitting", at: 2, balance: null } as const;
  const taken = { type: "accepted", at: 3, serviceId: "s", cost: 1, balance: 9 } as const;
  /** One that the service works on. */
  const running = async (ledger: Ledger) =>
    ledger.apply(await ledger.apply(await ledger.add(aRequest(), 1), intent), taken);

  it("has nothing written between the end of a job and that it was told", async () => {
    const { deliver, seen, ledger, id } = await opened("database");
    expect(await ledger.find(id)).toMatchObject({ state: "completed", delivery: "delivering" });
    const changes: (string | undefined)[][] = [];
    ledger.onChange(({ job, before }) => changes.push([before?.delivery, job.delivery]));
    await deliver();
    expect(changes).toEqual([["delivering", "delivered"]]);
    expect(seen).toEqual({ told: 1, heard: 1, atOnce: ["delivered"] });
  });

  it("tells what ends while it waits for that", async () => {
    const { seen, ledger, outbox } = await opened("database");
    const job = await running(ledger);
    outbox.start();
    await vi.waitFor(() => expect(seen.heard).toBe(1), PATIENCE_MS);
    await ledger.settle(job, over);
    await vi.waitFor(() => expect(seen.heard).toBe(2), PATIENCE_MS);
    expect(await ledger.find(job.id)).toMatchObject({ delivery: "delivered" });
    expect(seen.told).toBe(2);
  });

  it("tells nothing of a job that is to be told anew meanwhile, but that", async () => {
    const { deliver, seen, ledger, faults, id } = await opened("database");
    faults.before = async () => {
      faults.before = async () => {};
      await ledger.retell(id, ["web"], async () => ({ retell: true }));
    };
    await deliver();
    expect(seen).toEqual({ told: 2, heard: 1, atOnce: ["due", "delivered"] });
  });

  it("tells nothing again that is there although its flush failed", async () => {
    const { deliver, seen, faults } = await opened("database");
    faults.before = async () => void (faults.flush = () => Promise.reject(new Error("EIO")));
    await deliver();
    expect(seen).toEqual({ told: 1, heard: 1, atOnce: ["delivered"] });
  });

  it("has the end be heard of once it is on disk, where its flush failed", async () => {
    const { ledger, faults } = await opened("database");
    const job = await running(ledger);
    const heard: string[] = [];
    ledger.onChange(({ job: { id, delivery } }) => void (id === job.id && heard.push(delivery)));
    faults.flush = async () => {
      faults.flush = async () => {};
      throw new Error("EIO");
    };
    expect(await ledger.settle(job, over)).toMatchObject({ delivery: "delivering" });
    expect(heard).toEqual(["delivering"]);
  });

  it("tells once what a process left that had begun, and lets that one tell nothing", async () => {
    const { seen, ledger, ledgerOf, outbox } = await opened("database");
    const dead = ledgerOf("dead");
    const left = await dead.apply(await running(dead), over);
    expect(await ledger.adopt(["dead"], ["web"])).toBe(1);
    expect(await ledger.find(left.id)).toMatchObject({ delivery: "due", fence: 1 });
    await expect(dead.apply(left, { type: "delivered", at: 5 })).rejects.toThrow(IllegalTransition);
    outbox.start();
    await vi.waitFor(() => expect(seen.heard).toBe(2), PATIENCE_MS);
    expect(await ledger.find(left.id)).toMatchObject({ delivery: "delivered" });
    expect(seen.told).toBe(2);
  });

  it("begins nothing that is to wait, or that another process may have ended", async () => {
    const { ledger } = await opened("database");
    const late = await ledger.apply(await running(ledger), { ...over, lateUntil: 9 });
    expect(late).toMatchObject({ delivery: "due", awaits: "file", notBefore: 9 });
    const waiting = await ledger.add(aRequest({ fingerprint: "other" }), 5);
    expect(await ledger.apply(waiting, { type: "cancelled", at: 6 })).toMatchObject({ delivery: "due" });
  });
});

it("an outbox that stood still posts nothing that another process took over meanwhile", async () => {
  const { database, faults, id, outbox, scratch, seen } = await opened();
  const heir = new Ledger(database, "heir");
  const looked = Promise.withResolvers<void>();
  faults.look = async () => {
    await heir.adopt(["me"], ["web"]);
    looked.resolve();
  };
  outbox.start();
  await looked.promise;
  await expect.poll(() => readdirSync(scratch)).toEqual([]);
  expect(seen.told).toBe(0);
  expect(await heir.find(id)).toMatchObject({ delivery: "due", fence: 1 });
});
