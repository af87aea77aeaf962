import { execFileSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { expect, it } from "vitest";
import { takeFiles } from "../../../../src/infrastructure/media/files/taken.ts";
import { checkFilm } from "../../../../src/infrastructure/media/whole/film.ts";
import { temporaryFolder, testFfmpeg } from "../../../support/sandbox.ts";

it("takes a film that can be played, and nothing of a sound in its place", async () => {
  const dir = temporaryFolder();
  const { signal } = new AbortController();
  const take = (source: string) => {
    const path = join(temporaryFolder(), "made.mp4");
    execFileSync(testFfmpeg(), ["-loglevel", "error", "-f", "lavfi", "-i", `${source}=duration=1`, path]);
    const open = async () => ({ stream: createReadStream(path), type: "video/mp4" });
    return takeFiles([{ kind: "video", name: "made", open, check: checkFilm }], { dir, signal });
  };
  await using taken = await take("testsrc");
  expect(taken.files.map(({ kind }) => kind)).toEqual(["MP4"]);
  const before = await readdir(dir);
  await expect(take("sine")).rejects.toMatchObject({ code: "result_late" });
  expect(await readdir(dir)).toEqual(before);
});

const pictureOf = async (text: string) => ({ stream: Readable.from([Buffer.from(text)]), type: "image/png" });

it("leaves nothing of files that nobody kept, nor of what was made of them", async () => {
  const dir = temporaryFolder();
  const { signal } = new AbortController();
  const kept = join(temporaryFolder(), "kept");
  const media = ["one", "two"].map((name) => ({ kind: "image", name, open: () => pictureOf(name) }) as const);
  {
    await using taken = await takeFiles(media, { dir, signal });
    expect(await readdir(dir)).toHaveLength(2);
    const [one, two] = taken.files;
    if (!one || !two) throw new Error("Two were to be taken.");
    expect(taken.beside(one, "end")).not.toBe(taken.beside(two, "end"));
    await writeFile(taken.beside(one, "end"), "made of it");
    await taken.media[0]?.taken?.moveTo(kept);
    expect(await readdir(dir)).toHaveLength(2);
  }
  expect(await readdir(dir)).toEqual([]);
  expect(await readFile(kept, "utf8")).toBe("one");
});
