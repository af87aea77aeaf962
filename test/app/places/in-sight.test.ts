import { cpSync, mkdirSync, readdirSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pathToFileURL } from "node:url";
import { describe, expect, it } from "vitest";
import { backUp, restore } from "../../../src/app/backups/backup.ts";
import { type Config, readConfig } from "../../../src/app/config.ts";
import { openStore } from "../../../src/app/data-folder.ts";
import { examine } from "../../../src/app/doctor.ts";
import { openFoundation } from "../../../src/app/open-core.ts";
import { moveFiles } from "../../../src/app/moving/files.ts";
import { keepFile } from "../../../src/seam/surface/kept-files.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { testS3 } from "../../contract/files/stores.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const envOf = (data: string, files?: string) => ({
  REELAY_DATA: data,
  ...(files !== undefined && { REELAY_FILES: pathToFileURL(files).href }),
});
const at = (data: string, files?: string) => readConfig(envOf(data, files));

/** Opens what a server stands on, as each start does. @returns whether it starts */
async function start(config: Config): Promise<boolean> {
  await (await openFoundation(config)).close();
  return true;
}

/** Starts, and keeps files that somebody gives on the page. */
async function give(config: Config, ...contents: readonly string[]): Promise<void> {
  await using opened = new AsyncDisposableStack();
  const foundation = await openFoundation(config);
  opened.defer(() => foundation.close());
  const { files, database } = foundation;
  const host = { files: { ...(await files.room("media")), shared: undefined } as never };
  for (const content of contents)
    await keepFile(
      { host, memory: memory(database, "web") },
      "web:me",
      Readable.from([Buffer.from(content)]),
      1_000,
    );
}

const unheard = () => {};

/** An installation with three files, and an empty folder. */
async function installation() {
  const [data, other] = [temporaryFolder(), temporaryFolder()];
  await give(at(data), "one", "two", "three");
  return { data, other, media: join(data, "media") };
}

const refusal = (before: string, count: number) => ({
  mistakes: [
    {
      setting: "REELAY_FILES",
      found: expect.stringMatching(
        new RegExp(`, where files are missing that were kept in ${before}: ${count}$`),
      ) as string,
      wanted: expect.stringContaining("as it was before; with that, `reelay move --files '") as string,
    },
  ],
});

describe("files are not lost sight of", () => {
  it("where REELAY_FILES names another folder: nothing starts there, and the doctor says both ways on", async () => {
    const { data, other } = await installation();
    const [there] = refusal("the data folder", 3).mistakes;
    await expect(start(at(data, other))).rejects.toMatchObject({ mistakes: [there] });
    // However often it is tried.
    await expect(start(at(data, other))).rejects.toMatchObject({ mistakes: [there] });
    const checks = await examine(envOf(data, other));
    expect(checks).toContainEqual({
      name: "files",
      ok: false,
      found: there?.found,
      advice: `REELAY_FILES wants to be unset, as it was before; with that, \`reelay move --files '${pathToFileURL(other).href}'\` copies them. Or, to go on without them, the same command with REELAY_FILES as it is now.`,
    });
    await start(at(data));
    await moveFiles(at(data), at(data, other), unheard);
    await start(at(data, other));
    expect(readdirSync(join(other, "media"))).toHaveLength(3);
    expect((await examine(envOf(data, other))).filter(({ name }) => name === "files")).toMatchObject([
      { ok: true },
    ]);
  });

  it("where it is unset again, though the data folder still has those that were copied", async () => {
    const { data, other } = await installation();
    await moveFiles(at(data), at(data, other), unheard);
    await give(at(data, other), "later");
    await expect(start(at(data))).rejects.toMatchObject(refusal("file://.*", 1));
    await start(at(data, other));
  });

  it("where a bucket is set no more, whose files the database knows", async () => {
    const { data } = await installation();
    const bucket = await testS3();
    const there = readConfig({ ...envOf(data), ...bucket.env });
    await moveFiles(at(data), there, unheard);
    await give(there, "later");
    await expect(start(at(data))).rejects.toMatchObject(refusal("s3://.*", 1));
    await start(there);
  });

  it("where the drive that they were on is gone", async () => {
    const [data, other, third] = [temporaryFolder(), temporaryFolder(), temporaryFolder()];
    await give(at(data, other), "one", "two");
    rmSync(other, { recursive: true });
    await expect(start(at(data, third))).rejects.toMatchObject(refusal("file://.*", 2));
  });

  it("where they were moved by hand, but not all of them", async () => {
    const { data, other, media } = await installation();
    const [first = "", second = ""] = readdirSync(media);
    mkdirSync(join(other, "media"));
    for (const name of [first, second]) renameSync(join(media, name), join(other, "media", name));
    await expect(start(at(data, other))).rejects.toMatchObject(refusal("the data folder", 1));
  });

  it("by `move --files` from a place that lacks them", async () => {
    const { data, other } = await installation();
    await expect(moveFiles(at(data, other), at(data, temporaryFolder()), unheard)).rejects.toMatchObject(
      refusal("the data folder", 3),
    );
  });
});

