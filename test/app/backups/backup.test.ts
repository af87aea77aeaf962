import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, readFileSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { backUp, restore } from "../../../src/app/backups/backup.ts";
import { openStore } from "../../../src/app/data-folder.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { ARRIVED, PRESSED } from "../../../src/common/memory.ts";
import { sealedMemory } from "../../../src/seam/surface/sealed-memory.ts";
import type { Database } from "../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { openVault } from "../../../src/infrastructure/vault/open.ts";
import { aRequest } from "../../support/job.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const MODULE = new URL("../../../src/app/backups/backup.ts", import.meta.url).href;

const placeIn = (data: string) => ({ data, store: join(data, "reelay.db"), secret: undefined });

const inboxIn = async (place: ReturnType<typeof placeIn>, database: Database) =>
  sealedMemory(database, await openVault(place, database, makeLogger({ level: "silent" })), "telegram");

/** A data folder with a job in every state that it can be left in, and with files. */
async function aFolder() {
  const place = placeIn(temporaryFolder());
  const database = await openStore(place);
  const ledger = new Ledger(database, "me");
  const added = async (fingerprint: string) => ledger.add({ ...aRequest(), fingerprint }, 1);
  const submitting = async (fingerprint: string) =>
    ledger.apply(await added(fingerprint), { type: "submitting", at: 2, balance: null });
  const jobs = {
    queued: await added("a"),
    submitting: await submitting("b"),
    unsure: await ledger.apply(await submitting("c"), { type: "lost", at: 3 }),
    running: await ledger.apply(await submitting("d"), {
      type: "accepted",
      at: 3,
      serviceId: "s-1",
      cost: 4,
      balance: null,
    }),
    cancelled: await ledger.apply(await added("e"), { type: "cancelled", at: 2 }),
  };
  writeFileSync(join(place.data, "secret"), "s3cret\n", { mode: 0o600 });
  const inbox = await inboxIn(place, database);
  await inbox.set(`${ARRIVED}6`, null);
  await inbox.set(`${ARRIVED}7`, { said: "a press" });
  await inbox.set("offset", 7);
  const page = memory(database, "web");
  await page.set(`${ARRIVED}8`, { asked: "for a film" });
  await page.set(`${PRESSED}9`, { token: "delete-all-now" });
  const files = { secret: "s3cret\n", "media/abc": "a photo", "audit/x/y": "words" };
  for (const [name, text] of Object.entries({
    ...files,
    "scratch/z": "a moment",
    "sandbox/w.db": "a world",
  })) {
    mkdirSync(dirname(join(place.data, name)), { recursive: true });
    writeFileSync(join(place.data, name), text);
  }
  return { place, database, ledger, jobs, files };
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted();

describe("a backup", () => {
  it("is everything as it was at one moment, while more is written; nothing in it is paid for once more", async () => {
    const { place, database, ledger, jobs, files } = await aFolder();
    const to = join(temporaryFolder(), "backup");
    const over = new AbortController();
    const writing = (async () => {
      while (!over.signal.aborted) await ledger.add({ ...aRequest(), fingerprint: "later" }, 5);
    })();
    const done = await backUp(place, to);
    over.abort();
    await writing;
    // Between the backup and what it is good for, all of them went on.
    await ledger.apply(jobs.queued, { type: "submitting", at: 9, balance: null });
    await database.close();
    expect(done).toMatchObject({ files: 4, hasSecret: true });
    expect(readdirSync(dirname(to))).toEqual(["backup"]);

    const back = placeIn(join(temporaryFolder(), "new"));
    const restored = await restore(back, to);
    expect(filesIn(back.data)).toEqual([...Object.keys(files), "reelay.db"].toSorted());
    for (const [name, text] of Object.entries(files))
      expect(readFileSync(join(back.data, name), "utf8")).toBe(text);

    const opened = await openStore(back);
    const heir = new Ledger(opened, "heir");
    const written = await heir.count({});
    expect(restored).toMatchObject({ files: 4, ended: written - 2 });
    for (const { id } of [jobs.queued, jobs.submitting, jobs.unsure])
      expect(await heir.find(id)).toMatchObject({
        state: "failed",
        delivery: "due",
        error: { code: "restored" },
        cost: null,
      });
    for (const job of [jobs.running, jobs.cancelled])
      expect(await heir.find(job.id)).toMatchObject({ state: job.state, serviceId: job.serviceId });
    // Known to have arrived, lest a platform's repeating them does them again; and done.
    expect(new Map(await (await inboxIn(back, opened)).entries())).toEqual(
      new Map<string, unknown>([
        [`${ARRIVED}6`, null],
        [`${ARRIVED}7`, null],
        ["offset", 7],
      ]),
    );
    // What was asked for on the page may have been made after the backup; what was pressed is not to take away what came back.
    expect(await memory(opened, "web").entries()).toEqual([
      [`${ARRIVED}8`, null],
      [`${PRESSED}9`, null],
    ]);
    // Whoever starts next works on them and tells of them.
    expect(await heir.adopt([], ["web"])).toBe(written);
    await opened.close();
  });

  it("has the jobs of test tokens as they are at that moment, too, and not their sandbox", async () => {
    const { place, database } = await aFolder();
    const tests = await openStore(placeIn(join(place.data, "test")));
    const job = await new Ledger(tests, "me").add(aRequest(), 1);
    mkdirSync(join(place.data, "test", "sandbox"));
    writeFileSync(join(place.data, "test", "sandbox", "w.db"), "a world");
    const to = join(temporaryFolder(), "backup");
    expect(await backUp(place, to)).toMatchObject({ files: 5 });
    expect(readdirSync(dirname(to))).toEqual(["backup"]);
    await tests.close();
    await database.close();

    const back = placeIn(join(temporaryFolder(), "new"));
    await restore(back, to);
    expect(readdirSync(join(back.data, "test"))).toEqual(["reelay.db"]);
    const opened = await openStore(placeIn(join(back.data, "test")));
    expect(await new Ledger(opened, "heir").find(job.id)).toMatchObject({ state: "queued" });
    await opened.close();
  });

  it("is not made of nothing, and says where the secret is not in it", async () => {
    const empty = placeIn(temporaryFolder());
    const to = join(temporaryFolder(), "backup");
    expect(await backUp(empty, to)).toEqual({ refused: "missing", path: empty.data });
    await (await openStore(empty)).close();
    expect(await backUp(empty, to)).toMatchObject({ hasSecret: false });
  });

  it("is not made in the data folder, where the next one would hold it", async () => {
    const { place, database } = await aFolder();
    await database.close();
    const before = filesIn(place.data);
    for (const to of [join(place.data, "in.backup"), join(place.data, "media", "in.backup")])
      expect(await backUp(place, to)).toEqual({ refused: "inside", path: to });
    expect(filesIn(place.data)).toEqual(before);
  });

  it("is made by one of two that would write the same file; what a killed one left is in nobody's way", async () => {
    const { place, database } = await aFolder();
    await database.close();
    // The one takes long enough for the other to find it at work.
    writeFileSync(join(place.data, "media", "large"), Buffer.alloc(40_000_000, 7));
    const folder = temporaryFolder();
    const to = join(folder, "backup");
    for (const end of ["lock", "unfinished", "database"]) writeFileSync(`${to}.${end}`, "");
    const both = await Promise.all([backUp(place, to), backUp(place, to)]);
    // Which of the two comes first, nobody says.
    expect(both).toContainEqual(expect.objectContaining({ hasSecret: true }));
    expect(both).toContainEqual({ refused: "under_way", path: to });
    expect(filesIn(folder)).toEqual(["backup"]);
  });

  it("does not say where a server listens, nor do earlier ones that are gone back to", async () => {
    const { place, database } = await aFolder();
    await database.close();
    const listening = JSON.stringify({ url: "http://127.0.0.1:1" });
    writeFileSync(join(place.data, "listening.json"), listening);
    const to = join(temporaryFolder(), "backup");
    expect(await backUp(place, to)).toMatchObject({ files: 4 });
    // As it was in them.
    const archive = new DatabaseSync(to);
    archive.prepare("update files set name = 'listening.json' where name = 'media/abc'").run();
    archive.prepare("update parts set name = 'listening.json' where name = 'media/abc'").run();
    archive.close();
    const back = placeIn(join(temporaryFolder(), "new"));
    expect(await restore(back, to)).toMatchObject({ files: 3 });
    expect(filesIn(back.data)).toEqual(["audit/x/y", "reelay.db", "secret"]);
  });

  it("is not made of a database that is empty though it was in use: those that are whole stay", async () => {
    const { place, database } = await aFolder();
    await database.close();
    truncateSync(place.store);
    const folder = temporaryFolder();
    await expect(backUp(place, join(folder, "backup"))).rejects.toThrow(/reelay\.db, which is empty/);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is gone back to where nothing is, whole or not at all", async () => {
    const { place, database } = await aFolder();
    await database.close();
    const to = join(temporaryFolder(), "backup");
    await backUp(place, to);
    expect(await restore(place, to)).toEqual({ refused: "in_use", path: place.data });
    const back = placeIn(join(temporaryFolder(), "new"));
    const bereft = placeIn(temporaryFolder());
    writeFileSync(`${bereft.store}-wal`, "the log of a database that is gone");
    expect(await restore(bereft, to)).toEqual({ refused: "in_use", path: bereft.data });
    const cut = join(temporaryFolder(), "cut");
    const whole = readFileSync(to);
    writeFileSync(cut, whole.subarray(0, whole.length - 5_000));
    expect(await restore(back, cut)).toEqual({ refused: "damaged", path: cut });
    expect(existsSync(back.data)).toBe(false);
  });

  it("can be gone back to again after any kill, and until it is whole there is no database", async () => {
    const { place, database } = await aFolder();
    await database.close();
    writeFileSync(join(place.data, "media", "large"), Buffer.alloc(40_000_000, 7));
    const to = join(temporaryFolder(), "backup");
    await backUp(place, to);
    const back = placeIn(join(temporaryFolder(), "new"));
    const code = `import { restore } from ${JSON.stringify(MODULE)};
      console.log("begun");
      await restore(${JSON.stringify(back)}, ${JSON.stringify(to)});
      console.log("done");`;
    for (const delay of [0, 20, 60, 120, 200]) {
      const child = spawn(process.execPath, ["--input-type=module", "--eval", code], {
        stdio: ["ignore", "pipe", "inherit"],
      });
      let said = "";
      child.stdout.on("data", (chunk: Buffer) => (said += chunk.toString()));
      const ended = once(child, "exit");
      await once(child.stdout, "data");
      await pause(delay);
      child.kill("SIGKILL");
      await ended;
      if (said.includes("done")) break;
    }
    // Where the last one came to its end before it was killed, it has said so itself.
    const last = existsSync(back.store) ? { files: 5, ended: 3 } : await restore(back, to);
    expect(last).toMatchObject({ files: 5, ended: 3 });
    const opened = await openStore(back);
    expect(await new Ledger(opened, "heir").count({})).toBe(5);
    await opened.close();
    expect(filesIn(back.data)).toEqual(
      ["audit/x/y", "media/abc", "media/large", "reelay.db", "secret"].toSorted(),
    );
  });
});
