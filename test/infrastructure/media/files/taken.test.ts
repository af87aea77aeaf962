import { execFileSync } from "node:child_process";
import { createReadStream } from "node:fs";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
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
