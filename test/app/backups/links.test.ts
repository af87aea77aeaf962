import { execFile } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { EXIT } from "../../../adapters/cli/output/exit-codes.ts";
import { backUp, restore } from "../../../src/app/backups/backup.ts";
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

describe("a backup of a data folder in which links are", () => {
  /** Names that Reelay gives files. */
  const [PHOTO, FILM, OTHER] = ["a", "b", "c"].map((one) => one.repeat(64)) as [string, string, string];

  it("has the secret and the files that Reelay uses by them, and nothing else", async () => {
    const { around, real } = await linked();
    const big = join(around, "big");
    for (const folder of [big, join(around, "tests", "media"), join(real, "partners")])
      mkdirSync(folder, { recursive: true });
    writeFileSync(join(big, PHOTO), "a photo");
    writeFileSync(join(big, "earlier.backup"), "everything");
    writeFileSync(join(around, "secret"), "s3cret\n");
    writeFileSync(join(around, "film"), "a film");
    writeFileSync(join(around, "tests", "media", OTHER), "of a test");
    symlinkSync(big, join(real, "media"));
    symlinkSync(join(around, "tests"), join(real, "test"));
    symlinkSync(join(around, "secret"), join(real, "secret"));
    symlinkSync(join(around, "film"), join(real, "partners", FILM));
    symlinkSync(around, join(real, "others"));
    symlinkSync(real, join(big, "back"));
    const place = { data: real, store: join(real, "reelay.db"), secret: undefined };
    // Beside the files: links lead there, too.
    const to = join(big, "new.backup");
    expect(await backUp(place, to)).toMatchObject({ hasSecret: true });
    const back = join(temporaryFolder(), "back");
    await restore({ data: back, store: join(back, "reelay.db"), secret: undefined }, to);
    const text = (...path: string[]) => readFileSync(join(back, ...path), "utf8");
    expect(text("media", PHOTO)).toBe("a photo");
    expect(text("partners", FILM)).toBe("a film");
    expect(text("test", "media", OTHER)).toBe("of a test");
    expect(text("secret")).toBe("s3cret\n");
    expect(readdirSync(back).toSorted()).toEqual(["media", "partners", "reelay.db", "secret", "test"]);
    expect(readdirSync(join(back, "media"))).toEqual([PHOTO]);
  });

  it.each(["media", "secret"])("is not made where %s leads nowhere", async (name) => {
    const { around, real } = await linked();
    symlinkSync(join(around, "gone"), join(real, name));
    const folder = temporaryFolder();
    const making = backUp({ data: real, store: join(real, "reelay.db") }, join(folder, "b"));
    await expect(making).rejects.toMatchObject({ code: "ENOENT" });
    expect(readdirSync(folder)).toEqual([]);
  });
});

it("files are not moved to where they are, by whatever path", async () => {
  const { real, link } = await linked();
  const { code, stdout } = await reelay({ REELAY_DATA: real }, "move", "--files", `file:${link}`);
  expect(code).toBe(EXIT.settings);
  expect(stdout).toContain("another place than REELAY_FILES");
});
