#!/usr/bin/env node
// The `reelay` command. Plain JavaScript, so that a Node too old for the rest can say so, or find the
// newer one that the lock file brought.
import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
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
  // As where that line is cut: a server ends in order, and a command that makes something is interrupted.
  whenAbandoned(() => process.emit("disconnect"));
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
  whenAbandoned(() => child.connected && child.disconnect());
  process.on("SIGINT", () => isAtTerminal() || child.kill("SIGINT"));
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
  child.on("exit", (code, signal) => {
    process.exitCode = code ?? 128 + (constants.signals[signal] ?? 0);
  });
}

/** Whether this is in a terminal's foreground, all of which is sent Ctrl-C. */
function isAtTerminal() {
  const [, , group, , , foreground] = statusOf("self");
  return group === foreground;
}

/**
 * Calls back, again and again, once the npm that ran this is gone, or its shell: npm tells a signal to the shell alone that it
 * runs a script with, which dies of it and tells nobody; a kill is told to nobody at all. Whoever is started otherwise, or is put
 * in the background by a script, outlives what did so.
 */
function whenAbandoned(leave) {
  const { npm_lifecycle_script: script = "" } = process.env;
  if (!/\breelay(?:\.js)?\b[^&;|]*$/.test(script)) return;
  const before = startedBy();
  setInterval(() => startedBy() !== before && leave(), 250).unref();
}

/** Who started this; where that is a shell with a script, who started that, too. */
function startedBy() {
  const { ppid } = process;
  const [, what] = readOf(ppid, "cmdline").split("\0");
  return what === "-c" ? `${ppid} of ${statusOf(ppid)[1]}` : String(ppid);
}

/** What Linux says of a process after its name, which may hold anything: state, parent, group, session, terminal, the terminal's foreground. */
function statusOf(id) {
  return readOf(id, "stat").split(") ").at(-1).split(" ");
}

function readOf(id, what) {
  try {
    return readFileSync(`/proc/${id}/${what}`, "utf8");
  } catch {
    return "";
  }
}
