import { copyFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const JOBS = 12;

/** What was promised, and how much of the log the disk certainly had by then, in bytes. */
interface Promised {
  readonly name: string;
  readonly bytes: number;
}

/** A database whose disk has of the log what was there when it was last asked to keep it. */
async function withDisk(path: string) {
  const disk = { bytes: 0 };
  const database = await openDatabase(path, async (log) => {
    const { size } = await log.stat();
    await log.datasync();
    disk.bytes = size;
  });
  return { database, disk };
}

/** Writes jobs, each in one transaction with an entry that names it, and then that its POST leaves. */
async function write(database: Database, disk: { readonly bytes: number }) {
  const ledger = new Ledger(database, "me");
  const [written, sent]: [Promised[], Promised[]] = [[], []];
  for (let nth = 0; nth < JOBS; nth++) {
    const request = aRequest({ request: `request ${nth}`, fingerprint: `${nth}` });
    const job = await ledger.add(request, nth, (within, { id }) => memory(within, "answers").set(id, nth));
    written.push({ name: job.id, bytes: disk.bytes });
    await ledger.apply(job, { type: "submitting", at: nth, balance: null });
    sent.push({ name: job.id, bytes: disk.bytes });
  }
  return { written, sent };
}

/** What is there of them. */
async function found(path: string) {
  const database = await openDatabase(path);
  try {
    const jobs = await database.kysely.selectFrom("jobs").select(["id", "state"]).orderBy("id").execute();
    const entries = await memory(database, "answers").entries();
    return {
      jobs: jobs.map(({ id }) => id),
      sent: jobs.filter(({ state }) => state === "submitting").map(({ id }) => id),
      named: entries.map(([id]) => id).sort(),
    };
  } finally {
    await database.close();
  }
}

describe("a power cut", () => {
  it.each([
    ["the end of the log is missing", (log: Buffer, at: number) => log.subarray(0, at)],
    ["the end of the log is torn", (log: Buffer, at: number) => filled(log, at, 0xa5)],
    ["the end of the log was never written", (log: Buffer, at: number) => filled(log, at, 0)],
    ["one byte of the log is another", (log: Buffer, at: number) => filled(log, at, 0x5a, at + 1)],
  ])("leaves all that was promised before it, and nothing by half, where %s", async (_, cut) => {
    const path = join(temporaryFolder(), "reelay.db");
    const { database, disk } = await withDisk(path);
    const before = statSync(`${path}-wal`).size;
    const { written, sent } = await write(database, disk);
    const log = readFileSync(`${path}-wal`);
    const copies = temporaryFolder();
    // Where something was promised, and between: upon heads, middles and ends of what the log is made of.
    const step = Math.floor((log.length - before) / 24);
    const between = Array.from({ length: 24 }, (_none, nth) => before + nth * step);
    for (const at of new Set([...between, ...[...written, ...sent].map(({ bytes }) => bytes)])) {
      const copy = join(copies, String(at), "reelay.db");
      mkdirSync(join(copies, String(at)));
      copyFileSync(path, copy);
      writeFileSync(`${copy}-wal`, cut(log, at));
      const there = await found(copy);
      const promised = ({ bytes }: Promised) => bytes <= at;
      const names = written.map(({ name }) => name);
      expect(there.jobs).toEqual(names.slice(0, there.jobs.length));
      expect(there.jobs.length).toBeGreaterThanOrEqual(written.filter(promised).length);
      expect(there.sent).toEqual(names.slice(0, there.sent.length));
      expect(there.sent.length).toBeGreaterThanOrEqual(sent.filter(promised).length);
      // A transaction is there as a whole, or not at all.
      expect(there.named).toEqual(there.jobs);
    }
    await database.close();
  });
});

function filled(log: Buffer, from: number, byte: number, to = log.length): Buffer {
  return Buffer.from(log).fill(byte, from, Math.min(to, log.length));
}
