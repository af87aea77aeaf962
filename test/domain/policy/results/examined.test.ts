import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeEach, expect, it } from "vitest";
import type { TakenFile } from "../../../../src/infrastructure/media/files/taken.ts";
import { ExaminedPictures } from "../../../../src/domain/policy/results/examined.ts";
import type { Examiner } from "../../../../src/domain/policy/results/examiner.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

const { signal } = new AbortController();
let database: Database;
let picture: TakenFile;
let asked: number;

beforeEach(async () => {
  const folder = temporaryFolder();
  database = await openDatabase(join(folder, "reelay.db"));
  asked = 0;
  picture = { path: join(folder, "picture"), kind: "PNG", digest: "of the picture" };
  await writeFile(picture.path, "a picture");
});

const examiner = (look: Examiner["look"]): Examiner => ({
  name: "one",
  mature: [],
  unseen: "unchecked",
  look: (file, stop) => ((asked += 1), look(file, stop)),
});

it("asks once about a picture, whatever it is flagged for", async () => {
  const examined = new ExaminedPictures(database);
  const says = examiner(async () => ["a, b", "c"]);
  await examined.ask(says, picture, signal);
  expect(await examined.ask(says, picture, signal)).toEqual(["a  b", "c"]);
  expect(asked).toBe(1);
  expect(await examined.ask({ ...says, name: "two" }, picture, signal)).toEqual(["a, b", "c"]);
  expect(asked).toBe(2);
  const nothing = { ...examiner(async () => []), name: "three" };
  await examined.ask(nothing, picture, signal);
  expect(await examined.ask(nothing, picture, signal)).toEqual([]);
  expect(asked).toBe(3);
  await database.close();
});

it("asks again where it could not be asked", async () => {
  const examined = new ExaminedPictures(database);
  expect(
    await examined.ask(
      examiner(async () => "unchecked"),
      picture,
      signal,
    ),
  ).toBeUndefined();
  expect(
    await examined.ask(
      examiner(async () => "passed_by"),
      picture,
      signal,
    ),
  ).toEqual([]);
  await examined.ask(
    examiner(async () => ["c"]),
    picture,
    signal,
  );
  expect(asked).toBe(3);
  await database.close();
});

it("fails where it cannot be written down", async () => {
  const examined = new ExaminedPictures(database);
  const closing = examiner(async () => {
    await database.close();
    return ["c"];
  });
  await expect(examined.ask(closing, picture, signal)).rejects.toThrow(/closed|destroyed|not open/);
});
