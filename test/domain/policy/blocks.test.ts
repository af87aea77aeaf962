import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { partnersPerson } from "../../../src/seam/access/partners.ts";
import type { Block } from "../../../src/seam/access/safety.ts";
import { Blocks } from "../../../src/domain/policy/blocks.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { memory } from "../../../src/infrastructure/storage/key-value.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const ann = partnersPerson("http:shop", "ann");
let database: Database;
let blocks: Blocks;

beforeEach(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  blocks = new Blocks(memory(database, "blocks"), ["web:named"]);
});

afterEach(() => database.close());

const block = (subject: Block["subject"], by?: "partner"): Block => ({ subject, at: 1, ...(by && { by }) });

it("lets a partner lift their own block and nobody else's, and the operator both", async () => {
  await blocks.add(block(ann));
  await blocks.add(block(ann, "partner"));
  expect(await blocks.ofPerson("http:shop", "ann")).toEqual(["host", "partner"]);
  expect(await blocks.lift(ann, "partner")).toBe(true);
  expect(await blocks.ofPerson("http:shop", "ann")).toEqual(["host"]);
  expect(await blocks.lift(ann, "partner")).toBe(false);
  await blocks.add(block(ann, "partner"));
  expect(await blocks.lift(ann)).toBe(true);
  expect(await blocks.ofPerson("http:shop", "ann")).toEqual([]);
  expect(await blocks.lift(ann)).toBe(false);
});

it("keeps out whoever is named or added, with their group, and a partner's people by either", async () => {
  expect(await blocks.has({ user: "web:named" })).toBe(true);
  expect(await blocks.has({ user: "web:me", chat: "web:named" })).toBe(true);
  expect(await blocks.has({ user: "web:me" })).toBe(false);
  await blocks.add(block(ann, "partner"));
  expect(await blocks.has({ user: "http:shop", username: "ann" })).toBe(true);
  expect(await blocks.has({ user: "http:shop", username: "ben" })).toBe(false);
  expect(await blocks.has({ user: "http:shop" })).toBe(false);
  // Only a partner has people.
  expect(await blocks.has({ user: "web:me", username: "ann" })).toBe(false);
});

it("forgets what a partner decided, and leaves what the operator did", async () => {
  await blocks.add(block(ann));
  await blocks.add(block(ann, "partner"));
  await blocks.add(block(partnersPerson("http:other", "ann"), "partner"));
  await blocks.forgetPartner("http:shop");
  expect(await blocks.ofPerson("http:shop", "ann")).toEqual(["host"]);
  expect(await blocks.ofPerson("http:other", "ann")).toEqual(["partner"]);
});

it("lists the latest first", async () => {
  await blocks.add({ ...block("web:old"), at: 1 });
  await blocks.add({ ...block("web:new"), at: 3 });
  await blocks.add({ ...block("web:middle"), at: 2 });
  expect((await blocks.list()).map(({ subject }) => subject)).toEqual(["web:new", "web:middle", "web:old"]);
});

it("notes of somebody that they are kept out: by the settings, the operator, or those who moderate a group", async () => {
  await blocks.add(block("web:added"));
  await blocks.add({ ...block("web:me"), by: "telegram:-100" });
  const people = ["web:named", "web:added", "web:me", "web:other"] as const;
  expect(await Promise.all(people.map((user) => blocks.isNoted(user)))).toEqual([true, true, true, false]);
});
