import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/common/config-error.ts";
import { effective } from "../../../src/app/setup/effective.ts";
import { InForce } from "../../../src/app/setup/in-force.ts";
import { resolve } from "../../../src/app/setup/resolve.ts";
import { FIELDS, RULE_FIELDS } from "../../../src/app/setup/fields.ts";
import { RulesDesk } from "../../../src/app/setup/rules-desk.ts";
import { readConfig } from "../../../src/app/config.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import type { UserId } from "../../../src/seam/values.ts";
import en from "../../../locales/en.json" with { type: "json" };
import { testDatabase } from "../../support/database.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { testVault } from "../../support/vault.ts";

const ANN = "web:op-ann";
const BEN = "web:op-ben";

const RANDOM = "q8Zx3vK0Jd7Rw2Tn5Yb9Lm4Pf6Hs1Gc-Uk_Xe0Aa3Bo";

/** What opens something, here or elsewhere, though nobody here holds it. */
const SECRETS = [
  `rly_my-shop_0123abcd_${RANDOM}`,
  `rlytest_my-shop_0123abcd_${RANDOM}`,
  `whsec_${"Ab3/".repeat(11)}`,
  `op-0123abcd.${RANDOM}`,
  `q8Zx3vK0Jd7R.${RANDOM}`,
  "sk-live_q8Zx3vK0Jd7Rw2Tn5Yb9Lm4Pf6",
  "postgres://reelay:a-password@db.example/reelay",
];

/** What a start refuses, of those that are not numbers. */
const REFUSED: Readonly<Record<string, string>> = {
  REELAY_ALLOWED: "@ann",
  REELAY_OPERATOR_KEY_FOR: "@ann",
  REELAY_BLOCKED: "@ann",
  REELAY_TERMS_URL: "terms",
  REELAY_OPERATIONS_OFF: "cooking",
  REELAY_BLOCKED_WORDS: "/(/",
  REELAY_MATURE: "everywhere",
  REELAY_FULL_CATALOG: "everywhere",
  REELAY_SPOILER: "sometimes",
  REELAY_REPORTS_TO: "http://127.0.0.1:8951/x",
  REELAY_AUDIT_INPUTS: "some",
  REELAY_ALERTS_TO: "https://ann:a-secret@alerts.example/",
  REELAY_BACKUP_AT: "noon",
};

