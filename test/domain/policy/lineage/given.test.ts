import { createReadStream } from "node:fs";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { printOf } from "../../../../src/infrastructure/media/pictures/print.ts";
import { Lineage, traitsFor } from "../../../../src/domain/policy/lineage/lineage.ts";
import { MadePictures } from "../../../../src/domain/policy/lineage/made-pictures.ts";
import type { Traits } from "../../../../src/domain/jobs/traits.ts";
import { ExaminedPictures } from "../../../../src/domain/policy/results/examined.ts";
import type { Examiner } from "../../../../src/domain/policy/results/examiner.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { temporaryFolder, testPicture } from "../../../support/sandbox.ts";

const path = join(temporaryFolder(), "picture");
const given = { surface: "telegram", id: path } as const;
const MADE: Traits = { signs: ["minors"], mature: false, photo: false };
const NOBODY_KNOWS: Traits = { signs: [], mature: false, photo: true };

let database: Database;

beforeEach(async () => {
  await writeFile(path, Buffer.from(await testPicture(), "base64"));
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
});
afterEach(() => database.close());

/** Lineage where pictures are seen as it is said. */
function lineage(said?: Awaited<ReturnType<Examiner["look"]>>, traits?: Traits) {
  const classifier: Examiner | undefined = said && {
    name: "one",
    mature: [],
    unseen: "unchecked",
    look: async () => said,
  };
  return new Lineage({
    made: new MadePictures(database),
    ledger: { traitsOf: async () => traits },
    openMedia: async ({ id }) => createReadStream(id),
    digestIn: ({ digest }) => digest,
    scratch: temporaryFolder(),
    examined: new ExaminedPictures(database),
    classifier,
  });
}

const print = () => printOf({ path, digest: "ab".repeat(32), kind: "JPEG" });

describe("a given picture", () => {
  it("is somebody's photo where nobody knows it, and what it was made as where it was made here", async () => {
    expect(await lineage().of([])).toEqual({ ...NOBODY_KNOWS, photo: false });
    expect(await lineage().of([given])).toEqual(NOBODY_KNOWS);
    await lineage(undefined, MADE).remember({ id: "j", mature: false }, [await print()]);
    expect(await lineage().of([given])).toEqual(MADE);
  });

  it("counts as sexual and mature where the classifier says so", async () => {
    expect(await lineage(["x"]).of([given])).toEqual({ signs: ["sexual"], mature: true, photo: true });
    await lineage(undefined, MADE).remember({ id: "j", mature: false }, [await print()]);
    const { signs, ...flags } = await lineage(["x"]).of([given]);
    expect(new Set(signs)).toEqual(new Set(["minors", "sexual"]));
    expect(flags).toEqual({ mature: true, photo: false });
  });

  it("stays what it is where the classifier sees nothing", async () => {
    expect(await lineage([]).of([given])).toEqual(NOBODY_KNOWS);
    expect(await lineage("passed_by").of([given])).toEqual(NOBODY_KNOWS);
  });

  it("lets nothing pass where the classifier could not look", async () => {
    await expect(lineage("unchecked").of([given])).rejects.toMatchObject({ code: "moderation_down" });
  });
});

it.each([true, false])("is remembered of a job that tells nothing as a photo, mature: %s", async (mature) => {
  await lineage().remember({ id: "j", mature }, [await print()]);
  expect(await lineage().of([given])).toEqual({ ...NOBODY_KNOWS, mature });
});

it("is made with what was said, with what was chosen, and with what was known", () => {
  const wording = { text: "a naked woman", avoided: "", photos: false, mature: false };
  const nothing: Traits = { signs: [], mature: false, photo: false };
  expect(traitsFor(wording, nothing)).toEqual({ signs: ["sexual"], mature: false, photo: false });
  expect(traitsFor({ ...wording, mature: true, text: "a lake" }, NOBODY_KNOWS)).toEqual({
    signs: [],
    mature: true,
    photo: true,
  });
});
