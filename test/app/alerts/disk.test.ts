import { expect, it } from "vitest";
import { examineDisk, watchDisk } from "../../../src/app/alerts/disk.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const look = (...watched: Parameters<typeof watchDisk>) =>
  watchDisk(...watched).look(new AbortController().signal);

it("a disk is nearly full below so many free bytes", async () => {
  expect(await look("/data", 1_000, async () => 1_000)).toEqual([]);
  expect(await look("/data", 1_000, async () => 999)).toEqual([
    { kind: "disk_full", params: { bytes: 999 } },
  ]);
});

it("the doctor tells of a disk that is nearly full, and of no other", async () => {
  const data = temporaryFolder();
  expect(await examineDisk(data, 0)).toEqual([]);
  expect(await examineDisk(data, 1e15)).toEqual([
    {
      name: "disk",
      ok: false,
      found: expect.stringMatching(/^\d+ MB are free on the disk of .+, of 1000000000 MB that are to be$/),
      advice: expect.stringContaining("REELAY_ALERTS_DISK_MB"),
    },
  ]);
});

it("a disk is asked how much is free", async () => {
  expect(await look(temporaryFolder(), 0)).toEqual([]);
  const [full] = await look(temporaryFolder(), Number.MAX_SAFE_INTEGER);
  expect(full?.params["bytes"]).toBeGreaterThan(0);
});
