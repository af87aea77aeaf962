import { createHash } from "node:crypto";
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { keyFrames } from "../../../../src/infrastructure/media/video/frames.ts";
import { printOf } from "../../../../src/infrastructure/media/pictures/print.ts";
import { temporaryFolder, testFfmpeg, tinyClip } from "../../../support/sandbox.ts";

const ffmpeg = testFfmpeg();

async function film() {
  const dir = temporaryFolder();
  const from = join(dir, "film");
  await copyFile(tinyClip(), from);
  return { dir, from };
}

describe("the frames of a film that tell what it shows", () => {
  it("are there for whoever looks at them, each with what it is recognised by, and go", async () => {
    const { dir, from } = await film();
    {
      await using made = await keyFrames(ffmpeg, { from, keep: true });
      expect(made.frames.length).toBeGreaterThan(0);
      expect(await readdir(dir)).toHaveLength(1 + made.frames.length);
      for (const { path, kind, digest, look } of made.frames) {
        expect(digest).toBe(
          createHash("sha256")
            .update(await readFile(path))
            .digest("hex"),
        );
        expect({ digest, look }).toEqual(await printOf({ path, kind, digest }));
      }
    }
    expect(await readdir(dir)).toEqual(["film"]);
  });

  it("are gone at once where nobody looks at them, and what they are recognised by is the same", async () => {
    const { dir, from } = await film();
    await using kept = await keyFrames(ffmpeg, { from, keep: true });
    const other = await film();
    await using gone = await keyFrames(ffmpeg, { from: other.from, keep: false });
    expect(await readdir(other.dir)).toEqual(["film"]);
    const prints = [kept, gone].map(({ frames }) => frames.map(({ digest, look }) => ({ digest, look })));
    expect(prints[1]).toEqual(prints[0]);
    expect(await readdir(dir)).toHaveLength(1 + kept.frames.length);
  });

  it("are none where there is no film, and nothing is left where nobody waits any more", async () => {
    const { dir, from } = await film();
    const signal = AbortSignal.abort(new Error("stopped"));
    await expect(keyFrames(ffmpeg, { from, keep: true, signal })).rejects.toThrow("stopped");
    await writeFile(from, "no film");
    await using none = await keyFrames(ffmpeg, { from, keep: false });
    expect(none.frames).toEqual([]);
    expect(await readdir(dir)).toEqual(["film"]);
  });
});
