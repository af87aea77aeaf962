import { mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchOf, sweepScratch } from "../../../adapters/kit/files/scratch.ts";
import { readConfig } from "../../../src/config.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it("what killed processes left is swept away, but not what another shard's process is working on", async () => {
  const host = { config: readConfig({ REELAY_DATA: temporaryFolder() }) };
  const dir = scratchOf(host, "discord");
  await sweepScratch(dir);
  await mkdir(join(dir, "at-work"), { recursive: true });
  await mkdir(join(dir, "left"));
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(dir, "left"), longAgo, longAgo);
  await sweepScratch(dir);
  expect(await readdir(dir)).toEqual(["at-work"]);
  // Where nobody else can be at work there, all of it goes.
  await sweepScratch(dir, 0);
  expect(await readdir(dir)).toEqual([]);
});
