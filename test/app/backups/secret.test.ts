import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../../adapters/cli/output/exit-codes.ts";
import { readConfig } from "../../../src/app/config.ts";
import { openServer } from "../../../src/app/open-server.ts";
import { PROGRAM } from "../../support/modules.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** Runs the program on a data folder, from where no `.env` is. One that serves is ended, which is no exit code. */
async function reelay(data: string, args: readonly string[], more: Readonly<Record<string, string>> = {}) {
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_DATA: data, REELAY_PORT: "0", ...more };
  const options = { cwd: temporaryFolder(), env, timeout: 60_000 };
  return promisify(execFile)(process.execPath, [PROGRAM, ...args, "--json"], options).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code, stdout: String(stdout) }),
  );
}

/** A data folder that was in use. */
async function aFolder() {
  const data = temporaryFolder();
  expect(await reelay(data, ["keys", "list"])).toMatchObject({ code: EXIT.ok });
  if (!existsSync(join(data, "secret"))) writeFileSync(join(data, "secret"), `${"s3cret".repeat(8)}\n`);
  return { data, secret: join(data, "secret") };
}

describe.concurrent.each([
  ["is empty", "", "is empty"],
  ["has an empty line alone", "\n", "is empty"],
  ["has the zeros of a power cut", "\0".repeat(44), "is empty"],
  ["is a folder", undefined, "is a folder"],
])("where the file of the secret %s", (_what, content, said) => {
  it.each([["start"], ["doctor"], ["keys", "list"], ["backup"]])(
    "%s says which file that is, and how to go on",
    async (...args) => {
      const { data, secret } = await aFolder();
      rmSync(secret);
      if (content === undefined) mkdirSync(secret);
      else writeFileSync(secret, content);
      const folder = temporaryFolder();
      const call = args[0] === "backup" ? ["backup", join(folder, "b")] : args;
      const { code, stdout } = await reelay(data, call);
      expect(code).toBe(args[0] === "doctor" ? EXIT.failed : EXIT.settings);
      expect(stdout).toContain(`${secret}, which ${said}`);
      expect(stdout).toMatch(/as it was.*backup.*removed.*connected again/);
      expect(readdirSync(folder)).toEqual([]);
    },
  );
});

describe.concurrent("an empty file of the secret", () => {
  it("is nothing to those who set REELAY_SECRET, and no secret in a backup", async () => {
    const { data, secret } = await aFolder();
    writeFileSync(secret, "");
    const own = { REELAY_SECRET: "a secret for tests only" };
    expect(await reelay(data, ["keys", "list"], own)).toMatchObject({ code: EXIT.ok });
    const { stdout } = await reelay(data, ["backup", join(temporaryFolder(), "b")], own);
    expect(JSON.parse(stdout)).toMatchObject({ event: "backed_up", hasSecret: false });
  });

  it("in a backup of before is none: what was gone back to starts with a new one", async () => {
    const { data, secret } = await aFolder();
    writeFileSync(secret, "");
    const backup = join(temporaryFolder(), "b");
    await reelay(data, ["backup", backup], { REELAY_SECRET: "a secret for tests only" });
    const back = join(temporaryFolder(), "back");
    expect(await reelay(back, ["restore", backup])).toMatchObject({ code: EXIT.ok });
    expect(await reelay(back, ["keys", "list"])).toMatchObject({ code: EXIT.ok });
  });
});

const DRAFT = `secret.${randomUUID()}`;
const OTHERS = ["secret.old", "secret.txt", `${DRAFT}.mine`];

describe.concurrent("what a killed process left beside the secret", () => {
  it("is in no backup, and goes with the next restore; what others keep there stays", async () => {
    const { data } = await aFolder();
    for (const name of [DRAFT, ...OTHERS]) writeFileSync(join(data, name), "a copy");
    const backup = join(temporaryFolder(), "b");
    await reelay(data, ["backup", backup]);
    const back = temporaryFolder();
    writeFileSync(join(back, DRAFT), "half of it");
    expect(await reelay(back, ["restore", backup])).toMatchObject({ code: EXIT.ok });
    const left = readdirSync(back).filter((name) => name.startsWith("secret"));
    expect(left.toSorted()).toEqual(["secret", ...OTHERS].toSorted());
  });

  it("goes at a start, unless another process may be writing it still", async () => {
    const { data } = await aFolder();
    const young = `secret.${randomUUID()}`;
    for (const name of [DRAFT, young, ...OTHERS]) writeFileSync(join(data, name), "a copy");
    const old = new Date(Date.now() - 2 * 3_600_000);
    for (const name of [DRAFT, ...OTHERS]) utimesSync(join(data, name), old, old);
    const core = await openServer(readConfig({ REELAY_DATA: data, REELAY_LOG_LEVEL: "silent" }), () => []);
    await core.stop();
    const left = readdirSync(data).filter((name) => name.startsWith("secret"));
    expect(left.toSorted()).toEqual(["secret", young, ...OTHERS].toSorted());
  });
});

describe.concurrent("a restore to where a secret is", () => {
  it("leaves it as it is where it is another one, and says so", async () => {
    const { data } = await aFolder();
    const backup = join(temporaryFolder(), "b");
    await reelay(data, ["backup", backup]);
    for (const args of [["restore", backup]]) {
      const other = temporaryFolder();
      writeFileSync(join(other, "secret"), "somebody else's, with keys of theirs\n");
      const { code, stdout } = await reelay(other, args);
      expect(code).toBe(EXIT.refused);
      expect(JSON.parse(stdout)).toMatchObject({ event: "problem", code: "secret_in_use" });
      expect(readdirSync(other).filter((name) => name !== "reelay.db.lock")).toEqual(["secret"]);
      expect(readFileSync(join(other, "secret"), "utf8")).toContain("somebody else's");
    }
  });

  it("goes on where it is the same one, as after a kill, or an empty one", async () => {
    const { data, secret } = await aFolder();
    const backup = join(temporaryFolder(), "b");
    await reelay(data, ["backup", backup]);
    const whole = readFileSync(secret, "utf8");
    for (const there of [whole, whole.slice(0, 9), ""]) {
      const other = temporaryFolder();
      writeFileSync(join(other, "secret"), there);
      expect(await reelay(other, ["restore", backup])).toMatchObject({ code: EXIT.ok });
      expect(readFileSync(join(other, "secret"), "utf8")).toBe(whole);
      expect(readdirSync(other).filter((name) => name.startsWith("secret"))).toEqual(["secret"]);
    }
  });
});
