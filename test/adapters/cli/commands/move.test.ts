import { describe, expect, it } from "vitest";
import { runCli } from "../../../../adapters/cli/cli.ts";
import { EXIT } from "../../../../adapters/cli/output/exit-codes.ts";
import type { MoveProgress, MoveRefused, Runtime } from "../../../../src/seam/surface/runtime.ts";
import { scriptedRuntime } from "../support/runtime.ts";
import { Terminal } from "../support/terminal.ts";

async function call(argv: readonly string[], runtime: Partial<Runtime>, tty = true) {
  const terminal = new Terminal({ tty });
  const code = await runCli(argv, scriptedRuntime({ runtime }).runtime, terminal);
  return { code, terminal };
}

const ADDRESS = "postgres://reelay:a-password@db/reelay";

/** Moves nothing, and says that it did. */
function moving(to: string) {
  const asked: (string | undefined)[] = [];
  const move = async (address: string | undefined, hear: (progress: MoveProgress) => void) => {
    asked.push(address);
    hear({ step: "copying", rows: 3, of: 5 });
    hear({ step: "moved", rows: 5, of: 5 });
    return { from: "sqlite:/data/reelay.db", to, rows: 5, data: "/data", hasFiles: true, hasSecret: true };
  };
  return { asked, move };
}

describe("reelay move", () => {
  it("says how far it is, and what to set; a password never", async () => {
    const { asked, move } = moving("postgres://reelay@db/reelay");
    const { code, terminal } = await call(["move", "--to", ADDRESS, "--json"], { move });
    expect(code).toBe(EXIT.ok);
    expect(asked).toEqual([ADDRESS]);
    expect(terminal.events.filter(({ event }) => event === "moving")).toMatchObject([
      { rows: 3 },
      { rows: 5 },
    ]);
    expect(terminal.event("moved")).toMatchObject({ rows: 5, data: "/data", hasSecret: true });
    const said = (await call(["move", "--to", ADDRESS], { move })).terminal.stdout.text;
    expect(said).toContain("Copying rows: 3 of 5");
    expect(said).toContain("Set REELAY_STORE to postgres://reelay@db/reelay, with its password in it");
    expect(said).toContain("Files are still in /data");
    expect(said).toContain("REELAY_SECRET");
    expect(said).not.toContain("a-password");
  });

  it.each([
    ["move", "--to", ADDRESS],
    ["move", "--back"],
    ["move", "--files", "s3://films"],
  ])("ends at once at Ctrl-C, and says that the same call goes on: %s %s %s", async (...argv) => {
    const terminal = new Terminal({});
    const hang = async () => {
      terminal.interrupt();
      return new Promise<never>(() => {});
    };
    const { runtime } = scriptedRuntime({ runtime: { move: hang, moveFiles: hang } });
    void runCli(argv.filter(Boolean), runtime, terminal);
    await expect.poll(() => terminal.left).toEqual([EXIT.interrupted]);
    expect(terminal.event("interrupted")).toEqual({
      version: 1,
      event: "interrupted",
      jobs: [],
      sent: false,
      again: true,
    });
  });

  it("goes back to the data folder", async () => {
    const { asked, move } = moving("sqlite:/data/reelay.db");
    const { terminal } = await call(["move", "--back"], { move });
    expect(asked).toEqual([undefined]);
    expect(terminal.stdout.text).toContain("Set REELAY_STORE to sqlite:/data/reelay.db");
    expect(terminal.stdout.text).not.toContain("Files are still");
  });

  it("copies files to another place, says what to set, and names those that are damaged", async () => {
    const asked: string[] = [];
    const moveFiles: Runtime["moveFiles"] = async (to, hear) => {
      asked.push(to);
      hear({ files: 2, bytes: 1_500_000 });
      return { from: "file:/data", to: "s3://films/", files: 2, bytes: 1_500_000, damaged: ["media/0a"] };
    };
    const { code, terminal } = await call(["move", "--files", "s3://films"], { moveFiles });
    expect(asked).toEqual(["s3://films"]);
    expect(code).toBe(EXIT.failed);
    const said = terminal.stdout.text;
    expect(said).toContain("Files that are in s3://films/ now: 2 (copied: 2 MB)");
    expect(said).toContain("media/0a");
    expect(said).toContain("Set REELAY_FILES to that place");
    const json = await call(["move", "--files", "s3://films", "--json"], { moveFiles });
    // One line, whatever number of files.
    expect(json.terminal.events).toHaveLength(1);
    expect(json.terminal.event("moved_files")).toMatchObject({ files: 2, damaged: ["media/0a"] });
  });

  it("says where a place is taken as it is, and not to erase what was not copied", async () => {
    const there = {
      from: "file:/before",
      to: "file:/now",
      files: 3,
      bytes: 0,
      damaged: [],
      asItIs: true,
    } as const;
    const { code, terminal } = await call(["move", "--files", "file:/now"], { moveFiles: async () => there });
    expect(code).toBe(EXIT.ok);
    expect(terminal.stdout.text).toContain("in file:/now from now on, as that place is: 3 are there");
    expect(terminal.stdout.text).toContain("Nothing was copied from file:/before");
    expect(terminal.stdout.text).not.toMatch(/delete|digest/);
  });

  it.each([[[]], [["--to", ADDRESS, "--back"]], [["--to", ADDRESS, "--files", "s3://films"]]])(
    "wants to know where to: %j",
    async (flags) => {
      const { code, terminal } = await call(["move", ...flags], {});
      expect(code).toBe(EXIT.refused);
      expect(terminal.stderr.text).toContain("--to and the address");
    },
  );

  it.each<[MoveRefused, string]>([
    [{ refused: "missing", place: "/data" }, "no database in /data"],
    [{ refused: "running", place: "/data", count: 2 }, "in so many processes: 2"],
    [{ refused: "not_empty", place: "postgres://db/reelay" }, "kept in postgres://db/reelay already"],
    [{ refused: "in_use", place: "/data" }, "a database in /data already"],
    [{ refused: "moved", place: "postgres://db/reelay" }, "in postgres://db/reelay, which is in charge"],
    [{ refused: "under_way", place: "/data" }, "is at work in /data already"],
    [{ refused: "no_room", place: "/data", bytes: 1_500_001 }, "2 MB are needed"],
  ])("says why nothing was moved: %j", async (refused, said) => {
    const { code, terminal } = await call(["move", "--back"], { move: async () => refused });
    expect(code).toBe(EXIT.refused);
    expect(terminal.stderr.text).toContain(said);
  });
});
