import { readFileSync } from "node:fs";
import { chmod, glob, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { shardEnvironment } from "../../../adapters/discord/gateway/sharding.ts";
import { runFfmpeg } from "../../../src/infrastructure/media/video/ffmpeg.ts";
import { ffmpegRenderer } from "../../../src/sandbox/render/ffmpeg.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const SECRETS = {
  REELAY_API_KEY: "key-of-the-operator",
  REELAY_SECRET: "secret-of-the-vault",
  TELEGRAM_BOT_TOKEN: "token-of-the-bot",
  AWS_SECRET_ACCESS_KEY: "secret-of-somebody-else",
};

afterEach(() => vi.unstubAllEnvs());

/** A program that writes its environment into a file, whatever it is asked. */
async function dumping(): Promise<{ readonly program: string; readonly environment: () => Promise<string> }> {
  const folder = temporaryFolder();
  const program = join(folder, "ffmpeg");
  const file = join(folder, "environment");
  await writeFile(program, `#!/bin/sh\nenv > ${file}\n`);
  await chmod(program, 0o755);
  return { program, environment: () => readFile(file, "utf8") };
}

describe("the environment of children", () => {
  it("holds nothing that this process was given, in ffmpeg's", async () => {
    for (const [name, value] of Object.entries(SECRETS)) vi.stubEnv(name, value);
    const { program, environment } = await dumping();
    await runFfmpeg(program, [], { timeoutMs: 60_000 });
    const seen = await environment();
    expect(seen).toContain("PATH=");
    for (const [name, value] of Object.entries(SECRETS)) {
      expect(seen).not.toContain(name);
      expect(seen).not.toContain(value);
    }
  });

  it("holds nothing that this process was given, where the sandbox renders", async () => {
    for (const [name, value] of Object.entries(SECRETS)) vi.stubEnv(name, value);
    const { program, environment } = await dumping();
    const dir = temporaryFolder();
    const look = { move: "zoom-in" } as const;
    const size = { width: 64, height: 64, duration: 1, fps: 8 };
    const task = { kind: "clip", dir, stills: [], ...size, look, caption: "", seed: 1, fine: false } as const;
    // It makes no file, which is all that is wrong with it.
    await expect(ffmpegRenderer(program)(task, new AbortController().signal)).rejects.toThrow("ENOENT");
    const seen = await environment();
    expect(seen).toContain("PATH=");
    for (const value of Object.values(SECRETS)) expect(seen).not.toContain(value);
  });

  it("holds Discord's token and our settings in a shard's, and no other platform's", () => {
    const given = { ...SECRETS, DISCORD_BOT_TOKEN: "a.b.c", REELAY_TOKEN: "rly", PATH: "/bin" };
    expect(shardEnvironment(given)).toEqual({
      REELAY_API_KEY: SECRETS.REELAY_API_KEY,
      REELAY_SECRET: SECRETS.REELAY_SECRET,
      DISCORD_BOT_TOKEN: "a.b.c",
      PATH: "/bin",
    });
  });

  it("is chosen wherever a child is begun", async () => {
    const begun: string[] = [];
    for await (const file of glob("{src,adapters}/**/*.ts", {
      cwd: new URL("../../..", import.meta.url).pathname,
    })) {
      // A type begins nothing.
      const source = readFileSync(new URL(`../../../${file}`, import.meta.url), "utf8").replaceAll(
        /^import type .*$/gm,
        "",
      );
      if (!/node:child_process|\bWorker\b.*"node:worker_threads"|new ShardingManager/.test(source)) continue;
      begun.push(file);
      expect(source, `${file} lets a child inherit the environment`).toMatch(/\benv\b\s*[:=]/);
    }
    expect(begun).toContain("src/infrastructure/media/video/ffmpeg.ts");
  });
});