/** The desk of somebody who has set nothing. */
async function open(more: Record<string, string> = {}) {
  const env = { REELAY_DATA: temporaryFolder(), REELAY_SECRET: "a secret for tests only", ...more };
  const lines: string[] = [];
  const log = makeLogger({ level: "debug", destination: { write: (line: string) => void lines.push(line) } });
  const config = readConfig(env);
  const database = await testDatabase(config.store);
  const vault = await testVault(config, database, log);
  let reopened = 0;
  const inForce = new InForce(env, await resolve(env), () => (reopened += 1));
  const desk = new RulesDesk({ inForce, database, vault, log });
  const rule = async (name: string) => {
    const { groups } = await desk.state();
    const found = groups.flatMap(({ rules }) => rules).find((one) => one.name === name);
    if (!found) throw new Error(`There is no rule ${name}.`);
    return found;
  };
  return {
    desk,
    inForce,
    lines,
    rule,
    vault,
    reopened: () => reopened,
    set: async (name: string, value: string | null, by: UserId = ANN) =>
      desk.change(name, { value, version: (await rule(name)).version }, by),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("rules", () => {
  it("say what is in force and who says so: the environment, those who run Reelay, or nobody", async () => {
    await using at = await open({ REELAY_DAILY_CAP: "7" });
    expect(await at.rule("REELAY_DAILY_CAP")).toMatchObject({
      value: "7",
      from: "environment",
      fallback: "20",
    });
    expect(await at.rule("REELAY_KEEP_DAYS")).toMatchObject({ value: null, from: "default", fallback: "90" });
    await at.set("REELAY_KEEP_DAYS", " 30 ");
    expect(await at.rule("REELAY_KEEP_DAYS")).toMatchObject({ value: "30", from: "stored", version: 1 });
    expect(await at.set("REELAY_DAILY_CAP", "9")).toMatchObject({
      outcome: "refused",
      wrong: { key: "setup.wrong.locked" },
    });
    expect((await at.rule("REELAY_MATURE")).choices).toEqual(["off", "age-restricted", "on"]);
  });

  it("have a name, and say what they change, in groups that have each once", () => {
    const names = RULE_FIELDS.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
    for (const name of names) {
      expect(en, name).toHaveProperty([`setup.field.${name}`]);
      expect(en, name).toHaveProperty([`setup.hint.${name}`]);
    }
    // What is nothing of the machine's is stored.
    for (const { name, isPlace } of RULE_FIELDS)
      expect(
        FIELDS.some((field) => field.name === name),
        name,
      ).toBe(!isPlace);
  });

  it.each([
    ["REELAY_DAILY_CAP", "-1", { key: "setup.wrong.number", params: { min: 0, max: 1_000_000 } }],
    ["REELAY_DAILY_CAP", "many", { key: "setup.wrong.number" }],
    ["REELAY_KEY_MONTHLY_BUDGET", "0.001", { key: "setup.wrong.tokens" }],
    ["REELAY_ALLOWED", "@ann", { key: "setup.wrong.list" }],
    ["REELAY_OPERATIONS_OFF", "cooking", { key: "setup.wrong.operations" }],
    ["REELAY_BLOCKED_WORDS", "/(/", { key: "setup.wrong.words" }],
    ["REELAY_MATURE", "everywhere", { key: "setup.wrong.choice" }],
    ["REELAY_TERMS_URL", "terms", { key: "setup.wrong.address" }],
    ["REELAY_REPORTS_TO", "ann", { key: "setup.wrong.place" }],
    ["REELAY_REPORTS_TO", "http://127.0.0.1:8951/a-secret-way", { key: "setup.wrong.place" }],
    ["REELAY_REPORTS_TO", "https://ann:a-secret@reports.example/", { key: "setup.wrong.place" }],
    ["REELAY_ALERTS_TO", "https://ann:a-secret@alerts.example/", { key: "setup.wrong.places" }],
    ["REELAY_ALERTS_TO", "https://127.0.0.1/a-secret-way", { key: "setup.wrong.places" }],
    ["REELAY_BACKUP_AT", "noon", { key: "setup.wrong.times" }],
    ["REELAY_BACKUP_TO", "/somewhere", { key: "setup.wrong.machine" }],
    [
      "REELAY_TERMS_URL",
      "123456789:AAabcdefghijklmnopqrstuvwxyz012345678",
      { key: "setup.wrong.is_telegram" },
    ],
  ])("take nothing that would not let Reelay start: %s %s", async (name, value, wrong) => {
    await using at = await open();
    expect(await at.set(name, value)).toMatchObject({ outcome: "refused", wrong });
    expect(await at.rule(name)).toMatchObject({ value: null, version: 0, changes: [] });
  });

  it.each([
    { name: "REELAY_DAILY_CAP", values: ["1e3", "0x10", "+5", "٣", "5,0"], key: "setup.wrong.number" },
    { name: "REELAY_KEY_MONTHLY_BUDGET", values: ["1e3", "0x10"], key: "setup.wrong.tokens" },
    {
      name: "REELAY_BLOCKED_WORDS",
      values: ["dra\u0000gon", "dra\u202Egon", "dra\u200Bgon", "dragon\nknight", "dragon\u2028knight"],
      key: "setup.wrong.hidden",
    },
  ])(
    "take no number in another spelling, and no sign that nobody sees: $name",
    async ({ name, values, key }) => {
      await using at = await open();
      for (const value of values)
        expect(await at.set(name, value), value).toMatchObject({ outcome: "refused", wrong: { key } });
      expect(await at.rule(name)).toMatchObject({ value: null, version: 0 });
    },
  );

  it.each([
    ["REELAY_DAILY_CAP", "007", "7"],
    ["REELAY_DAILY_CAP", "020", null],
    ["REELAY_DAILY_CAP", "7.0", "7"],
    ["REELAY_KEY_MONTHLY_BUDGET", "0100.50", "100.5"],
    ["REELAY_BLOCKED_WORDS", "می\u200Cخواهم", "می\u200Cخواهم"],
  ])("keep each number in one spelling, and words as they are written: %s %s", async (name, value, kept) => {
    await using at = await open();
    expect(await at.set(name, value)).toMatchObject({ outcome: "saved" });
    expect(await at.rule(name)).toMatchObject({ value: kept });
  });

  it("take nothing that a start refuses, whichever it is set for", async () => {
    await using at = await open();
    for (const { name } of RULE_FIELDS.filter(({ isPlace }) => !isPlace)) {
      const refused = REFUSED[name] ?? "-1";
      expect(() => readConfig({ [name]: refused }), name).toThrow(ConfigError);
      const done = await at.set(name, refused);
      expect(done, name).toMatchObject({ outcome: "refused" });
      // It is told before anybody agrees to it.
      expect({ wrong: await at.desk.check(name, refused) }, name).toMatchObject({
        wrong: "wrong" in done && done.wrong,
      });
      expect(await at.rule(name), name).toMatchObject({ version: 0, from: "default" });
      // Kept by an earlier version, it is left out, and said to be.
      const { config, unused } = effective({}, { values: { [name]: refused }, keyIsFor: undefined });
      expect([config.policy, unused], name).toMatchObject([readConfig({}).policy, [{ setting: name }]]);
    }
  });

  it("say of a value whether it would be taken, and change nothing", async () => {
    await using at = await open();
    expect(await at.desk.check("REELAY_DAILY_CAP", "999999999999999999999")).toBeDefined();
    for (const value of ["5", "", null])
      expect(await at.desk.check("REELAY_DAILY_CAP", value)).toBeUndefined();
    await expect(at.desk.check("REELAY_DATA", "x")).rejects.toMatchObject({ code: "not_found" });
    expect(await at.rule("REELAY_DAILY_CAP")).toMatchObject({ version: 0, from: "default", changes: [] });
  });

  it.each(SECRETS)("take no secret that everybody there would read: %s", async (secret) => {
    await using at = await open();
    for (const name of ["REELAY_BLOCKED_WORDS", "REELAY_BLOCKED", "REELAY_TERMS_URL", "REELAY_BACKUP_AT"])
      for (const value of [secret, `dragon, ${secret}`])
        expect(await at.set(name, value), `${name}=${value}`).toMatchObject({ outcome: "refused" });
    const isAddress = secret.includes("://");
    expect(await at.set("REELAY_BLOCKED_WORDS", `dragon, ${secret}`)).toMatchObject({
      wrong: { key: isAddress ? "setup.wrong.password" : "setup.wrong.secret" },
    });
    expect(JSON.stringify([await at.desk.state(), at.lines])).not.toContain(secret);
  });

  it.each([
    ["REELAY_BLOCKED_WORDS", "h3nt4i,p0rnst4r,v14gr4,s3xc4m,n4k3d,d1ld0,Rindfleischetikettierungsgesetz"],
    ["REELAY_BLOCKED_WORDS", "donaudampfschifffahrtskapitän,Llanfairpwllgwyngyllgogerychwyrndrobwllll"],
    [
      "REELAY_BLOCKED_WORDS",
      "#FreeTheNipple2026Challenge,www.some-site4all.example,dichlorodiphenyltrichloroethane",
    ],
    ["REELAY_BLOCKED", "http:my-shop/u_8f3kQz9xYb2LmN0pRt5Wv7,telegram:12345"],
    ["REELAY_TERMS_URL", "https://docs.example/d/1a8f3kQz9xYb2LmN0pRt5Wv7/@ann"],
  ])("take what people block, and what they call theirs, for no key: %s %s", async (name, value) => {
    await using at = await open();
    expect(await at.set(name, value)).toMatchObject({ outcome: "saved", rule: { value } });
  });

  it("take no key that is in use", async () => {
    await using at = await open();
    await at.vault.put("telegram:5", "a-key-that-somebody-connected-here");
    expect(await at.set("REELAY_BLOCKED_WORDS", "a-key-that-somebody-connected-here")).toMatchObject({
      outcome: "refused",
      wrong: { key: "setup.wrong.secret" },
    });
  });

  it("tell who changed what, so that it can be put back", async () => {
    await using at = await open();
    await at.set("REELAY_DAILY_CAP", "5");
    await at.set("REELAY_DAILY_CAP", "6", BEN);
    const { changes } = await at.rule("REELAY_DAILY_CAP");
    expect(changes).toMatchObject([
      { by: BEN, from: "5", to: "6" },
      { by: ANN, from: null, to: "5" },
    ]);
    await at.set("REELAY_DAILY_CAP", changes[0]?.from ?? null);
    expect(await at.rule("REELAY_DAILY_CAP")).toMatchObject({ value: "5", version: 3 });
    await at.set("REELAY_DAILY_CAP", null);
    expect(await at.rule("REELAY_DAILY_CAP")).toMatchObject({ value: null, from: "default" });
  });

  it("show no secret, nor what it was", async () => {
    await using at = await open();
    for (const name of ["REELAY_ALERTS_TO", "REELAY_REPORTS_TO"]) {
      await at.set(name, "https://alerts.example/a-secret-way");
      const rule = await at.rule(name);
      expect(rule).toMatchObject({ value: null, from: "stored", changes: [{ by: ANN }] });
      // Left empty, it stays.
      await at.set(name, "");
      expect((await at.rule(name)).from).toBe("stored");
    }
    expect(JSON.stringify([await at.desk.state(), at.lines])).not.toContain("a-secret-way");
    expect(await at.set("REELAY_ALERTS_TO", null)).toMatchObject({
      outcome: "saved",
      rule: { from: "default" },
    });
  });

  it("let one of two change one, and tell the other what it is now", async () => {
    await using at = await open();
    const { version } = await at.rule("REELAY_DAILY_CAP");
    const both = await Promise.all(
      [ANN, BEN].map(async (by, nth) =>
        at.desk.change("REELAY_DAILY_CAP", { value: String(nth + 1), version }, by as UserId),
      ),
    );
    const saved = both.find(({ outcome }) => outcome === "saved");
    const stale = both.find(({ outcome }) => outcome === "stale");
    expect([saved, stale]).toMatchObject([{ rule: { version: 1 } }, { rule: { version: 1 } }]);
    expect(stale && "rule" in stale && stale.rule).toEqual(saved && "rule" in saved && saved.rule);
    expect((await at.rule("REELAY_DAILY_CAP")).changes).toHaveLength(1);
  });

  it("are changed by two at once where they are two", async () => {
    await using at = await open();
    const outcomes = await Promise.all([
      at.desk.change("REELAY_DAILY_CAP", { value: "1", version: 0 }, ANN),
      at.desk.change("REELAY_AT_ONCE", { value: "2", version: 0 }, BEN),
      at.desk.change("REELAY_KEEP_DAYS", { value: "3", version: 0 }, BEN),
    ]);
    expect(outcomes.map(({ outcome }) => outcome)).toEqual(["saved", "saved", "saved"]);
    expect((await at.rule("REELAY_AT_ONCE")).value).toBe("2");
  });

  it("count at once where they are looked up at each decision, and else by opening anew", async () => {
    await using at = await open();
    // What the core and every platform hold.
    const { policy } = at.inForce.config;
    expect(policy.dailyCap).toBe(20);
    await at.set("REELAY_DAILY_CAP", "5");
    await at.set("REELAY_KEY_DAILY_BUDGET", "12.5");
    expect([policy.dailyCap, policy.budgets.key.day]).toEqual([5, 12.5]);
    expect([(await at.desk.state()).inForce, at.reopened()]).toEqual(["all", 0]);
    await at.set("REELAY_KEEP_DAYS", "30");
    expect(at.reopened()).toBeGreaterThan(0);
    expect((await at.desk.state()).inForce).toBe("soon");
    expect((await at.rule("REELAY_KEEP_DAYS")).counts).toBe("reopened");
    expect((await at.rule("REELAY_AT_ONCE")).counts).toBe("at_once");
  });

  it("are nothing else", async () => {
    await using at = await open();
    await expect(at.desk.change("REELAY_SECRET", { value: "x", version: 0 }, ANN)).rejects.toMatchObject({
      code: "not_found",
    });
  });
});
