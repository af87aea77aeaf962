import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../../adapters/cli/output/exit-codes.ts";
import { backUp } from "../../../src/app/backups/backup.ts";
import { openStore } from "../../../src/app/data-folder.ts";
import { readArchive } from "../../../src/infrastructure/storage/archive.ts";
import { PROGRAM } from "../../support/modules.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** Runs the program, from where no `.env` is. One that serves is ended, which is no exit code. */
async function reelay(settings: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const env = { PATH: process.env["PATH"], LANG: "en", REELAY_PORT: "0", ...settings };
  const options = { cwd: temporaryFolder(), env, timeout: 60_000 };
  return promisify(execFile)(process.execPath, [PROGRAM, ...args, "--json"], options).then(
    ({ stdout }) => ({ code: 0, stdout }),
    ({ code, stdout }) => ({ code, stdout: String(stdout) }),
  );
}

/** A data folder with a database, and a link to it. */
async function linked() {
  const around = temporaryFolder();
  const [real, link] = [join(around, "real"), join(around, "link")];
  mkdirSync(join(real, "b"), { recursive: true });
  symlinkSync(real, link);
  await (await openStore({ data: real, store: join(real, "reelay.db") })).close();
  return { around, real, link };
}

describe.concurrent("a backup in the data folder is refused by whatever path", () => {
  it.each([
    ["data folder", ({ real, link }: Awaited<ReturnType<typeof linked>>) => [link, join(real, "b")]],
    ["place of the backup", ({ real, link }) => [real, join(link, "b")]],
    [
      "folder around it",
      ({ around, real }) => {
        symlinkSync(join(real, "b"), join(around, "out"));
        return [real, join(around, "out")];
      },
    ],
  ] satisfies [string, (at: Awaited<ReturnType<typeof linked>>) => string[]][])(
    "where the %s is a link",
    async (_what, choose) => {
      const at = await linked();
      const [data = "", folder = ""] = choose(at);
      const { code, stdout } = await reelay({ REELAY_DATA: data }, "backup", join(folder, "b.backup"));
      expect(code).toBe(EXIT.refused);
      expect(JSON.parse(stdout)).toMatchObject({ code: "backup_inside" });
      expect(readdirSync(join(at.real, "b"))).toEqual([]);
    },
  );

  it.each([
    ["a server", "start"],
    ["the doctor", "doctor"],
  ])("%s says so of REELAY_BACKUP_TO, also of one that is not there yet", async (_who, command) => {
    for (const folder of ["b", "new/one"]) {
      const { around, real, link } = await linked();
      symlinkSync(join(real, "later"), join(around, "dangling"));
      for (const to of [join(link, folder), join(around, "dangling", folder)]) {
        const { code, stdout } = await reelay({ REELAY_DATA: real, REELAY_BACKUP_TO: to }, command);
        expect(code).toBe(command === "start" ? EXIT.settings : EXIT.failed);
        expect(stdout).toMatch(/outside the data folder/);
      }
    }
  });
});

it("a backup has the database once, also where its file is named by a link", async () => {
  const { real, link } = await linked();
  await (await openStore({ data: real, store: join(real, "mine.db") })).close();
  const to = join(temporaryFolder(), "b");
  await backUp({ data: real, store: join(link, "mine.db") }, to);
  const names: string[] = [];
  await readArchive(to, (name) => void names.push(name));
  expect(names.filter((name) => name.endsWith(".db"))).toEqual(["reelay.db"]);
});

it("a backup leaves the worlds of sandboxes out, of whatever port", async () => {
  const { real } = await linked();
  for (const [folder, file] of [
    ["sandbox", "w.db"],
    ["sandbox-9300", "w.db"],
    ["sandboxed", "mine"],
  ] as const) {
    mkdirSync(join(real, folder));
    writeFileSync(join(real, folder, file), "a world");
  }
  const to = join(temporaryFolder(), "b");
  await backUp({ data: real, store: join(real, "reelay.db") }, to);
  const names: string[] = [];
  await readArchive(to, (name) => void names.push(name));
  expect(names.filter((name) => name.startsWith("sandbox"))).toEqual(["sandboxed/mine"]);
});

it("files are not moved to where they are, by whatever path", async () => {
  const { real, link } = await linked();
  const { code, stdout } = await reelay({ REELAY_DATA: real }, "move", "--files", `file:${link}`);
  expect(code).toBe(EXIT.settings);
  expect(stdout).toContain("another place than REELAY_FILES");
});
