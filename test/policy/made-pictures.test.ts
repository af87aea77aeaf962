import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { MadePictures } from "../../src/policy/lineage/made-pictures.ts";
import type { Traits } from "../../src/policy/lineage/traits.ts";
import { type Database, openDatabase } from "../../src/storage/database.ts";
import { temporaryFolder } from "../support/sandbox.ts";

let database: Database;
let pictures: MadePictures;

beforeEach(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  pictures = new MadePictures(database);
});

afterEach(() => database.close());

const print = { digest: "d1", look: null };

const known: readonly Traits[] = [
  { signs: [], mature: false, photo: false },
  { signs: [], mature: true, photo: false },
  { signs: [], mature: false, photo: true },
  { signs: ["minors"], mature: false, photo: false },
];

it.each(known)("knows of a picture what it was made with: %o", async (traits) => {
  await pictures.remember(print, traits, 1);
  expect(await pictures.find(print)).toEqual(traits);
  expect(await pictures.find({ ...print, digest: "d2" })).toBeUndefined();
});

it("knows of one that was made twice everything", async () => {
  await pictures.remember(print, { signs: ["minors"], mature: false, photo: false }, 1);
  await pictures.remember(print, { signs: [], mature: true, photo: true }, 2);
  expect(await pictures.find(print)).toEqual({ signs: ["minors"], mature: true, photo: true });
});
