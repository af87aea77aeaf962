import { execFileSync } from "node:child_process";
import { rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { TestPostgres } from "../../test/support/postgres.ts";
import { temporaryFolder } from "../../test/support/sandbox.ts";
import { say } from "./report.ts";

/** So often something happens to the database, in milliseconds. */
export const EVERY_MS = 90_000;

/** So long it has no connection, or no space, to give, in milliseconds. */
export const WANT_MS = 10_000;

/** What the disk of the database holds, in bytes: more than it needs for its log. */
const DISK_BYTES = 3 * 2 ** 30;

/** A disk of its own for a database, which can be filled. */
export interface Disk extends Disposable {
  readonly folder: string;
  fill(): void;
  free(): void;
}

/** Mounts one in memory; undefined, and said why, where that is not allowed. */
export function mountDisk(): Disk | undefined {
  const folder = temporaryFolder();
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${DISK_BYTES},mode=755`, "none", folder]);
  } catch {
    say("  no disk is filled: only root may mount one");
    return undefined;
  }
  const file = join(folder, "full");
  return {
    folder,
    fill() {
      const { bavail, bsize } = statfsSync(folder);
      execFileSync("fallocate", ["-l", String(bavail * bsize), file]);
    },
    free: () => rmSync(file, { force: true }),
    [Symbol.dispose]: () => void execFileSync("umount", ["--lazy", folder]),
  };
}

/** What happens to a database, in turn: each kind's name, and what it does until it is over. */
type Blow = readonly [kind: DatabaseBlow, work: () => Promise<void>];

/** What can happen to it. */
export type DatabaseBlow = "restart" | "connections" | "disk";

/**
 * Has something happen to the database now and then, in the midst of all, until the time is over.
 * @param address of any database of it
 * @param hear is told each one when it begins; what it gives back is called when that one is over
 */
export async function strikeDatabase(
  server: TestPostgres,
  {
    address,
    disk,
    until,
  }: { readonly address: string; readonly disk: Disk | undefined; readonly until: number },
  hear: (kind: DatabaseBlow) => () => void,
): Promise<void> {
  const blows: readonly Blow[] = [
    ["restart", () => server.restart()],
    ["connections", () => takeConnections(address)],
    ...(disk ? [["disk", () => fillDisk(server, disk)] as const] : []),
  ];
  for (let nth = 0; ; nth += 1) {
    await sleep(EVERY_MS);
    if (performance.now() > until) return;
    const [kind, work] = blows[nth % blows.length] ?? ["restart", () => server.restart()];
    const isOver = hear(kind);
    const began = performance.now();
    await work();
    isOver();
    say(`  ${kind}: over after ${(performance.now() - began).toFixed(0)} ms`);
  }
}

/** Takes every connection that it has to give, for a while. */
async function takeConnections(address: string): Promise<void> {
  const until = performance.now() + WANT_MS;
  const taken: Client[] = [];
  while (performance.now() < until) {
    const client = new Client({ connectionString: address });
    client.on("error", () => {});
    const isGiven = await client.connect().then(
      () => true,
      () => false,
    );
    if (isGiven) taken.push(client);
    else await sleep(50);
  }
  await Promise.all(taken.map((client) => client.end().catch(() => undefined)));
}

/** It may end by itself: it cannot go on where its log cannot. */
async function fillDisk(server: TestPostgres, disk: Disk): Promise<void> {
  disk.fill();
  await sleep(WANT_MS);
  disk.free();
  await sleep(1_000);
  await server.revive();
}
