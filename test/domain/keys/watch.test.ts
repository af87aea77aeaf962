import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import type { Json } from "../../../src/common/json.ts";
import { makeKeyWatch, mayBeKey } from "../../../src/domain/keys/watch.ts";
import { makeToken } from "../../../src/domain/partners/tokens.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { KnownKeys } from "../../../src/infrastructure/vault/known-keys.ts";
import { groupOwner } from "../../../src/infrastructure/vault/vault.ts";
import type { Speaker } from "../../../src/seam/access/keys.ts";
import type { Control, FieldSpec } from "../../../src/seam/fields.ts";
import type { MediaRef, Values } from "../../../src/seam/values.ts";
import { drawn, KEY_SHAPES } from "../../support/keys.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

const KNOWN = "correct-horse-battery-staple";
const LIKELY = KEY_SHAPES["base62, 40"]?.(drawn("watch")) ?? "";
const { token: OURS } = makeToken("acme", { scopes: ["jobs:read"] }, 0);
const SAID = "my key is Wq81zz-x";

let database: Database;
let known: KnownKeys;
/** Who has a key. */
let owners: Set<string>;
const watch = () => makeKeyWatch({ known, has: async (owner) => owners.has(owner) });

beforeEach(async () => {
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
  known = new KnownKeys(database, async () => "a secret", Date.now);
  await known.remember(KNOWN);
  owners = new Set();
});
afterEach(() => database.close());

const photo = (name?: string): MediaRef => ({
  surface: "telegram",
  id: "a",
  ...(name !== undefined && { name }),
});

/** Why something is refused; nothing where it is taken. */
const refusal = (given: Json | undefined) =>
  watch()
    .refuseKnown(given)
    .catch((error: unknown) => error);

const refusedIn = (name: string) => ({ code: "key_in_words", params: { field: name } });

const alone: Speaker = { platform: "telegram", user: "telegram:1", audience: "private" };
const inGroup: Speaker = { ...alone, chat: "telegram:-5", audience: "group" };

const field = (name: string, control: Control): FieldSpec => ({
  name,
  label: "field.prompt",
  control,
  required: false,
  advanced: false,
});

it("a known key and a secret of ours are found of everybody, however little words are suspected", async () => {
  owners.add(alone.user);
  for (const suspicion of ["known", "guess", "asked"] as const) {
    expect(await watch().find(alone, `use ${KNOWN}`, suspicion)).toEqual({ key: KNOWN, of: "service" });
    expect(await watch().find(alone, `use ${OURS}`, suspicion)).toEqual({ key: OURS, of: "ours" });
  }
});

it("what somebody calls a key is guessed, and not where only known ones are looked for", async () => {
  owners.add(alone.user);
  expect(await watch().find(alone, SAID, "guess")).toEqual({ key: "Wq81zz-x", of: "service" });
  expect(await watch().find(alone, SAID, "known")).toBeUndefined();
});

it("what looks like a key is one of whoever has none, or was asked for it", async () => {
  const find = async (suspicion: "known" | "guess" | "asked", speaker = alone) =>
    (await watch().find(speaker, `use ${LIKELY}`, suspicion))?.key;
  expect([await find("known"), await find("guess"), await find("asked")]).toEqual([
    undefined,
    LIKELY,
    LIKELY,
  ]);
  owners.add(groupOwner("telegram:-5"));
  expect([await find("guess"), await find("guess", inGroup)]).toEqual([LIKELY, undefined]);
  owners = new Set([alone.user]);
  expect([await find("guess"), await find("guess", inGroup), await find("asked")]).toEqual([
    undefined,
    undefined,
    LIKELY,
  ]);
  expect(await watch().find(alone, "slow waves at sunset", "asked")).toBeUndefined();
});

it("behind a command stands one that was meant to connect, and else, while they have none, what is like no word", async () => {
  const keyed: Speaker = { ...alone, user: "telegram:2" };
  owners.add(keyed.user);
  const behind = (words: string, isSure: boolean, who = alone) => watch().behind(who, words, isSure);
  expect(await behind("justletters", true)).toEqual({ key: "justletters", of: "service" });
  expect(await behind("justletters", false)).toBeUndefined();
  expect(await behind("just1letters", false)).toEqual({ key: "just1letters", of: "service" });
  expect(await behind("just1letters", true, keyed)).toEqual({ key: "just1letters", of: "service" });
  expect(await behind("just1letters", false, keyed)).toBeUndefined();
  expect(await behind("two words", true)).toBeUndefined();
});

it("in what fields were given words are guessed at, choices and names of files are known, and keys are at home in one for keys", async () => {
  const fields = [field("key", "secret"), field("prompt", "text"), field("style", "catalogue")];
  const findIn = async (values: Values) => watch().findIn(alone, fields, values);
  expect(await findIn({ key: KNOWN, prompt: "waves" })).toBeUndefined();
  expect(await findIn({ key: KNOWN, prompt: LIKELY })).toEqual({
    key: LIKELY,
    of: "service",
    field: "prompt",
  });
  expect(await findIn({ style: LIKELY })).toBeUndefined();
  expect(await findIn({ style: KNOWN })).toMatchObject({ field: "style" });
  expect(await findIn({ image: photo(`${LIKELY}.jpg`), images: [photo(), photo("b.jpg")] })).toBeUndefined();
  expect(await findIn({ images: [photo(), photo(`${KNOWN}.jpg`)] })).toMatchObject({
    key: KNOWN,
    field: "images",
  });
});

it("a known key is refused wherever it stands in what is given, a name in what has it", async () => {
  expect(await refusal(undefined)).toBeUndefined();
  expect(await refusal({ a: [1, null, true, "waves", LIKELY, SAID] })).toBeUndefined();
  expect(await refusal(KNOWN)).toMatchObject({ code: "key_in_words", params: {} });
  expect(await refusal({ [KNOWN]: 1 })).toMatchObject({ code: "key_in_words", params: {} });
  expect(await refusal({ input: { prompt: KNOWN } })).toMatchObject(refusedIn("input.prompt"));
  expect(await refusal({ input: { [OURS]: "waves" } })).toMatchObject(refusedIn("input"));
  expect(await refusal({ list: ["waves", { deep: [KNOWN] }] })).toMatchObject(refusedIn("list.1.deep.0"));
});

it("what is kept as it came may be one where it is known, ours, or looks like one", async () => {
  const all = await Promise.all([KNOWN, OURS, LIKELY, "waves"].map((text) => mayBeKey(known, text)));
  expect(all).toEqual([true, true, true, false]);
});

it("looks at a file's name as at words, but at no digest, by which pictures from elsewhere are called", async () => {
  const inName = async (name: string, suspicion: "guess" | "known" = "guess") =>
    watch().findInName(alone, name, suspicion);
  expect(await inName(`${LIKELY}.jpg`)).toEqual({ key: LIKELY, of: "service" });
  expect(await inName(`${LIKELY}.jpg`, "known")).toBeUndefined();
  expect(await inName(`${KNOWN}.jpg`, "known")).toEqual({ key: KNOWN, of: "service" });
  expect(await inName("9f86d081884c7d659a2feaa0c55ad015.jpg")).toBeUndefined();
  expect(await inName("waves at sunset.jpg")).toBeUndefined();
  owners.add(alone.user);
  expect(await inName(`${LIKELY}.jpg`)).toBeUndefined();
});
