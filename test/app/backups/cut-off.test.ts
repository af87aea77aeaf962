import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { EXIT } from "../../../adapters/cli/output/exit-codes.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { type CutOff, cutOff } from "../../support/cut-off-preload.ts";
import { aRequest } from "../../support/job.ts";
import { holdersOf } from "../../support/holders.ts";
import { lockDatabase } from "../../support/locked-database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const PROGRAM = fileURLToPath(new URL("../../../tools/reelay.js", import.meta.url));

/** A folder to be in, where no `.env` is, with a data folder that may be there. */
const aPlace = () => {
  const cwd = temporaryFolder();
  return { cwd, data: join(cwd, "data"), store: join(cwd, "data", "reelay.db") };
};

interface Place extends ReturnType<typeof aPlace> {
  readonly settings?: Readonly<Record<string, string>>;
}

const optionsOf = ({ cwd, data, settings }: Place) => ({
  cwd,
  env: { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: data, REELAY_PORT: "0", ...settings },
});

/** Runs the program. A server that starts is stopped. */
async function reelay(place: Place, ...args: readonly string[]) {
  const running = promisify(execFile)(process.execPath, [PROGRAM, ...args], optionsOf(place));
  running.child.stdout?.on("data", (said) => {
    if (String(said).includes('"started"')) running.child.kill();
  });
  return running.then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code, stdout: String(stdout) }),
  );
}

/** Runs the program, which is cut off. @returns how it ended, and what it said */
async function asked(place: Place, at: CutOff, ...args: readonly string[]) {
  const child = begun(place, at, ...args);
  let stdout = "";
  child.stdout.on("data", (said: Buffer) => (stdout += said.toString()));
  const [code] = await once(child, "close");
  return { code, stdout };
}

const AGAIN = '"event":"interrupted","jobs":[],"sent":false,"again":true';

/** Runs the program, and kills it while it copies a file. */
async function killed(place: Place, file: string, ...args: readonly string[]): Promise<void> {
  const child = begun(place, { file, signal: "SIGKILL" }, ...args);
  expect(await once(child, "exit")).toEqual([null, "SIGKILL"]);
}

