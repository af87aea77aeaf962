import { fork } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openScratch } from "../../../src/infrastructure/storage/scratch.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

/** A process that has a folder of its own. */
async function another(root: string) {
  const child = fork(new URL("scratch-child.ts", import.meta.url), [root]);
  // One that stands still ends by nothing else.
  onTestFinished(() => void child.kill("SIGKILL"));
  const [folder] = (await once(child, "message")) as [string];
  writeFileSync(join(folder, "photo"), "a photo");
  return { child, folder };
}

it("what ended processes left is removed, and nothing of one that only stands still", async () => {
  const root = join(temporaryFolder(), "scratch");
  const own = await openScratch(root);
  const [stopped, killed] = [await another(root), await another(root)];
  stopped.child.kill("SIGSTOP");
  killed.child.kill("SIGKILL");
  await once(killed.child, "exit");
  // Of a version that knew no locks.
  mkdirSync(join(root, "web", "file-1"), { recursive: true });
  await own.sweep();
  expect(readdirSync(stopped.folder)).toEqual(["photo"]);
  expect(readdirSync(root)).toHaveLength(4);
  expect(existsSync(killed.folder)).toBe(false);
  stopped.child.kill("SIGKILL");
  await once(stopped.child, "exit");
  await own.sweep();
  expect(existsSync(own.folder)).toBe(true);
  await own.close();
  expect(readdirSync(root)).toEqual([]);
});

it("two of one process are two", async () => {
  const root = temporaryFolder();
  const [one, other] = [await openScratch(root), await openScratch(root)];
  await one.sweep();
  expect(existsSync(other.folder)).toBe(true);
  await one.close();
  await other.close();
});

it("is removed while something that is under way still makes files in it", async () => {
  for (const before of Array.from({ length: 30 }, (_, round) => round % 7)) {
    const root = join(temporaryFolder(), "scratch");
    const own = await openScratch(root);
    const make = () => mkdtemp(join(own.folder, "file-")).catch(() => undefined);
    for (let made = 0; made < before; made++) await make();
    const making = (async () => {
      for (let made = 0; made < 40; made++) await make();
    })();
    await own.close();
    await making;
    expect(readdirSync(root)).toEqual([]);
  }
});
