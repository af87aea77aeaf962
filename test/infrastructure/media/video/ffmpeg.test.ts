import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { availableParallelism, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { describeFfmpeg, findFfmpeg, runFfmpeg } from "../../../../src/infrastructure/media/video/ffmpeg.ts";
import { firstFrame } from "../../../../src/infrastructure/media/video/frames.ts";
import { spawnProgram } from "../../../../src/infrastructure/media/video/spawner.ts";
import { shrinkVideo } from "../../../../src/infrastructure/media/video/shrink.ts";

let dir: string;
beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), "reelay-ffmpeg-"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(dir, { recursive: true });
});

function isAlive(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0);
  } catch {
    return false;
  }
}

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

describe("runFfmpeg", () => {
  it("runs no more at once than there are cores, and each in its turn", async () => {
    const [cores, log, go] = [availableParallelism(), join(dir, "log"), join(dir, "go")];
    const path = join(dir, "slow");
    await writeFile(path, `#!/bin/sh\necho begun >> ${log}\nwhile [ ! -e ${go} ]; do sleep 0.05; done\n`);
    await chmod(path, 0o755);
    const begun = async () => (await readFile(log, "utf8").catch(() => "")).split("\n").length - 1;
    const runs = Array.from({ length: cores + 2 }, () => runFfmpeg(path, [], { timeoutMs: 600_000 }));
    await expect.poll(begun).toBe(cores);
    // Long enough for two more to begin on most machines; where it is not, this sees nothing.
    await setTimeout(300);
    expect(await begun()).toBe(cores);
    await writeFile(go, "");
    await Promise.all(runs);
    expect(await begun()).toBe(cores + 2);
  });

  it("makes a frame while films that are made smaller take all that they may", async () => {
    const clip = "test/adapters/web/support/clip.mp4";
    const [log, go] = [join(dir, "log"), join(dir, "go")];
    const endless = await program("endless", "");
    const wait = `while [ ! -e ${go} ]; do sleep 0.05; done`;
    await writeFile(endless, `#!/bin/sh\necho begun >> ${log}\n${wait}\nexit 1\n`);
    const shrunk = Array.from({ length: availableParallelism() + 2 }, (_, at) =>
      shrinkVideo(endless, { from: clip, to: join(dir, `${at}.mp4`), maxBytes: 200_000 }),
    );
    await expect
      .poll(() => readFile(log, "utf8").catch(() => ""))
      .toContain("begun\n".repeat(availableParallelism() - 1));
    // Long enough for one more to begin on most machines; where it is not, this sees nothing.
    await setTimeout(300);
    const ffmpeg = (await findFfmpeg()) ?? "ffmpeg";
    expect(await firstFrame(ffmpeg, { from: clip, to: join(dir, "frame.png"), side: 640 })).toBe(true);
    await writeFile(go, "");
    expect(new Set(await Promise.all(shrunk))).toEqual(new Set([undefined]));
  });

  it("starts its programs anew while the process that starts them is being ended for want of use", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
    try {
      const path = await program("again", "");
      const { signal } = new AbortController();
      await spawnProgram(path, [], signal);
      vi.advanceTimersByTime(60_000);
      await expect(spawnProgram(path, [], signal)).resolves.toBeUndefined();
    } finally {
      vi.useRealTimers();
    }
  });

  it("does not begin what was given up while it waited", async () => {
    const given = AbortSignal.abort();
    const run = runFfmpeg(await program("late", "hello"), [], { timeoutMs: 600_000, signal: given });
    await expect(run).rejects.toMatchObject({ name: "AbortError" });
  });

  it("kills what is given up, and what takes too long, before it says so", async () => {
    const pid = join(dir, "pid");
    const path = join(dir, "endless");
    await writeFile(path, `#!/bin/sh\necho $$ > ${pid}.new\nmv ${pid}.new ${pid}\nexec sleep 600\n`);
    await chmod(path, 0o755);
    const begun = () => readFile(pid, "utf8").then(Number, () => undefined);
    const given = new AbortController();
    const run = runFfmpeg(path, [], { timeoutMs: 600_000, signal: given.signal });
    await expect.poll(begun).toBeGreaterThan(0);
    given.abort();
    await expect(run).rejects.toMatchObject({ name: "AbortError" });
    expect(isAlive(await begun())).toBe(false);
    await rm(pid);
    await expect(runFfmpeg(path, [], { timeoutMs: 3_000 })).rejects.toMatchObject({ name: "TimeoutError" });
    // On a slow machine it may not even have begun.
    expect(isAlive(await begun())).toBe(false);
  });

  it("tells what a program said that failed, and that there is none", async () => {
    const path = await program("wrong", "");
    await writeFile(path, "#!/bin/sh\necho 'no such codec' >&2\nexit 1\n");
    await expect(runFfmpeg(path, [], { timeoutMs: 600_000 })).rejects.toThrow("no such codec");
    await expect(runFfmpeg(join(dir, "missing"), [], { timeoutMs: 600_000 })).rejects.toThrow("ENOENT");
  });

  it("starts its programs anew where the process that starts them was killed", async () => {
    const path = await program("parent", "");
    const parent = join(dir, "parent-pid");
    await writeFile(path, `#!/bin/sh\necho $PPID > ${parent}\n`);
    await runFfmpeg(path, [], { timeoutMs: 600_000 });
    const starter = Number(await readFile(parent, "utf8"));
    expect(starter).not.toBe(process.pid);
    const go = join(dir, "go");
    await writeFile(path, `#!/bin/sh\necho $$ > ${go}\nexec sleep 600\n`);
    const lost = runFfmpeg(path, [], { timeoutMs: 600_000 });
    await expect.poll(() => readFile(go, "utf8").catch(() => "")).toMatch(/\n/);
    process.kill(starter, "SIGKILL");
    await expect(lost).rejects.toThrow("SIGKILL");
    process.kill(Number(await readFile(go, "utf8")), "SIGKILL");
    await writeFile(path, `#!/bin/sh\necho $PPID > ${parent}\n`);
    await runFfmpeg(path, [], { timeoutMs: 600_000 });
    expect(Number(await readFile(parent, "utf8"))).not.toBe(starter);
  });
});
