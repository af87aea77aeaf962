import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeFfmpeg, findFfmpeg } from "../../../../src/infrastructure/media/video/ffmpeg.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "reelay-ffmpeg-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(dir, { recursive: true });
});

/** A program that says this when it is asked anything. */
async function program(name: string, says: string): Promise<string> {
  const path = join(dir, name);
  await writeFile(path, `#!/bin/sh\necho '${says}'\n`);
  await chmod(path, 0o755);
  return path;
}

describe("findFfmpeg", () => {
  it("takes the operator's, and nothing in its place", async () => {
    const path = await program("mine", "ffmpeg version 9 of mine");
    expect(await findFfmpeg(path)).toBe(path);
    expect(await describeFfmpeg(path)).toBe("ffmpeg version 9 of mine");
    expect(await findFfmpeg(join(dir, "missing"))).toBeUndefined();
  });

  it("takes no other program for one", async () => {
    expect(await findFfmpeg(await program("other", "hello"))).toBeUndefined();
  });

  it("takes the one on the PATH", async () => {
    await program("ffmpeg", "ffmpeg version on the PATH");
    vi.stubEnv("PATH", `${dir}:/bin:/usr/bin`);
    expect(await findFfmpeg()).toBe("ffmpeg");
    expect(await describeFfmpeg("ffmpeg")).toBe("ffmpeg version on the PATH");
  });

  it("takes the installed one where the PATH has none, if it was installed", async () => {
    vi.stubEnv("PATH", dir);
    const installed = await import("@ffmpeg-installer/ffmpeg").then(
      ({ default: { path } }) => path,
      () => undefined,
    );
    expect(await findFfmpeg()).toBe(installed);
  });
});
