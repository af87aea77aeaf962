import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { Surfaces } from "../../../../src/seam/surface/surfaces.ts";
import type { Job } from "../../../../src/domain/jobs/job.ts";
import { KeyNotices } from "../../../../src/domain/jobs/delivery/key-notices.ts";
import { Ledger } from "../../../../src/domain/jobs/ledger.ts";
import { wake } from "../../../../src/domain/jobs/wake.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { FailingFolder, FOLDER_FAULTS } from "../../../support/failing-folder.ts";
import { aRequest } from "../../../support/job.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { MemorySurface } from "../../../support/surface.ts";
import { eventually } from "../../../support/eventually.ts";

let database: Database;
let ledger: Ledger;
let surface: MemorySurface;
let notices: KeyNotices;

beforeEach(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  watch(database);
});

/** Tells of what is in a database. */
function watch(database: Database): void {
  ledger = new Ledger(database, "me");
  surface = new MemorySurface();
  const log = makeLogger({ level: "silent" });
  const told = memory(database, "told");
  notices = new KeyNotices({
    ledger,
    surfaces: new Surfaces([surface], []),
    isOperators: async ({ user }) => user === "telegram:guest",
    told,
    log,
  });
  notices.start();
}

afterEach(async () => {
  await notices.stop();
  await database.close();
});

async function running(fingerprint: string, cost: number | null): Promise<Job> {
  let job = await ledger.add(aRequest({ fingerprint, chat: "web:group" }), 1);
  job = await ledger.apply(job, { type: "submitting", at: 1, balance: null });
  return ledger.apply(job, { type: "accepted", at: 1, serviceId: fingerprint, cost, balance: null });
}

const refused = (job: Job) => ledger.apply(job, { type: "held", awaits: "key", until: 60 });

it("tells once of a key that was refused twice, with what waits for it", async () => {
  const first = await refused(await running("a", 1.1));
  await refused(await running("c", null));
  await refused(await refused(await running("b", 2.2)));
  await eventually(() => expect(surface.showing("problem")).toHaveLength(1));
  expect(surface.showing("problem")[0]).toEqual({
    kind: "problem",
    problem: { code: "key_refused", params: { count: 3 } },
    charged: 3.3,
    actions: [{ token: "reconnect:key", label: { key: "command.connect" }, style: "primary" }],
  });
  await refused(await refused(first));
  await notices.stop();
  expect(surface.showing("problem")).toHaveLength(1);
});

it("tells nobody of what was refused once, of what else is waited for, nor of what did not change", async () => {
  const once = await refused(await running("a", 1));
  // Another refusal of this kind is none.
  const file = await ledger.apply(await running("b", 1), { type: "held", awaits: "record", until: 60 });
  await ledger.apply(file, { type: "held", awaits: "record", until: 70 });
  await ledger.apply(once, { type: "woken" });
  await notices.stop();
  expect(surface.showing("problem")).toEqual([]);
});

it("is told again where the platform did not take it", async () => {
  let tries = 0;
  surface.beforePost = () => {
    if (++tries === 1) throw new Error("away");
  };
  const twice = await refused(await refused(await running("a", 1)));
  await eventually(() => expect(tries).toBe(1));
  await refused(twice);
  await eventually(() => expect(surface.showing("problem")).toHaveLength(1));
});

it("has what waits for a key tried at once, for a person or a group, and nothing else", async () => {
  const waiting = await refused(await running("a", 1));
  const other = await ledger.apply(await running("b", 1), { type: "held", awaits: "record", until: 60 });
  await wake(ledger, { user: "web:somebody" });
  await wake(ledger, { chat: "web:elsewhere" });
  expect((await ledger.find(waiting.id))?.notBefore).toBe(60);
  await wake(ledger, { chat: "web:group" });
  expect((await ledger.find(waiting.id))?.notBefore).toBe(0);
  await refused(waiting);
  await wake(ledger, { user: waiting.user });
  expect((await ledger.find(waiting.id))?.notBefore).toBe(0);
  expect((await ledger.find(other.id))?.notBefore).toBe(60);
});

it.each(FOLDER_FAULTS)(
  "is told once, although that it was could not be written at first: %s",
  async (fault) => {
    await using folder = new FailingFolder(fault);
    watch(await folder.open());
    surface.beforePost = () => folder.fail();
    const twice = await refused(await refused(await running("a", 1)));
    await eventually(() => expect(surface.showing("problem")).toHaveLength(1));
    await folder.mendOnceWaitedFor(notices.stop());
    surface.beforePost = () => {};
    notices.start();
    await refused(twice);
    await notices.stop();
    expect(surface.showing("problem")).toHaveLength(1);
  },
);
