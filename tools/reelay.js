#!/usr/bin/env node
// The `reelay` command. Plain JavaScript, so that a Node too old for the rest can say so, or find the
// newer one that the lock file brought.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import nodeModule from "node:module";
import { constants } from "node:os";
import { fileURLToPath } from "node:url";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const isNewEnough = major > 22 || (major === 22 && minor >= 19);
const root = new URL("..", import.meta.url);

if (isNewEnough) {
  // Half a start is compiling. Kept beside what is compiled, not in a temporary folder that others may write to; where
  // this folder cannot be written, nothing is kept.
  nodeModule.enableCompileCache(fileURLToPath(new URL("node_modules/.cache/compiled", root)));
  const { main } = await import((await program()).href);
  await main(process.argv.slice(2));
} else {
  const runtime = fileURLToPath(new URL(`node_modules/node-linux-${process.arch}/bin/node`, root));
  if (existsSync(runtime)) {
    runWith(runtime);
  } else {
    process.stderr.write(
      `Reelay needs Node.js 22.19 or newer; this is ${process.version}. Get one from https://nodejs.org\n`,
    );
    process.exitCode = 1;
  }
}

/**
 * What was built starts twice as fast. The published package has nothing else; a checkout runs its sources as they are once
 * one of them is another than what was built.
 */
async function program() {
  const source = new URL("src/main.ts", root);
  const built = new URL("dist/server/main.js", root);
  if (!existsSync(source)) return built;
  if (!existsSync(built)) return source;
  const { isOfNow } = await import("./server/stamp.ts");
  return isOfNow(new URL(".", built), root) ? built : source;
}

/** Runs this file again under another Node, and ends as it ends. Where this process is killed, that one hears of it by the line between them. */
function runWith(runtime) {
  const child = spawn(runtime, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  });
  // A terminal sends Ctrl-C to both; whoever sends a signal to one process alone means the child.
  process.on("SIGINT", () => {});
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}
