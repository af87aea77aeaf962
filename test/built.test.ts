import { execFile } from "node:child_process";
import { cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { beforeAll, expect, it } from "vitest";
import packageFile from "../package.json" with { type: "json" };
import { sniff } from "../src/infrastructure/media/files/sniff.ts";
import { STAMP, stampOf } from "../tools/server/stamp.ts";
import { temporaryFolder, testPicture, testSandbox } from "./support/sandbox.ts";

const run = promisify(execFile);
const ROOT = resolve(import.meta.dirname, "..");

beforeAll(async () => {
  await run(process.execPath, ["tools/server/build.ts"], { cwd: ROOT });
});

/** A folder with some of this one's files, and its packages. */
async function copyOf(parts: readonly string[]): Promise<string> {
  const copy = temporaryFolder();
  for (const part of parts) {
    await mkdir(dirname(join(copy, part)), { recursive: true });
    await cp(join(ROOT, part), join(copy, part), { recursive: true });
  }
  await symlink(join(ROOT, "node_modules"), join(copy, "node_modules"));
  return copy;
}

it("the package alone makes a film of a photo, and backs up", async () => {
  const copy = await copyOf([...packageFile.files, "package.json"]);
  await using sandbox = await testSandbox();
  const files = temporaryFolder();
  await writeFile(join(files, "photo.jpg"), Buffer.from(await testPicture(), "base64"));
  await writeFile(join(files, "words.txt"), "/(?:dread)ful \\w+/\n");
  const reelay = (...args: readonly string[]) =>
    run(process.execPath, [join(copy, "tools/reelay.js"), ...args], {
      cwd: files,
      env: {
        PATH: process.env["PATH"],
        REELAY_API_URL: sandbox.url,
        REELAY_API_KEY: sandbox.keys.pro,
        REELAY_DATA: join(files, "data"),
        REELAY_LOG_LEVEL: "warn",
        REELAY_WORDS_FILE: join(files, "words.txt"),
      },
    });
  const video = (prompt: string, out: string) =>
    reelay(
      "run",
      "video",
      "--image",
      "photo.jpg",
      "--prompt",
      prompt,
      "--agree",
      "terms,consent",
      "--out",
      out,
    );

  // Each of what runs beside the program is asked for once: threads for patterns and copies, processes for pictures and films.
  const { stderr } = await video("slow zoom", "film.mp4");
  expect(stderr).toBe("");
  expect(sniff((await readFile(join(files, "film.mp4"))).subarray(0, 64))).toBe("MP4");
  await expect(video("a dreadful face", "other.mp4")).rejects.toMatchObject({
    stdout: expect.stringContaining("words_blocked"),
  });
  await reelay("backup", "copy.db");
  expect((await readFile(join(files, "copy.db"))).subarray(0, 15).toString()).toBe("SQLite format 3");
});

it("a checkout runs what was built until one of its sources is another", async () => {
  const copy = await copyOf(["src", "adapters", "locales", "package.json", "package-lock.json", "tools"]);
  const version = async () => {
    const { stdout } = await run(process.execPath, [join(copy, "tools/reelay.js"), "--version"], {
      cwd: copy,
    });
    return stdout.trim();
  };
  const built = join(copy, "dist/server");
  await mkdir(built, { recursive: true });
  await writeFile(join(built, "main.js"), "export const main = async () => console.log('built');\n");
  expect(await version()).toBe(packageFile.version);
  await writeFile(join(built, STAMP), stampOf(`${copy}/`));
  expect(await version()).toBe("built");
  await writeFile(join(copy, "src/added.ts"), "");
  expect(await version()).toBe(packageFile.version);
});
