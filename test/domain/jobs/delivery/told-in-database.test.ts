import { createReadStream, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { Account, Accounts } from "../../../../src/domain/accounts/accounts.ts";
import { Copies } from "../../../../src/domain/jobs/delivery/copies.ts";
import { Outbox } from "../../../../src/domain/jobs/delivery/delivery.ts";
import { Progress } from "../../../../src/domain/jobs/delivery/progress.ts";
import { Experience } from "../../../../src/domain/jobs/experience/experience.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { atomically } from "../../../../src/infrastructure/storage/exclusive.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import type { WriteTold } from "../../../../src/seam/surface/surface.ts";
import { Surfaces } from "../../../../src/seam/surface/surfaces.ts";
import { endedJob } from "../../../support/job.ts";
import { temporaryFolder, tinyClip } from "../../../support/sandbox.ts";
import { MemorySurface } from "../../../support/surface.ts";

const RECEIPT = { index: 7 };

const download = async () => ({ stream: createReadStream(tinyClip()), type: "video/mp4" });

/** A job whose result is there, an outbox, and a surface that tells in the database. */
async function opened() {
  /** What is to fail, what the surface does before it writes, and what happens while the file is looked at. */
  const faults = { flush: async () => {}, before: async () => {}, look: async () => {} };
  const scratch = temporaryFolder();
  const database = await openDatabase(join(temporaryFolder(), "reelay.db"), async (file) => {
    await faults.flush();
    await file.datasync();
  });
  const ledger = new Ledger(database, "me");
  /** How often the end was told and heard of, and how the job was as soon as it was told. */
  const seen = { told: 0, heard: 0, atOnce: [] as (string | undefined)[] };
  ledger.onChange(({ job }) => void (job.delivery === "delivered" && (seen.heard += 1)));
  const surface = new MemorySurface();
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
  const surfaces = new Surfaces([surface], []);
  const [log, experience] = [makeLogger({ level: "silent" }), await Experience.open(database)];
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
    await vi.waitFor(() => expect(seen.heard).toBe(1), 90_000);
    await outbox.stop();
    expect(await ledger.find(id)).toMatchObject({ delivery: "delivered", receipt: RECEIPT });
  };
  return { faults, database, ledger, outbox, scratch, seen, id, deliver };
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
