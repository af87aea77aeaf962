import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { KnownKeys, MOST_REMEMBERED, REMEMBERED_MS } from "../../../src/infrastructure/vault/known-keys.ts";
import { type Database, openDatabase } from "../../../src/infrastructure/storage/database.ts";
import { drawn, KEY_SHAPES, PLAIN_SHAPES } from "../../support/keys.ts";
import { temporaryFolder } from "../../support/sandbox.ts";

let database: Database;
let now = 0;
const open = (secret = "a secret") =>
  new KnownKeys(
    database,
    async () => secret,
    () => now,
  );

beforeEach(async () => {
  now = 1_000_000;
  database = await openDatabase(join(temporaryFolder(), "reelay.db"));
});
afterEach(() => database.close());

/** Where keys stand in what people paste. */
const PLACES: Readonly<Record<string, (key: string) => string>> = {
  alone: (key) => key,
  "in a sentence": (key) => `make the waves slow, ${key}, and warm`,
  "in quotes": (key) => `“${key}”`,
  "in backticks, with a full stop": (key) => `\`${key}\`.`,
  "behind a name": (key) => `api_key=${key}`,
  "in JSON": (key) => `{"key":"${key}"}`,
  "as a header": (key) => `Authorization: Bearer ${key}`,
  "in a URL": (key) => `https://example.org/a?key=${encodeURIComponent(key)}&b=1`,
  "without a space": (key) => `wavesby${key}please`,
  "over two lines": (key) => `${key.slice(0, 5)}\n  ${key.slice(5)}`,
  "as a terminal breaks it": (key) => key.replace(/(.{7})/g, "$1\r\n"),
  "with what nobody sees": (key) => key.split("").join("\u200B"),
  "full width": (key) => key.replace(/./g, (c) => String.fromCodePoint(c.charCodeAt(0) + 0xfee0)),
  "escaped for Markdown": (key) => key.replaceAll(/[_.-]/g, "\\$&"),
  "among other scripts": (key) => `海の波${key}ゆっくり`,
};

/** A key behind beginnings of others, at each of which there is room for any of those. */
const afterBeginnings = (count: number, key: string) =>
  `${"ABCDEFGH".repeat(count)}${"y".repeat(300)} ${key}`;

