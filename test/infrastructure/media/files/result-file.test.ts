import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { describe, expect, it } from "vitest";
import type { ResultMedia } from "../../../../src/infrastructure/media/files/result-media.ts";
import { readConfig } from "../../../../src/app/config.ts";
import { openMediaFiles } from "../../../../src/infrastructure/media/files/files.ts";
import { openLinks } from "../../../../src/infrastructure/media/files/links.ts";
import { probeImage } from "../../../../src/infrastructure/media/video/probe.ts";
import { withResultFile } from "../../../../src/infrastructure/media/files/result-file.ts";
import { shareResult } from "../../../../src/infrastructure/media/files/share.ts";
import { smallerPicture, smallerVideo } from "../../../../src/infrastructure/media/video/smaller.ts";
import { openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { drawn } from "../../../support/results.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const finished = (text: string): ResultMedia => ({
  kind: "video",
  name: "made",
  open: async () => ({ stream: Readable.from([Buffer.from(text)]), type: "video/mp4" }),
});

async function fileOf(path: string) {
  const { length: bytes } = await readFile(path);
  return { folder: temporaryFolder(), path, bytes, name: "made.png", type: "image/png" };
}

describe("a finished file", () => {
  it("is on the disk for as long as it is used, and never longer", async () => {
    const options = { dir: join(temporaryFolder(), "scratch"), signal: undefined };
    const seen = await withResultFile(finished("a film"), options, async ({ path, ...file }) => ({
      ...file,
      text: await readFile(path, "utf8"),
    }));
    expect(seen).toMatchObject({ text: "a film", bytes: 6, name: "made.mp4", type: "video/mp4" });
    expect(await readdir(options.dir)).toEqual([]);
    const failing = withResultFile(finished("a film"), options, async () => {
      throw new Error("Nobody wants it.");
    });
    await expect(failing).rejects.toThrow("Nobody wants it.");
    expect(await readdir(options.dir)).toEqual([]);
  });
});

describe("a file that is too large", () => {
  it("is made smaller where it is a picture, with a name that says what it became", async () => {
    const file = await fileOf(await drawn(800, 600, true));
    const smaller = await smallerPicture(file, 100_000);
    expect(smaller).toMatchObject({ name: "made.jpg", type: "image/jpeg" });
    expect(smaller?.bytes).toBeLessThanOrEqual(100_000);
    expect(await probeImage(smaller?.path ?? "")).toBeDefined();
  });

  it("stays what it is where that cannot be done", async () => {
    const path = join(temporaryFolder(), "no-picture");
    await writeFile(path, "neither a picture nor a film");
    const file = await fileOf(path);
    const bounds = { maxBytes: 10, ffmpeg: undefined, signal: undefined };
    expect(await smallerPicture(file, 10)).toBeUndefined();
    expect(await smallerVideo(file, bounds)).toBeUndefined();
    expect(await smallerVideo(file, { ...bounds, ffmpeg: "/no/such/ffmpeg" })).toBeUndefined();
  });
});

describe("sharing a finished file", () => {
  it("gives an address where people can reach the server, and none where they cannot", async () => {
    const data = temporaryFolder();
    const database = await openDatabase(join(data, "reelay.db"));
    const files = await openMediaFiles(join(data, "media"));
    const links = openLinks(files, memory(database, "links"));
    const file = await fileOf(await drawn(20, 20, false));
    const config = readConfig({ REELAY_DATA: data });
    expect(await shareResult({ config, files, links }, file)).toBeUndefined();
    const reachable = { ...config, publicUrl: "https://reelay.example" };
    expect(await shareResult({ config: reachable, files, links }, file)).toMatch(
      /^https:\/\/reelay\.example\/files\/\S+$/,
    );
    await database.close();
  });
});