describe("another place is taken without a word", () => {
  it("as long as nothing is kept", async () => {
    const data = temporaryFolder();
    expect(await start(at(data))).toBe(true);
    expect(await start(at(data, temporaryFolder()))).toBe(true);
    expect(await start(at(data, temporaryFolder()))).toBe(true);
  });

  it.each([
    ["moved", renameSync],
    ["copied", (from: string, to: string) => cpSync(from, to, { recursive: true })],
  ])("where everything was %s there by hand", async (_how, bring) => {
    const { data, other, media } = await installation();
    bring(media, join(other, "media"));
    expect(await start(at(data, other))).toBe(true);
    const moved = join(temporaryFolder(), "moved");
    bring(other, moved);
    expect(await start(at(data, moved))).toBe(true);
  });

  it("where the whole data folder was moved, with or without a folder of files in it", async () => {
    const around = temporaryFolder();
    const [data, moved] = [join(around, "data"), join(around, "moved")];
    await give(at(data), "one");
    renameSync(data, moved);
    expect(await start(at(moved))).toBe(true);
    await moveFiles(at(moved), at(moved, join(moved, "files")), unheard);
    rmSync(join(moved, "media"), { recursive: true });
    renameSync(moved, data);
    expect(await start(at(data, join(data, "files")))).toBe(true);
  });

  it("by the first start of this version", async () => {
    const { data, other } = await installation();
    const database = await openStore(at(data));
    await memory(database, "files-place").delete("at");
    await database.close();
    renameSync(join(data, "media"), join(other, "media"));
    expect(await start(at(data, other))).toBe(true);
    await expect(start(at(data))).rejects.toMatchObject(refusal("file://.*", 3));
  });
});

it("a place is taken as it is by `move --files` where it is set already, and by nothing else", async () => {
  const { data, other } = await installation();
  const there = at(data, other);
  await expect(start(there)).rejects.toThrow("files are missing");
  await give(at(data), "four");
  expect(await moveFiles(there, there, unheard)).toEqual({
    from: `file:${data}`,
    to: `file:${other}`,
    files: 0,
    bytes: 0,
    damaged: [],
    asItIs: true,
  });
  await start(there);
  await expect(moveFiles(there, there, unheard)).rejects.toThrow("another place");
});

describe("a restore", () => {
  it("says where files were that no backup has, and takes the place that is set", async () => {
    const [data, other] = [temporaryFolder(), temporaryFolder()];
    const before = at(data, other);
    await give(before, "one");
    const backup = join(temporaryFolder(), "b");
    await backUp(before, backup);
    for (const files of [undefined, temporaryFolder()]) {
      const back = at(join(temporaryFolder(), "back"), files);
      expect(await restore(back, backup)).toMatchObject({ filesAt: pathToFileURL(other).href });
      await start(back);
    }
    const same = at(join(temporaryFolder(), "back"), other);
    expect(await restore(same, backup)).not.toHaveProperty("filesAt");
    await start(same);
  });

  it("has files of the data folder in it: another place does not hide them", async () => {
    const { data, other } = await installation();
    const backup = join(temporaryFolder(), "b");
    await backUp(at(data), backup);
    const back = join(temporaryFolder(), "back");
    expect(await restore(at(back), backup)).not.toHaveProperty("filesAt");
    await start(at(back));
    await expect(start(at(back, other))).rejects.toMatchObject(refusal("the data folder", 3));
  });
});
