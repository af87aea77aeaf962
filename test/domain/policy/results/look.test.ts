import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import type { Print } from "../../../../src/infrastructure/media/pictures/print.ts";
import type { TakenFiles } from "../../../../src/infrastructure/media/files/taken.ts";
import { ExaminedPictures } from "../../../../src/domain/policy/results/examined.ts";
import type { Examiner } from "../../../../src/domain/policy/results/examiner.ts";
import { Results } from "../../../../src/domain/policy/results.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { aJob } from "../../../support/job.ts";
import { temporaryFolder, testPicture } from "../../../support/sandbox.ts";

const folder = temporaryFolder();
const picture = { path: join(folder, "picture"), digest: "ab".repeat(32), kind: "JPEG" };
const { signal } = new AbortController();
let database: Database;

beforeEach(async () => {
  await writeFile(picture.path, Buffer.from(await testPicture(), "base64"));
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
});
afterEach(() => database.close());

type Said = Awaited<ReturnType<Examiner["look"]>>;

/** Looks at a job's picture, and tells what came of it. */
async function looked(
  examiners: readonly {
    readonly says: Said;
    readonly mature?: readonly string[];
    readonly unseen?: Examiner["unseen"];
  }[],
  {
    mature = false,
    state,
    files = [picture],
  }: Partial<{ mature: boolean; state: "settled" | "open"; files: TakenFiles["files"] }> = {},
) {
  const remembered: Print[] = [];
  const withheld: string[] = [];
  const warnings: string[] = [];
  let asked = 0;
  const results = new Results({
    lineage: { remember: async (_job, prints) => void remembered.push(...prints) },
    examined: new ExaminedPictures(database),
    examiners: examiners.map(({ says, mature: excused = [], unseen = "unchecked" }, index) => ({
      name: `examiner ${index}`,
      mature: excused,
      unseen,
      look: async () => ((asked += 1), says),
    })),
    reports: {
      find: async () => state && { state },
      withholdFlagged: async (_job, rule) => void withheld.push(rule),
    },
    ffmpeg: join(folder, "no-ffmpeg"),
    log: makeLogger({ level: "warn", destination: { write: (line) => void warnings.push(line) } }),
  });
  await results.look({ ...aJob(), mature }, { files }, signal);
  return { remembered, withheld, warnings, asked: () => asked };
}

describe("a result", () => {
  it("is remembered where nobody examines it", async () => {
    const { remembered, withheld, warnings } = await looked([]);
    expect(remembered).toEqual([
      { digest: expect.stringMatching(/^[0-9a-f]{64}$/), look: expect.stringMatching(/^[0-9a-f]{32}$/) },
    ]);
    expect([withheld, warnings]).toEqual([[], []]);
  });

  it("is withheld for what any examiner flags, by its names", async () => {
    const { withheld } = await looked([{ says: [] }, { says: ["b", "c"] }, { says: ["d"] }]);
    expect(withheld).toEqual(["examiner 1: b, c"]);
  });

  it("is excused of what is mature where that was asked for, and of nothing else", async () => {
    const examiner = { says: ["sexual", "violence"], mature: ["sexual"] };
    expect((await looked([{ ...examiner, says: ["sexual"] }], { mature: true })).withheld).toEqual([]);
    expect((await looked([{ ...examiner, says: ["sexual"] }])).withheld).toEqual(["examiner 0: sexual"]);
  });

  it("is not excused by what another examiner calls mature", async () => {
    const other = { says: ["sexual", "violence"], mature: ["other"] };
    expect((await looked([other], { mature: true })).withheld).toEqual(["examiner 0: sexual, violence"]);
  });

  it("waits where it could not be examined", async () => {
    await expect(looked([{ says: "unchecked" }])).rejects.toMatchObject({ code: "result_unchecked" });
    expect((await looked([{ says: "passed_by" }])).withheld).toEqual([]);
  });

  it("is not examined once an operator has decided, but while they have not", async () => {
    const settled = await looked([{ says: ["b"] }], { state: "settled" });
    expect([settled.asked(), settled.withheld, settled.remembered.length]).toEqual([0, [], 1]);
    expect((await looked([{ says: ["b"] }], { state: "open" })).withheld).toHaveLength(1);
  });

  it("is known by its file alone where it cannot be read, and named in the log", async () => {
    const broken = { path: join(folder, "broken"), digest: "cd".repeat(32), kind: "JPEG" };
    await writeFile(broken.path, "no picture");
    const { remembered, warnings } = await looked([], { files: [broken] });
    expect(remembered).toEqual([{ digest: expect.stringMatching(/^[0-9a-f]{64}$/), look: null }]);
    expect(warnings.join()).toContain("could not be read");
  });

  it("of which nothing can be seen is named in the log", async () => {
    const video = { path: join(folder, "video"), digest: "ef".repeat(32), kind: "MP4" };
    await writeFile(video.path, "no video");
    const { remembered, warnings } = await looked([], { files: [video] });
    expect(remembered).toEqual([]);
    expect(warnings.join()).toContain("Nothing of a result");
  });

  it("of which nothing can be seen waits where it is to be examined, unless what cannot be examined may pass", async () => {
    const video = { path: join(folder, "unseen"), digest: "ef".repeat(32), kind: "MP4" };
    await writeFile(video.path, "no video");
    const files = [video];
    const open = { says: [], unseen: "passed_by" } as const;
    await expect(looked([{ says: [] }], { files })).rejects.toMatchObject({ code: "result_unchecked" });
    await expect(looked([open, { says: [] }], { files })).rejects.toMatchObject({
      code: "result_unchecked",
    });
    expect((await looked([open], { files })).withheld).toEqual([]);
    const flagged = await looked([{ says: ["b"] }], { files: [video, picture] });
    expect(flagged.withheld).toEqual(["examiner 0: b"]);
    expect((await looked([{ says: [] }], { files, state: "settled" })).withheld).toEqual([]);
  });
});
