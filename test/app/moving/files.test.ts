import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { readConfig } from "../../../src/app/config.ts";
import { openStore } from "../../../src/app/data-folder.ts";
import { examine } from "../../../src/app/doctor.ts";
import { openFoundation } from "../../../src/app/open-core.ts";
import { moveFiles } from "../../../src/app/moving/files.ts";
import { Runners } from "../../../src/domain/jobs/submission/runners.ts";
import { movingAlone } from "../../../src/infrastructure/storage/moving/in-charge.ts";
import { type FileRoom, type FileStore, folderStore } from "../../../src/infrastructure/media/files/files.ts";
import { openedAt, testS3 } from "../../contract/files/stores.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const CHILD = fileURLToPath(new URL("../../support/move-files-child.ts", import.meta.url));
const ROOMS: readonly FileRoom[] = ["media", "partners", "audit"];

/** What is kept in each room, and what each is named. */
async function fill(store: FileStore, count = 12): Promise<readonly string[]> {
  const names: string[] = [];
  for (const room of ROOMS) {
    const files = await store.room(room);
    for (let nth = 0; nth < count; nth += 1) {
      const { id } = await files.put(Readable.from([Buffer.from(`${room} ${nth}`)]), 1_000);
      names.push(`${room}/${id}`);
    }
  }
  return names.toSorted();
}

async function namesIn(store: FileStore): Promise<readonly string[]> {
  const names: string[] = [];
  for (const room of ROOMS)
    for await (const { id } of (await store.room(room)).list()) names.push(`${room}/${id}`);
  return names.toSorted();
}

/** An installation that keeps files in its data folder, and a bucket that is empty. */
async function installation() {
  const data = temporaryFolder();
  const bucket = await testS3();
  return {
    data,
    bucket,
    here: readConfig({ REELAY_DATA: data }),
    there: readConfig({ REELAY_DATA: data, ...bucket.env }),
    folder: folderStore(data),
  };
}

const unheard = () => {};

describe("files that are moved", () => {
  it("arrive in the bucket, each as it was, and stay where they are", async () => {
    const { here, there, folder, bucket } = await installation();
    const names = await fill(folder);
    const heard: number[] = [];
    const moved = await moveFiles(here, there, ({ files }) => heard.push(files));
    expect(moved).toMatchObject({ files: names.length, damaged: [] });
    expect(heard).toHaveLength(names.length);
    const opened = await openedAt(bucket);
    expect(await namesIn(opened)).toEqual(names);
    expect(await namesIn(folder)).toEqual(names);
    const media = await opened.room("media");
    for await (const { id } of media.list()) expect(await text(await media.open(id))).toMatch(/^media \d+$/);
  });

  it("are not copied again, and may go back", async () => {
    const { data, here, there, folder, bucket } = await installation();
    const names = await fill(folder);
    await moveFiles(here, there, unheard);
    const puts = () => bucket.log.filter((line) => line.startsWith("PUT")).length;
    const before = puts();
    expect(await moveFiles(here, there, unheard)).toMatchObject({ files: names.length, bytes: 0 });
    expect(puts()).toBe(before);
    const back = { data, files: { folder: temporaryFolder() } };
    expect(await moveFiles(there, back, unheard)).toMatchObject({ files: names.length });
    expect(await namesIn(folderStore(back.files.folder))).toEqual(names);
  });

  it("go on where they were cut off", async () => {
    const { here, there, folder, bucket } = await installation();
    const names = await fill(folder);
    let arrived = 0;
    const cut = new Error("cut off");
    await expect(
      moveFiles(here, there, ({ files }) => {
        arrived = files;
        if (files === 5) throw cut;
      }),
    ).rejects.toBe(cut);
    expect(arrived).toBeLessThan(names.length);
    expect(await moveFiles(here, there, unheard)).toMatchObject({ files: names.length, damaged: [] });
    expect(await namesIn(await openedAt(bucket))).toEqual(names);
  });

  it.each([1, 7, 20])("are all there after a kill at %d of them, and another run", async (killAt) => {
    const { data, folder } = await installation();
    const names = await fill(folder);
    const target = temporaryFolder();
    const run = async (at: number) => {
      const [, signal] = await once(spawn(process.execPath, [CHILD, data, target, String(at)]), "exit");
      return signal as NodeJS.Signals | null;
    };
    expect(await run(killAt)).toBe("SIGKILL");
    const env = { REELAY_DATA: data, REELAY_FILES: `file:${target}` };
    await expect(openFoundation(readConfig(env))).rejects.toMatchObject({
      mistakes: [{ setting: "REELAY_FILES", found: expect.stringContaining("was cut off") as string }],
    });
    expect(await examine(env)).toContainEqual(
      expect.objectContaining({
        name: "files",
        ok: false,
        found: expect.stringContaining("was cut off") as string,
      }),
    );
    // Where they all are it goes on.
    await (await openFoundation(readConfig({ REELAY_DATA: data }))).close();
    // What had arrived is whole.
    expect(names).toEqual(expect.arrayContaining([...(await namesIn(folderStore(target)))]));
    expect(await run(0)).toBeNull();
    expect(await namesIn(folderStore(target))).toEqual(names);
    await (await openFoundation(readConfig(env))).close();
  });

  it("are named where they are damaged, and the others arrive", async () => {
    const { data, here, there, folder, bucket } = await installation();
    const names = await fill(folder);
    const [first = ""] = names;
    await writeFile(join(data, first), "spoilt");
    expect(await moveFiles(here, there, unheard)).toMatchObject({
      files: names.length - 1,
      damaged: [first],
    });
    expect(await namesIn(await openedAt(bucket))).toEqual(names.slice(1));
  });

  it("are moved by one of two", async () => {
    const { here, there, folder } = await installation();
    const names = await fill(folder);
    const second = await movingAlone(here.store, () => moveFiles(here, there, unheard));
    expect(second).toEqual({ refused: "under_way", place: here.data });
    expect(await moveFiles(here, there, unheard)).toMatchObject({ files: names.length });
  });

  it("wait until nobody works, and are nowhere but where they are to be", async () => {
    const { here, there, folder, bucket } = await installation();
    await fill(folder, 1);
    const database = await openStore(here);
    onTestFinished(() => database.close());
    const elsewhere = { pid: 1, started: null, boot: "another machine", pidNamespace: null };
    const runners = new Runners(database, 30_000, elsewhere);
    await runners.renew();
    expect(await moveFiles(here, there, unheard)).toMatchObject({ refused: "running", count: 1 });
    expect(bucket.log).toEqual([]);
    await runners.stop();
    await expect(moveFiles(here, here, unheard)).rejects.toThrow("another place");
  });
});
