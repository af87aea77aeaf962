import { mkdir, readdir, utimes } from "node:fs/promises";
import { join } from "node:path";
import { expect, it } from "vitest";
import { scratchOf, sweepScratch } from "../../../adapters/discord/media/scratch.ts";
import { readConfig } from "../../../src/config.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

it("what killed processes left is swept away, but not what another shard's process is working on", async () => {
  const host = { config: readConfig({ REELAY_DATA: temporaryFolder() }) };
  await sweepScratch(host);
  const dir = scratchOf(host);
  await mkdir(join(dir, "at-work"), { recursive: true });
  await mkdir(join(dir, "left"));
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  await utimes(join(dir, "left"), longAgo, longAgo);
  await sweepScratch(host);
  expect(await readdir(dir)).toEqual(["at-work"]);
});
