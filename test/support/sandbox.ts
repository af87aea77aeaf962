import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { z } from "zod";
import { OPERATIONS } from "../../src/domain/operations/registry.ts";
import { copyRenderer, startSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/sandbox.ts";

const ledgerBody = z.object({
  submissions: z.array(
    z.object({
      job_id: z.string(),
      account: z.string(),
      type: z.string(),
      cost: z.number(),
      prompt: z.string().nullable(),
      in_app_username: z.string().nullable(),
      platform: z.string().nullable(),
      at: z.string(),
    }),
  ),
  requests: z.record(z.string(), z.number()),
  rejected: z.object({ rate: z.number(), slot: z.number() }),
  reads: z.record(z.string(), z.number()),
  pages: z.number(),
  leaked_keys: z.number(),
  accounts: z.array(
    z.object({
      name: z.string(),
      tier: z.string(),
      tokens: z.number(),
      used: z.number(),
      running: z.number(),
    }),
  ),
});

/** What `GET /sandbox/ledger` answers. */
type Ledger = z.infer<typeof ledgerBody>;

/** A fault as the control endpoint takes it. */
export interface FaultRequest {
  readonly kind: string;
  readonly match?: { readonly method?: string; readonly path?: string; readonly account?: string };
  readonly times?: number;
  readonly skip?: number;
  readonly seconds?: number;
  readonly status?: number;
  readonly length?: "part" | "whole";
  readonly retryAfter?: string;
  readonly accepted?: boolean;
  readonly product?: string;
}

/** A sandbox for a test: `await using` stops it. */
export interface TestSandbox extends Sandbox, AsyncDisposable {
  readonly dir: string;
  ledger(): Promise<Ledger>;
  fault(fault: FaultRequest): Promise<void>;
  /** Drops the faults that struck nothing yet. */
  clearFaults(): Promise<void>;
}

/** The ffmpeg that tests use: the one on the PATH, else the npm package's. */
export function testFfmpeg(): string {
  const onPath = "ffmpeg";
  if (spawnSync(onPath, ["-version"]).status === 0) return onPath;
  const installer: { path: string } = createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg");
  return installer.path;
}

const folders: string[] = [];
process.once("exit", () => {
  for (const dir of folders) rmSync(dir, { recursive: true, force: true, maxRetries: 3 });
});

/** A folder that is removed when the process has ended; after a signal, with all others of a run of tests. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "reelay-sandbox-"));
  folders.push(dir);
  return dir;
}

let clip: string | undefined;

/** A clip of a quarter of a second, made once. */
export function tinyClip(): string {
  if (clip === undefined) {
    const path = join(temporaryFolder(), "tiny.mp4");
    const source = "-v error -f lavfi -i color=c=teal:s=64x64:d=0.25 -pix_fmt yuv420p -movflags +faststart";
    execFileSync(testFfmpeg(), [...source.split(" "), path]);
    clip = path;
  }
  return clip;
}

/**
 * Starts a sandbox whose jobs end within a fraction of a second.
 * @param options what differs: without `dir` it gets a folder of its own, without `render` a copy of one clip
 */
export async function testSandbox(options: Partial<SandboxOptions> = {}): Promise<TestSandbox> {
  const dir = options.dir ?? temporaryFolder();
  const sandbox = await startSandbox({
    timeScale: 0.02,
    seed: "test",
    render: copyRenderer(tinyClip()),
    operations: OPERATIONS,
    trouble(error) {
      throw error;
    },
    ...options,
    dir,
  });
  return {
    ...sandbox,
    dir,
    async ledger() {
      const response = await fetch(`${sandbox.control}/ledger`);
      return ledgerBody.parse(await response.json());
    },
    async fault(fault) {
      const response = await fetch(`${sandbox.control}/faults`, {
        method: "POST",
        body: JSON.stringify(fault),
      });
      if (!response.ok) throw new Error(await response.text());
    },
    async clearFaults() {
      await fetch(`${sandbox.control}/faults`, { method: "DELETE" });
    },
    [Symbol.asyncDispose]: () => sandbox.stop(),
  };
}

/** A small, detailed picture as base64: a gradient with a disc on it. */
export async function testPicture(width = 320, height = 240): Promise<string> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}">
    <defs><linearGradient id="g"><stop stop-color="#124"/><stop offset="1" stop-color="#fb6"/></linearGradient></defs>
    <rect width="100%" height="100%" fill="url(#g)"/><circle cx="60%" cy="40%" r="20%" fill="#e33"/></svg>`;
  return (await sharp(Buffer.from(svg)).jpeg().toBuffer()).toString("base64");
}
