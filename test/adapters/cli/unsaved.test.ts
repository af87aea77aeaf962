import { mkdir, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import { runCli } from "../../../adapters/cli/cli.ts";
import { EXIT } from "../../../adapters/cli/output/exit-codes.ts";
import { likelyKeyIn } from "../../../src/common/likely-key.ts";
import type { ResultMedia } from "../../../src/infrastructure/media/files/result-media.ts";
import { testFolder } from "./support/folder.ts";
import { media, result, scriptedRuntime } from "./support/runtime.ts";
import { Terminal } from "./support/terminal.ts";

const CALL = ["run", "video", "--image", "photo.jpg", "--prompt", "slow zoom"];

/** As most ids of jobs it looks like a key. */
const ID = "mh8x2k9q1a7f3c0b9e4";

/** Names of 255 bytes, which file systems take and no more. */
const LONGEST = [`${"n".repeat(251)}.mp4`, `n.${"m".repeat(253)}`, `${"ж".repeat(125)}n.mp4`];

/** A film; something happens before its first byte is there, and something before its last. */
function film(before: () => unknown, within: () => unknown = () => {}): ResultMedia {
  async function* pieces() {
    yield Buffer.from("a ");
    await within();
    yield Buffer.from("film");
  }
  return {
    ...media(""),
    async open() {
      await before();
      return { stream: Readable.from(pieces()), type: "video/mp4" };
    },
  };
}

/** A call whose result is this; with what the core hears of it. */
async function save(films: readonly ResultMedia[], flags: readonly string[], terminal: Terminal) {
  let heard: unknown;
  const { runtime, state } = scriptedRuntime({
    async command(cli, { address }) {
      try {
        await cli.deliver(address, result(films, ID));
      } catch (error) {
        heard = error;
      }
    },
  });
  const code = await runCli([...CALL, ...flags], runtime, terminal);
  return { code, heard, opened: state.opened };
}

/** What may become of a folder. */
const gone = (folder: string) => rm(folder, { recursive: true });
async function replaced(folder: string) {
  await gone(folder);
  await writeFile(folder, "a file");
}

describe("a place that a result cannot be saved in", () => {
  it.each([
    ["a name that is too long", "n".repeat(256), "name_unusable"],
    ["a name that is too long in bytes", "ж".repeat(128), "name_unusable"],
    ["a folder whose name is too long", `${"n".repeat(256)}/clip.mp4`, "folder_missing"],
    ["a link that leads to itself", "loop", "name_unusable"],
    ["a file for a folder", "photo.jpg/clip.mp4", "folder_missing"],
  ])("is refused before anything is sent: %s", async (_, out, problem) => {
    for (const flags of [[], ["--force"], ["--dry-run"]]) {
      const cwd = await testFolder();
      await symlink("loop", join(cwd, "loop"));
      const terminal = new Terminal({ cwd });
      const { code, opened } = await save([], ["--out", out, ...flags], terminal);
      expect({ code, opened }).toEqual({ code: EXIT.refused, opened: 0 });
      expect(terminal.event("problem").code).toBe(problem);
    }
  });

  it("is told as the system tells it, and that nothing was sent", async () => {
    const terminal = new Terminal({ cwd: await testFolder(), tty: true });
    await save([], ["--out", "n".repeat(256)], terminal);
    expect(terminal.stderr.text).toMatch(/name too long.*Nothing was sent\.\n$/);
  });

  it.each(LONGEST)("is none where the name just fits: %s", async (name) => {
    const cwd = await testFolder();
    const late = film(() => writeFile(join(cwd, name), "precious"));
    const films = [film(() => {}), film(() => {})];
    expect((await save(films, ["--out", name], new Terminal({ cwd }))).code).toBe(EXIT.ok);
    expect(await readFile(join(cwd, name), "utf8")).toBe("a film");
    await rm(join(cwd, name));
    const again = new Terminal({ cwd });
    expect((await save([late], ["--out", name], again)).code).toBe(EXIT.ok);
    const [file = ""] = again.event("result").files;
    expect(file).toContain(ID);
    expect(await readFile(file, "utf8")).toBe("a film");
    expect(await readFile(join(cwd, name), "utf8")).toBe("precious");
  });

  it.each([
    ["is gone before", gone, () => {}, "no such file or directory"],
    ["is a file before", replaced, () => {}, "not a directory"],
    ["is gone meanwhile", () => {}, gone, "no such file or directory"],
    ["is a file meanwhile", () => {}, replaced, "not a directory"],
  ])("ends the call where its folder %s, with the job's id", async (_, before, within, reason) => {
    expect(likelyKeyIn(ID)).toBe(ID);
    for (const [tty, flags] of [
      [false, []],
      [true, []],
      [true, ["--json"]],
    ] as const) {
      const cwd = await testFolder();
      const folder = join(cwd, "films");
      await mkdir(folder);
      const terminal = new Terminal({ cwd, tty });
      const made = film(
        () => before(folder),
        () => within(folder),
      );
      const { code, heard } = await save([made], ["--out", "films/clip.mp4", ...flags], terminal);
      // The core tries nothing of that again.
      expect(heard).toMatchObject({ code: "undeliverable" });
      expect(code).toBe(EXIT.unsaved);
      expect(terminal.stderr.text).toContain(`\`reelay press show:${ID} --out FILE\``);
      if (tty && flags.length === 0) continue;
      const params = { path: join(folder, "clip.mp4"), reason, job: ID };
      expect(terminal.event("problem")).toMatchObject({ code: "not_saved", params, job: ID, charged: 6.5 });
    }
  });

  it("ends a call that was begun with a name that is too long", async () => {
    const folder = await testFolder();
    const terminal = new Terminal({ cwd: folder });
    let heard: unknown;
    const { runtime } = scriptedRuntime({
      adopt(cli) {
        const to = { folder, file: "n".repeat(256), force: false };
        cli.deliver(to, result([media("a film")], ID)).catch((error: unknown) => (heard = error));
        return 1;
      },
    });
    expect(await runCli(["resume"], runtime, terminal)).toBe(EXIT.unsaved);
    expect(heard).toMatchObject({ code: "undeliverable" });
    expect(terminal.event("problem").params).toMatchObject({ job: ID, reason: "name too long" });
    expect(await readdir(folder)).toEqual(["photo.jpg"]);
  });
});
