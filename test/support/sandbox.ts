import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { copyRenderer, startSandbox, type Sandbox, type SandboxOptions } from "../../src/sandbox/sandbox.ts";

/** What `GET /sandbox/ledger` answers. */
export interface Ledger {
  readonly submissions: readonly {
    readonly job_id: string;
    readonly account: string;
    readonly type: string;
    readonly cost: number;
    readonly prompt: string | null;
    readonly in_app_username: string | null;
    readonly platform: string | null;
    readonly at: string;
  }[];
  readonly requests: Readonly<Record<string, number>>;
  readonly rejected: { readonly rate: number; readonly slot: number };
  readonly reads: Readonly<Record<string, number>>;
  readonly accounts: readonly {
    readonly name: string;
    readonly tier: string;
    readonly tokens: number;
    readonly used: number;
    readonly running: number;
  }[];
}

/** A fault as the control endpoint takes it. */
export interface FaultRequest {
  readonly kind: string;
  readonly match?: { readonly method?: string; readonly path?: string };
  readonly times?: number;
  readonly accepted?: boolean;
}

/** A sandbox for a test: `await using` stops it and removes its folder. */
export interface TestSandbox extends Sandbox, AsyncDisposable {
  readonly dir: string;
  ledger(): Promise<Ledger>;
  fault(fault: FaultRequest): Promise<void>;
}

/** The ffmpeg that tests use: the one on the PATH, else the npm package's. */
export function testFfmpeg(): string {
  try {
    execFileSync("ffmpeg", ["-version"], { stdio: "ignore" });
    return "ffmpeg";
  } catch {
    const installer: { path: string } = createRequire(import.meta.url)("@ffmpeg-installer/ffmpeg");
    return installer.path;
  }
}

/** A folder that is removed when the process ends. */
export function temporaryFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "reelay-sandbox-"));
  process.once("exit", () => rmSync(dir, { recursive: true, force: true }));
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
    ...options,
    dir,
  });
  return {
    ...sandbox,
    dir,
    async ledger() {
      const response = await fetch(`${sandbox.control}/ledger`);
      return (await response.json()) as Ledger;
    },
    async fault(fault) {
      const response = await fetch(`${sandbox.control}/faults`, {
        method: "POST",
        body: JSON.stringify(fault),
      });
      if (!response.ok) throw new Error(await response.text());
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
