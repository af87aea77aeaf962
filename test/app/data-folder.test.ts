import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openStore } from "../../src/app/data-folder.ts";
import { examine } from "../../src/app/doctor.ts";
import { responds } from "../../src/app/places/responding.ts";
import { temporaryFolder } from "../support/sandbox.ts";
import { PATIENCE_MS } from "../support/patience.ts";

/** A folder whose database nobody ever opens: to open a pipe that nobody writes to waits as a mount does whose server is gone. */
function hangingFolder(): { readonly data: string; readonly store: string } {
  const data = temporaryFolder();
  const store = join(data, "reelay.db");
  execFileSync("mkfifo", [store]);
  return { data, store };
}

const MODULE = new URL("../../src/app/data-folder.ts", import.meta.url).href;

it("is made with those around it, for its owner alone", async () => {
  const data = join(temporaryFolder(), "a", "b");
  const database = await openStore({ data, store: join(data, "c", "reelay.db") });
  await database.close();
  expect(existsSync(join(data, "c", "reelay.db"))).toBe(true);
  expect(statSync(data).mode & 0o777).toBe(0o700);
});

it.runIf(existsSync("/proc/self"))(
  "that cannot be made is told by its setting, and does not hang",
  async () => {
    const code = `import { openStore } from ${JSON.stringify(MODULE)};
    try { await openStore({ data: "/proc/x", store: "/proc/x/reelay.db" }); } catch (error) { console.log(error.message); }`;
    // Node's own way to make folders never returns there, deaf to everything but SIGKILL.
    const options = { timeout: PATIENCE_MS, killSignal: "SIGKILL" } as const;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", code],
      options,
    );
    expect(stdout.trim()).toBe(
      'REELAY_DATA: found "/proc/x", wanted a folder that can be written to (ENOENT)',
    );
  },
);

it.runIf(existsSync("/sys/kernel"))("that somebody may not write to is told with what to do", async () => {
  await expect(openStore({ data: "/sys/x", store: "/sys/x/reelay.db" })).rejects.toThrow(
    /^REELAY_DATA: found "\/sys\/x", wanted a folder that can be written to \(E[A-Z]+\): go to a folder of your own and try again, or set REELAY_DATA/,
  );
});

/** A folder with a database of no bytes. */
function emptied() {
  const data = temporaryFolder();
  const store = join(data, "reelay.db");
  writeFileSync(store, "");
  return { data, store };
}

describe("with a database of no bytes", () => {
  it.each([
    ["secret", "a secret\n"],
    ["audit/x", "words"],
    ["partners/x", "a name"],
    ["reelay.db-wal", "a log"],
  ])(
    "that was in use, as %s shows, is told with what to do, and not taken for a new one",
    async (name, text) => {
      const { data, store } = emptied();
      mkdirSync(dirname(join(data, name)), { recursive: true });
      writeFileSync(join(data, name), text);
      const [beside] = name.split("/");
      const said = `REELAY_DATA: found ${store}, which is empty, though ${beside} beside it shows that it was in use`;
      await expect(openStore({ data, store })).rejects.toThrow(said);
      await expect(openStore({ data, store })).rejects.toThrow("reelay restore FILE");
      const checks = await examine({ REELAY_DATA: data, REELAY_API_URL: "http://127.0.0.1:1/api" });
      expect(checks.filter((check) => check.name === "storage")).toMatchObject([
        {
          ok: false,
          found: expect.stringContaining("is empty"),
          advice: expect.stringContaining("restore FILE"),
        },
      ]);
      expect(statSync(store).size).toBe(0);
    },
  );

  it("that a kill left before anything was kept is begun with", async () => {
    const { data, store } = emptied();
    for (const name of ["scratch", "sandbox"]) mkdirSync(join(data, name));
    writeFileSync(join(data, "login-token"), "a token");
    writeFileSync(`${store}-wal`, "");
    await (await openStore({ data, store })).close();
    expect(statSync(store).size).toBeGreaterThan(0);
  });
});

describe.runIf(process.platform !== "win32")("that hangs", () => {
  it("is told by its setting, and lets the process end", async () => {
    const code = `import { openStore } from ${JSON.stringify(MODULE)};
    try { await openStore(${JSON.stringify(hangingFolder())}, 500); } catch (error) { console.log(error.message); }`;
    const options = { timeout: PATIENCE_MS, killSignal: "SIGKILL" } as const;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", code],
      options,
    );
    expect(stdout).toContain("wanted a folder that answers; this one hangs");
  });

  it("is what the doctor finds, who looks no further", async () => {
    const { data } = hangingFolder();
    const checks = await examine({ REELAY_DATA: data }, 500);
    expect(checks).toMatchObject([{ name: "settings" }, { name: "storage", ok: false }]);
  });

  it("is no folder that is missing, or only slow", async () => {
    expect(await responds("/nowhere/at/all", 60_000)).toBe(true);
    const { store } = hangingFolder();
    const answer = responds(store, 60_000);
    execFileSync("sh", ["-c", ': > "$0"', store]);
    expect(await answer).toBe(true);
  });
});
