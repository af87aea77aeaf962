import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Writable } from "node:stream";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import type { Runtime } from "../../../../src/seam/surface/runtime.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

async function call(argv: readonly string[], runtime: Partial<Runtime>, tty = true) {
  const terminal = new Terminal({ tty });
  const code = await runCli(argv, scriptedRuntime({ runtime }).runtime, terminal);
  return { code, terminal };
}

/** Backs up nowhere, and says where it was to. */
function backingUp(hasSecret = true) {
  const asked: string[] = [];
  const backUp = async (to: string) => {
    asked.push(to);
    return { files: 2, bytes: 7, hasSecret };
  };
  return { asked, backUp };
}

describe("reelay backup", () => {
  it("says where everything is, and what to do about the secret", async () => {
    const path = join(temporaryFolder(), "my.backup");
    const { asked, backUp } = backingUp();
    const { code, terminal } = await call(["backup", path, "--json"], { backUp });
    expect(code).toBe(EXIT.ok);
    expect(asked).toEqual([path]);
    expect(terminal.event("backed_up")).toMatchObject({ path, files: 2, bytes: 7, hasSecret: true });
    expect((await call(["backup", path], { backUp })).terminal.stdout.text).toContain("keep it where nobody");
    const without = await call(["backup", path], { backUp: backingUp(false).backUp });
    expect(without.terminal.stdout.text).toContain("REELAY_SECRET is not in it");
  });

  it("takes a folder, names the file by the day, and overwrites nothing unless told to", async () => {
    const folder = temporaryFolder();
    const { asked, backUp } = backingUp();
    expect((await call(["backup", folder], { backUp })).code).toBe(EXIT.ok);
    const [path = ""] = asked;
    expect(path).toMatch(/\/reelay-\d{4}-\d\d-\d\d\.backup$/);
    writeFileSync(path, "an older one");
    for (const given of [folder, path]) {
      const { code, terminal } = await call(["backup", given], { backUp });
      expect(code).toBe(EXIT.refused);
      expect(terminal.stderr.text).toContain("--force");
    }
    expect((await call(["backup", path, "--force"], { backUp })).code).toBe(EXIT.ok);
    expect(asked).toEqual([path, path]);
  });

  it("takes no name without a letter for the current folder: a variable of a script is empty", async () => {
    const { asked, backUp } = backingUp();
    const { code, terminal } = await call(["backup", ""], { backUp });
    expect({ code, asked }).toEqual({ code: EXIT.refused, asked: [] });
    expect(terminal.stderr.text).toContain("file is missing.");
  });

  it("says that there is nothing to back up", async () => {
    const { code, terminal } = await call(["backup", join(temporaryFolder(), "b")], {
      backUp: async () => ({ refused: "missing", path: "/data" }),
    });
    expect(code).toBe(EXIT.refused);
    expect(terminal.stderr.text).toContain("no database in /data");
  });

  it.each([
    ["inside", "is in the data folder"],
    ["under_way", "Another backup is being written to"],
  ] as const)("says why none is made: %s", async (refused, said) => {
    const path = join(temporaryFolder(), "b");
    const { code, terminal } = await call(["backup", path], { backUp: async () => ({ refused, path }) });
    expect(code).toBe(EXIT.refused);
    expect(terminal.stderr.text).toContain(said);
    expect(terminal.stderr.text).toContain(path);
  });
});

const nothingKept: Runtime["backUpFor"] = async () => ({ refused: "missing", path: "/data" });

const backUpFor: Runtime["backUpFor"] = async (take) => {
  const path = join(temporaryFolder(), "made");
  writeFileSync(path, "all of it");
  await take(path);
  return { files: 2, bytes: 7, hasSecret: true };
};

describe("reelay backup -", () => {
  it.each([[], ["--json"]])("writes it to standard output, with nothing beside it: %s", async (...flags) => {
    const { code, terminal } = await call(["backup", "-", ...flags], { backUpFor }, false);
    expect({ code, out: terminal.stdout.text }).toEqual({ code: EXIT.ok, out: "all of it" });
    expect(terminal.stderr.text).toContain("keep it where nobody");
  });

  it("writes nothing there where there is none", async () => {
    const { code, terminal } = await call(["backup", "-"], { backUpFor: nothingKept }, false);
    expect({ code, out: terminal.stdout.text }).toEqual({ code: EXIT.refused, out: "" });
    expect(terminal.stderr.text).toContain("no database in /data");
  });

  it("is refused at a terminal", async () => {
    const { code, terminal } = await call(["backup", "-"], {}, true);
    expect({ code, out: terminal.stdout.text }).toEqual({ code: EXIT.refused, out: "" });
    expect(terminal.stderr.text).toContain("reelay backup - > reelay.backup");
  });

  it.each([
    ["EPIPE", "did not get through whole"],
    ["ENOSPC", "could not be written"],
  ])("fails where it is not taken: %s", async (reason, said) => {
    const full = Object.assign(new Error("full"), { code: reason });
    const stdout = new Writable({ write: (_piece, _encoding, taken) => taken(full) });
    const terminal = Object.assign(new Terminal(), { stdout });
    const code = await runCli(["backup", "-"], scriptedRuntime({ runtime: { backUpFor } }).runtime, terminal);
    expect(code).toBe(EXIT.failed);
    expect(terminal.stderr.text).toContain(said);
    expect(terminal.stderr.text).not.toContain("is backed up");
  });
});

describe("reelay restore", () => {
  it.each([
    [0, false],
    [3, true],
  ])("says what is not sent any more: %i", async (ended, isSaid) => {
    const path = join(temporaryFolder(), "my.backup");
    writeFileSync(path, "");
    const restore = async () => ({ files: 2, bytes: 7, ended });
    const { code, terminal } = await call(["restore", path], { restore });
    expect(code).toBe(EXIT.ok);
    expect(terminal.stdout.text.includes(`${ended}. They may have been sent`)).toBe(isSaid);
    const events = (await call(["restore", path, "--json"], { restore })).terminal;
    expect(events.event("restored")).toMatchObject({ files: 2, bytes: 7, ended });
  });

  it.each([
    ["in_use", "already"],
    ["damaged", "not a backup"],
    ["under_way", "Another `reelay restore` or `reelay move` is at work in /data"],
  ] as const)("says why nothing was changed: %s", async (refused, said) => {
    const path = join(temporaryFolder(), "my.backup");
    writeFileSync(path, "");
    const restore = async () => ({ refused, path: "/data" });
    const { code, terminal } = await call(["restore", path], { restore });
    expect(code).toBe(EXIT.refused);
    expect(terminal.stderr.text).toContain(said);
    expect(terminal.stderr.text).toContain("Nothing was changed");
  });

  it("says of a name without a letter that it is missing: that is no folder", async () => {
    const { code, terminal } = await call(["restore", ""], {});
    expect(code).toBe(EXIT.refused);
    expect(terminal.stderr.text).toContain("file is missing.");
  });

  it("takes only a file", async () => {
    const folder = join(temporaryFolder(), "folder");
    mkdirSync(folder);
    for (const path of [folder, `${folder}-not-there`])
      expect((await call(["restore", path], {})).code).toBe(EXIT.refused);
  });
});
