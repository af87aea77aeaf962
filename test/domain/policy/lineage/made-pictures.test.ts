import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { MadePictures } from "../../../../src/domain/policy/lineage/made-pictures.ts";
import type { Traits } from "../../../../src/domain/jobs/traits.ts";
import { type Database, openDatabase } from "../../../../src/infrastructure/storage/database.ts";
import { temporaryFolder } from "../../../support/sandbox.ts";

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
  await pictures.remember([print], traits, 1);
  expect(await pictures.find(print)).toEqual(traits);
  expect(await pictures.find({ ...print, digest: "d2" })).toBeUndefined();
});

it("knows of one that was made twice everything", async () => {
  await pictures.remember([print], { signs: ["minors"], mature: false, photo: false }, 1);
  await pictures.remember([print], { signs: [], mature: true, photo: true }, 2);
  expect(await pictures.find(print)).toEqual({ signs: ["minors"], mature: true, photo: true });
});

describe("a picture that looks like one", () => {
  const LOOK = "0123456789abcdef0123456789abcdef";
  const made = { digest: "d1", look: LOOK };
  const traits: Traits = { signs: ["minors"], mature: false, photo: false };

  it("is known by it, also where it was made twice", async () => {
    await pictures.remember([made], traits, 1);
    await pictures.remember([made], { ...traits, signs: ["sexual"] }, 2);
    const near = LOOK.replace(/^01/, "32");
    const both = { ...traits, signs: ["sexual", "minors"] };
    expect(await pictures.find({ digest: "d2", look: near })).toEqual(both);
    expect(await pictures.find({ digest: "d2", look: null })).toBeUndefined();
    expect(await pictures.find({ digest: "d1", look: null })).toEqual(both);
  });

  it("is another one where only a part of it is the same", async () => {
    await pictures.remember([made], traits, 1);
    const other = LOOK.replace(/^0123456789abcdef/, "fedcba9876543210");
    expect(await pictures.find({ digest: "d2", look: other })).toBeUndefined();
    await pictures.remember([{ digest: "d3", look: other }], { signs: [], mature: true, photo: true }, 2);
    expect(await pictures.find({ digest: "d2", look: other })).toEqual({
      signs: [],
      mature: true,
      photo: true,
    });
    expect(await pictures.find({ digest: "d3", look: LOOK })).toEqual({
      signs: ["minors"],
      mature: true,
      photo: true,
    });
  });

  it("is remembered as of the last time that it was made", async () => {
    await pictures.remember([made], traits, 1);
    await pictures.remember([made], traits, 7);
    expect(await database.kysely.selectFrom("made_pictures").select(["digest", "at"]).execute()).toEqual([
      { digest: "d1", at: 7 },
    ]);
    expect(await database.kysely.selectFrom("made_looks").selectAll().execute()).toHaveLength(9);
  });
});