/** Starts the program, which is cut off. What a failed test leaves is killed. */
function begun(place: Place, at: CutOff, ...args: readonly string[]) {
  const { cwd, env } = optionsOf(place);
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd,
    env: { ...env, ...cutOff(at) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdout.resume();
  return child;
}

const checkOf = (stdout: string, name: string) =>
  (JSON.parse(stdout) as { readonly checks: readonly { readonly name: string }[] }).checks.find(
    (check) => check.name === name,
  );

/** A file that is copied in several parts, and the database that a restore makes first. */
const [LARGE, DATABASE] = ["large", "reelay.db.unfinished"];

/** An installation with one job, and with a large file. */
const before = aPlace();
const whole = join(temporaryFolder(), "whole.backup");

beforeAll(async () => {
  mkdirSync(join(before.data, "media"), { recursive: true });
  writeFileSync(join(before.data, "media", LARGE), Buffer.alloc(100_000_000, 7));
  const database = await openDatabase(before.store);
  await new Ledger(database, "me").add({ ...aRequest(), fingerprint: "one" }, 1);
  await database.close();
  const { code, stdout } = await reelay(before, "backup", whole);
  if (code !== EXIT.ok) throw new Error(stdout);
});

describe("a restore that is killed", () => {
  it("is no empty Reelay: nothing starts there until it is done once more, or given up", async () => {
    const place = aPlace();
    await killed(place, DATABASE, "restore", whole);
    const commands = [
      ["start"],
      ["usage"],
      ["jobs"],
      ["alerts", "list"],
      ["backup", join(place.cwd, "new.backup")],
      ["move", "--to", "postgres://nobody@127.0.0.1:1/nothing"],
      ["move", "--files", `file:${join(place.cwd, "files")}`],
    ];
    for (const command of commands) {
      const { code, stdout } = await reelay(place, ...command, "--json");
      expect({ command, code }).toEqual({ command, code: EXIT.settings });
      expect(stdout).toContain(`${place.store}.unfinished`);
      expect(stdout).toContain("reelay restore");
    }
    const doctor = await reelay(place, "doctor", "--json");
    expect(doctor.code).toBe(EXIT.failed);
    expect(checkOf(doctor.stdout, "storage")).toMatchObject({
      ok: false,
      found: expect.stringContaining(".unfinished"),
      advice: expect.stringContaining("reelay restore"),
    });
    expect(existsSync(place.store)).toBe(false);

    expect(await reelay(place, "restore", whole)).toMatchObject({ code: EXIT.ok });
    expect(readdirSync(place.data)).toEqual(expect.arrayContaining(["media", "reelay.db"]));
    expect(existsSync(`${place.store}.unfinished`)).toBe(false);
    expect(await reelay(place, "start", "--json")).toMatchObject({ code: EXIT.ok });
    const database = await openDatabase(place.store);
    expect(await new Ledger(database, "heir").count({})).toBe(1);
    await database.close();
  });

  it.each(["SIGINT", "SIGTERM"] as const)("says at %s that the same call begins anew", async (signal) => {
    const place = aPlace();
    const { code, stdout } = await asked(place, { file: DATABASE, signal }, "restore", whole);
    expect(stdout).toContain(AGAIN);
    expect(code).toBe(EXIT.interrupted);
    expect(existsSync(place.store)).toBe(false);
    expect(await reelay(place, "restore", whole)).toMatchObject({ code: EXIT.ok });
  });

  it("may be given up: without its file Reelay begins with nothing", async () => {
    const place = aPlace();
    await killed(place, DATABASE, "restore", whole);
    rmSync(`${place.store}.unfinished`);
    expect(await reelay(place, "start", "--json")).toMatchObject({ code: EXIT.ok });
  });

  it("has left that file before any other one", async () => {
    const place = aPlace();
    await killed(place, LARGE, "restore", whole);
    expect(existsSync(`${place.store}.unfinished`)).toBe(true);
  });
});

describe("a restore into a folder that another one is writing to", () => {
  it("is refused until that is done, or killed", async () => {
    const place = aPlace();
    const first = begun(place, { file: DATABASE, signal: "SIGSTOP" }, "restore", whole);
    const ended = once(first, "exit");
    await expect.poll(() => existsSync(`${place.store}.unfinished`)).toBe(true);
    const second = await reelay(place, "restore", whole, "--json");
    expect(second.code).toBe(EXIT.refused);
    expect(second.stdout).toContain("move_under_way");
    // Nobody is told to write to it, either.
    const start = await reelay(place, "start", "--json");
    expect(start.code).toBe(EXIT.settings);
    expect(start.stdout).toContain("is writing at this moment");
    first.kill("SIGKILL");
    await ended;
    expect(existsSync(`${place.store}.lock`)).toBe(true);
    expect(await reelay(place, "restore", whole)).toMatchObject({ code: EXIT.ok });
    expect(readdirSync(place.data).filter((name) => /unfinished|lock/.test(name))).toEqual([]);
  });
});

describe("a backup that is killed", () => {
  it("leaves nothing that is taken for one, nor in the way of the next", async () => {
    const folder = temporaryFolder();
    const to = join(folder, "next.backup");
    await killed(before, LARGE, "backup", to);
    expect(existsSync(to)).toBe(false);
    for (const end of ["unfinished", "database"]) {
      const place = aPlace();
      const { code, stdout } = await reelay(place, "restore", `${to}.${end}`, "--json");
      expect({ end, code }).toEqual({ end, code: EXIT.refused });
      expect(stdout).toContain("not_a_backup");
      expect(existsSync(place.data)).toBe(false);
    }
    expect(await reelay(before, "backup", to)).toMatchObject({ code: EXIT.ok });
    expect(readdirSync(folder)).toEqual(["next.backup"]);
  });

  it.each(["SIGINT", "SIGTERM"] as const)(
    "tidies up at %s, and says that nothing was made",
    async (signal) => {
      const folder = temporaryFolder();
      const to = join(folder, "next.backup");
      const { code, stdout } = await asked(before, { file: LARGE, signal }, "backup", to);
      expect(stdout).toContain(AGAIN);
      expect(code).toBe(EXIT.interrupted);
      expect(readdirSync(folder)).toEqual([]);
    },
  );

  it("leaves nothing once one of another name is made; what others keep there stays, and so does what is under way", async () => {
    const folder = temporaryFolder();
    const kept = ["mine.lock", "mine.unfinished", "notes.database"];
    for (const name of kept) writeFileSync(join(folder, name), "");
    const [dead, slow] = [join(folder, "dead.backup"), join(folder, "slow.backup")];
    await killed(before, LARGE, "backup", dead);
    // Wherever it was killed: SQLite may write each of the three with a file beside it.
    for (const end of ["unfinished", "database", "tests"]) writeFileSync(`${dead}.${end}-journal`, "");
    const other = begun(before, { file: LARGE, signal: "SIGSTOP" }, "backup", slow);
    const ended = once(other, "exit");
    await expect.poll(() => existsSync(`${slow}.unfinished`)).toBe(true);
    expect(await reelay(before, "backup", join(folder, "next.backup"))).toMatchObject({ code: EXIT.ok });
    const found = readdirSync(folder);
    expect(found.filter((name) => name.startsWith("dead"))).toEqual([]);
    expect(found).toEqual(expect.arrayContaining([...kept, "next.backup", "slow.backup.unfinished"]));
    other.kill("SIGCONT");
    expect(await ended).toEqual([0, null]);
    expect(readdirSync(folder).toSorted()).toEqual([...kept, "next.backup", "slow.backup"].toSorted());
  });
});

/** A backup of an installation whose database somebody else has locked: what copies it waits within SQLite until that is let go of. */
async function waitingBackup() {
  const place = aPlace();
  mkdirSync(place.data);
  await (await openDatabase(place.store)).close();
  const folder = temporaryFolder();
  const to = join(folder, "next.backup");
  const lock = lockDatabase(place.store);
  const child = spawn(process.execPath, [PROGRAM, "backup", to], {
    ...optionsOf(place),
    stdio: ["ignore", "pipe", "ignore"],
    // As what a terminal starts, with what it starts itself.
    detached: true,
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let stdout = "";
  child.stdout.on("data", (said: Buffer) => (stdout += said.toString()));
  const ended = once(child, "close").then(([code]: unknown[]) => ({ code, stdout }));
  await expect.poll(() => holdersOf(place.store)).toHaveLength(1);
  return { place, folder, to, lock, pid: child.pid ?? 0, ended };
}

describe.runIf(existsSync("/proc/self/fd"))("a backup while SQLite copies the database", () => {
  it.each([
    ["SIGINT", "the process", 1],
    ["SIGTERM", "the process", 1],
    ["SIGINT", "all processes of its terminal", -1],
  ] as const)("tidies up at once at %s to %s", async (signal, _, whose) => {
    const { place, folder, lock, pid, ended } = await waitingBackup();
    process.kill(whose * pid, signal);
    const { code, stdout } = await ended;
    expect(stdout).toContain(AGAIN);
    expect(code).toBe(EXIT.interrupted);
    expect(readdirSync(folder)).toEqual([]);
    expect(holdersOf(place.store)).toEqual([]);
    lock.release();
  });

  it("that is killed leaves nobody at work, and nothing in the way of the next", async () => {
    const { place, folder, to, lock, pid, ended } = await waitingBackup();
    process.kill(pid, "SIGKILL");
    await ended;
    // The lock is still there: nothing that SQLite does ends it.
    await expect.poll(() => holdersOf(place.store)).toEqual([]);
    lock.release();
    expect(await reelay(place, "backup", to)).toMatchObject({ code: EXIT.ok });
    expect(readdirSync(folder)).toEqual(["next.backup"]);
  });
});

describe("a server that is stopped while it makes a backup", () => {
  it("leaves nothing half made", async () => {
    const folder = temporaryFolder();
    const place = { ...before, settings: { REELAY_BACKUP_TO: folder } };
    const { code } = await asked(place, { file: LARGE, signal: "SIGTERM" }, "start");
    expect(code).toBe(EXIT.ok);
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe("a server that is killed while it makes a backup", () => {
  it("makes it as soon as it is started again", async () => {
    const folder = temporaryFolder();
    const place = { ...before, settings: { REELAY_BACKUP_TO: folder } };
    const isUnderWay = () => readdirSync(folder).some((name) => name.endsWith(".unfinished"));
    const isMade = () => readdirSync(folder).some((name) => name.endsWith(".backup"));
    await killed(place, LARGE, "start");
    expect({ isUnderWay: isUnderWay(), isMade: isMade() }).toEqual({ isUnderWay: true, isMade: false });
    const again = spawn(process.execPath, [PROGRAM, "start"], { ...optionsOf(place), stdio: "ignore" });
    onTestFinished(() => void again.kill("SIGKILL"));
    // And nothing is left of the first one.
    await expect.poll(() => isMade() && readdirSync(folder).length === 1).toBe(true);
    again.kill("SIGKILL");
    expect(await once(again, "exit")).toEqual([null, "SIGKILL"]);
  });
});

describe("a restore to a disk without room", () => {
  it("says so, and that nothing starts there until it is done", async () => {
    const place = aPlace();
    // No file grows beyond 8 MB: the database fits, and the large file does not.
    const call = `ulimit -f 16384; "${process.execPath}" "${PROGRAM}" restore "${whole}"`;
    const run = await promisify(execFile)("sh", ["-c", call], {
      ...optionsOf(place),
      env: { ...optionsOf(place).env, NODE_DISABLE_COMPILE_CACHE: "1" },
    }).catch(({ code, stdout }) => ({ code, stdout: String(stdout) }));
    expect(run).toMatchObject({
      code: EXIT.failed,
      stdout: expect.stringContaining('"code":"restore_not_saved"'),
    });
    expect(run.stdout).toContain(`"path":"${place.data}"`);
    expect((await reelay(place, "start", "--json")).code).toBe(EXIT.settings);
    expect(await reelay(place, "restore", whole)).toMatchObject({ code: EXIT.ok });
  });
});