describe("a known key", () => {
  it.each(Object.entries({ ...KEY_SHAPES, ...PLAIN_SHAPES }))(
    "%s, is found wherever it stands",
    async (_shape, make) => {
      const known = open();
      const draw = drawn(_shape);
      const [key, other] = [make(draw), make(draw)];
      await known.keep("telegram:1", key);
      for (const [place, put] of Object.entries(PLACES)) {
        expect(await known.findIn(put(key)), place).toEqual({ key, of: "service" });
        expect(await known.findIn(put(other)), place).toBeUndefined();
      }
    },
  );

  it.each(Object.entries({ ...KEY_SHAPES, ...PLAIN_SHAPES }))(
    "%s, is found in capitals, and in small letters, as it stands there",
    async (_shape, make) => {
      const known = open();
      const key = make(drawn(_shape));
      await known.remember(key);
      for (const cased of [key.toUpperCase(), key.toLowerCase()])
        expect(await known.findIn(`it is ${cased}.`)).toEqual({ key: cased, of: "service" });
    },
  );

  it("is found without its prefix, which no words are", async () => {
    const known = open();
    const rest = "Zq8opaquetoken7Yw2Kd";
    await known.keep("telegram:1", `sk-live_${rest}`);
    await known.keep("telegram:2", "red-balloons over town");
    known.hold(["xoxb-4815162342-of-a-bot"], "ours");
    expect(await known.findIn("4815162342-OF-A-BOT")).toMatchObject({ of: "ours" });
    expect(await known.findIn(`it is ${rest}`)).toMatchObject({ of: "service" });
    expect(await known.findIn(`IT IS ${rest.toUpperCase()}`)).toMatchObject({ of: "service" });
    expect(await known.findIn(`sk-live_${rest}`)).toEqual({ key: `sk-live_${rest}`, of: "service" });
    expect(await known.findIn("balloons over town")).toBeUndefined();
    await known.release("telegram:1");
    now += REMEMBERED_MS + 1;
    expect(await known.findIn(`it is Zq${"x".repeat(20)}`)).toBeUndefined();
  });

  it("of an earlier version is found as it was written", async () => {
    const known = open();
    const key = "Zq8-Opaque-Token-7Yw";
    await known.keep("telegram:1", key.toLowerCase());
    expect(await known.findIn(key)).toEqual({ key, of: "service" });
  });

  it("is known to other processes at once, under the installation's secret alone, and is in no row", async () => {
    const key = "Zq8-opaque-token-7Yw";
    const [mine, theirs, strange] = [open(), open(), open("another secret")];
    expect(await theirs.findIn(key)).toBeUndefined();
    await mine.keep("web:me", key);
    expect(await theirs.findIn(`a ${key}`)).toEqual({ key, of: "service" });
    expect(await strange.findIn(key)).toBeUndefined();
    const rows = await database.kysely.selectFrom("known_keys").selectAll().execute();
    expect(rows).toHaveLength(1);
    expect(JSON.stringify(rows)).not.toContain(key);
  });

  it("is forgotten a week after it was refused, replaced or removed", async () => {
    const known = open();
    await known.remember("refused-key-1");
    await known.keep("web:me", "stored-key-1");
    now += REMEMBERED_MS + 1;
    expect(await known.findIn("refused-key-1")).toBeUndefined();
    expect(await known.findIn("stored-key-1")).toBeDefined();
    await known.keep("web:me", "stored-key-2");
    await known.release("web:me");
    for (const key of ["stored-key-1", "stored-key-2"]) expect(await known.findIn(key), key).toBeDefined();
    now += REMEMBERED_MS + 1;
    for (const key of ["stored-key-1", "stored-key-2"]) expect(await known.findIn(key), key).toBeUndefined();
  });

  it("stays known as long as anybody has it stored", async () => {
    const known = open();
    await known.keep("web:me", "shared-by-two");
    await known.keep("telegram:7", "shared-by-two");
    await known.release("web:me");
    now += REMEMBERED_MS + 1;
    expect(await known.findIn("shared-by-two")).toBeDefined();
  });

  it("of those that were refused, no more than a bounded number is kept, the newest", async () => {
    const known = open();
    for (let i = 0; i < MOST_REMEMBERED + 3; i += 1) await known.remember(`refused-key-number-${i}-`);
    const { count } = await database.kysely
      .selectFrom("known_keys")
      .select((row) => row.fn.countAll<number>().as("count"))
      .executeTakeFirstOrThrow();
    expect(count).toBe(MOST_REMEMBERED);
    expect(await known.findIn("refused-key-number-2-")).toBeUndefined();
    expect(await known.findIn(`refused-key-number-${MOST_REMEMBERED}-`)).toBeDefined();
  });

  it("of the settings is known while the process lives, and is in no row", async () => {
    const known = open();
    known.hold(["123456789:token-of-a-bot"], "ours");
    expect(await known.findIn("see 123456789:token-of-a-bot")).toEqual({
      key: "123456789:token-of-a-bot",
      of: "ours",
    });
    expect(await database.kysely.selectFrom("known_keys").selectAll().execute()).toEqual([]);
  });

  it("is of eight characters at least", async () => {
    const known = open();
    for (const [stored, held] of [
      ["Zq8-opa", "Kq7-opa"],
      ["Zr8-opaq", "Kr7-opaq"],
    ] as const) {
      const isKey = stored.length >= 8;
      await known.keep("telegram:1", stored);
      known.hold([held], "ours");
      expect(await known.findIn(`see ${stored}`)).toEqual(isKey ? { key: stored, of: "service" } : undefined);
      expect(await known.findIn(`see ${held}`)).toEqual(isKey ? { key: held, of: "ours" } : undefined);
    }
  });

  it("costs a text that is made of beginnings of keys no more than a bounded number of digests", async () => {
    const known = open();
    for (let length = 9; length < 300; length += 1) await known.remember("ABCDEFGH".padEnd(length, "x"));
    expect(await known.findIn("ABCDEFGH".repeat(2_500))).toBeUndefined();
    await known.remember("Zq8-opaque-token");
    expect(await known.findIn(afterBeginnings(6, "Zq8-opaque-token"))).toBeDefined();
    expect(await known.findIn(afterBeginnings(7, "Zq8-opaque-token"))).toBeUndefined();
    // Those that are forgotten cost nothing more.
    now += REMEMBERED_MS + 1;
    await known.remember("Zq8-opaque-token");
    expect(await known.findIn(afterBeginnings(7, "Zq8-opaque-token"))).toBeDefined();
  });
});
