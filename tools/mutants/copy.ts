import { spawn } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve, sep } from "node:path";
import type { Mutant } from "./mutants.ts";

/** A command's end: its status, `null` where it took too long, and what it wrote. */
export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

const LEFT_OUT: ReadonlySet<string> = new Set([".git", "node_modules", "data", "dist"]);

/** A copy of the working tree, where sources are changed and tests run. Lives until it is disposed of. */
export class Copy implements Disposable {
  readonly folder = mkdtempSync(join(tmpdir(), "reelay-mutants-"));

  constructor() {
    const root = resolve(".");
    cpSync(root, this.folder, {
      recursive: true,
      filter: (path) => !LEFT_OUT.has(path.slice(root.length + 1).split(sep)[0] ?? ""),
    });
    symlinkSync(join(root, "node_modules"), join(this.folder, "node_modules"));
  }

  /** Writes a file of the copy, by its path from the root. */
  write(file: string, text: string): void {
    writeFileSync(join(this.folder, file), text);
  }

  remove(file: string): void {
    rmSync(join(this.folder, file));
  }

  /** Runs `task` while the mutant stands in its original's place. */
  async with<T>({ file, source }: Mutant, task: () => Promise<T>): Promise<T> {
    const original = readFileSync(join(this.folder, file), "utf8");
    this.write(file, source);
    try {
      return await task();
    } finally {
      this.write(file, original);
    }
  }

  /** Runs a package's command in the copy, and ends it with all that it started after `seconds`. */
  async run(command: readonly string[], seconds: number): Promise<Ended> {
    const child = spawn("npx", ["--no-install", ...command], {
      cwd: this.folder,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, NO_COLOR: "1" },
    });
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output += text));
    let late = false;
    const timer = setTimeout(() => {
      late = true;
      // The whole group: the workers, and what a test started.
      if (child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    }, seconds * 1000);
    const status = await new Promise<number | null>((settle, fail) =>
      child.on("error", fail).on("close", settle),
    );
    clearTimeout(timer);
    return { status: late ? null : status, output };
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
