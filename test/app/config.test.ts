import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { temporaryFolder } from "../support/sandbox.ts";
import { ConfigError } from "../../src/common/config-error.ts";
import { forTerminal, isSecret, readConfig, settings } from "../../src/app/config.ts";
import { RULES, STEPS } from "../../src/app/setup/fields.ts";
import { mistakes } from "../support/mistakes.ts";

describe("the settings", () => {
  it("all have a default", () => {
    expect(readConfig({})).toMatchObject({
      port: 8787,
      host: "127.0.0.1",
      rateWindowMs: 60_000,
      pollMs: 5_000,
    });
    expect(readConfig({ REELAY_API_URL: "" }).apiUrl).toBeUndefined();
  });

  it("are read as what they are", () => {
    const config = readConfig({
      REELAY_API_URL: "https://service.test/api/",
      REELAY_PRIVATE_HOSTS: "nas.local, 10.0.0.5:8080",
      REELAY_STORE: "sqlite:/var/lib/reelay.db",
      REELAY_SECRET: "a-new-secret-of-mine,the-old-secret-of-mine",
    });
    expect(config).toMatchObject({
      apiUrl: "https://service.test/api",
      privateHosts: ["nas.local", "10.0.0.5:8080"],
      store: "/var/lib/reelay.db",
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  it("ask for traces by OpenTelemetry's variables, and stop nothing by what is set for other programs", () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://collector:4318" };
    const tracing = (env: Record<string, string>) => readConfig({ ...endpoint, ...env }).tracing;
    expect(readConfig({ OTEL_SERVICE_NAME: "reelay" }).tracing).toBeUndefined();
    expect(tracing({})).toEqual({
      setting: "OTEL_EXPORTER_OTLP_ENDPOINT",
      endpoint: "http://collector:4318",
      share: 1,
      timeoutMs: 3_000,
    });
    expect(tracing({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: "http://other:4318/v1/traces" })).toMatchObject({
      setting: "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT",
      endpoint: "http://other:4318/v1/traces",
    });
    expect(tracing({ OTEL_SDK_DISABLED: "TRUE" })).toBeUndefined();
    expect(tracing({ OTEL_TRACES_EXPORTER: "none" })).toBeUndefined();
    expect(tracing({ OTEL_EXPORTER_OTLP_TIMEOUT: "500" })).toMatchObject({ timeoutMs: 500 });
    const share = (sampler: string, arg = "") =>
      tracing({ OTEL_TRACES_SAMPLER: sampler, OTEL_TRACES_SAMPLER_ARG: arg })?.share;
    expect([share("always_off"), share("parentbased_always_off"), share("traceidratio", "0")]).toEqual(
      Array(3).fill(undefined),
    );
    expect([share("traceidratio", "0.25"), share("parentbased_traceidratio", "0.5")]).toEqual([0.25, 0.5]);
    expect([share("always_on"), share("xray"), share("traceidratio"), share("traceidratio", "half")]).toEqual(
      Array(4).fill(1),
    );
  });

  it("name places for alerts that can be told, and repeat none: what follows a host often opens something", () => {
    const config = readConfig({ REELAY_ALERTS_TO: "telegram:-10012, https://hooks.test/secret" });
    expect(config.alerts).toEqual({
      to: ["telegram:-10012", "https://hooks.test/secret"],
      platformMs: 300_000,
      diskBytes: 1e9,
      tokenDays: 3,
    });
    const wrong = [{ setting: "REELAY_ALERTS_TO" }];
    for (const place of [
      "me@example.com",
      "telegram:@me",
      "http://hooks.test/secret",
      "https://10.0.0.5/secret",
    ]) {
      const found = mistakes({ REELAY_ALERTS_TO: place });
      expect(found, place).toMatchObject(wrong);
      expect(JSON.stringify(found)).not.toContain("secret");
    }
  });

  it("make backups at a time of the day or every so many hours, outside the data folder and not of PostgreSQL", () => {
    expect(readConfig({}).backups).toBeUndefined();
    const folder = { REELAY_BACKUP_TO: "/backups", REELAY_DATA: "/var/reelay" };
    expect(readConfig(folder).backups).toEqual({ folder: "/backups", times: { atMs: 10_800_000 }, keep: 7 });
    const often = { ...folder, REELAY_BACKUP_AT: "6h", REELAY_BACKUP_KEEP: "28" };
    expect(readConfig(often).backups).toEqual({
      folder: "/backups",
      times: { everyMs: 21_600_000 },
      keep: 28,
    });
    for (const at of ["24:00", "3:00", "0h", "soon"])
      expect(mistakes({ ...folder, REELAY_BACKUP_AT: at })).toMatchObject([{ setting: "REELAY_BACKUP_AT" }]);
    for (const wrong of [
      { ...folder, REELAY_BACKUP_TO: "/var/reelay" },
      { ...folder, REELAY_BACKUP_TO: "/var/reelay/backups" },
      { ...folder, REELAY_STORE: "postgres://me:secret@db/reelay" },
    ])
      expect(mistakes(wrong)).toMatchObject([{ setting: "REELAY_BACKUP_TO" }]);
    expect(mistakes({ ...folder, REELAY_BACKUP_TO: "/var/reelay-backups" })).toEqual([]);
  });

  it("let Telegram call only where it is told to", () => {
    const webhook = { TELEGRAM_BOT_TOKEN: "12345:AA-a-token-of-a-bot-for-tests", TELEGRAM_WEBHOOK: "1" };
    expect(mistakes(webhook)).toMatchObject([{ setting: "REELAY_PUBLIC_URL", found: "nothing" }]);
    expect(mistakes({ ...webhook, REELAY_PUBLIC_URL: "https://reelay.test" })).toEqual([]);
  });

  it("say every mistake at once: the setting, what was found, what is wanted", () => {
    const found = mistakes({
      REELAY_PORT: "90000",
      REELAY_API_URL: "ftp://service.test/api",
      REELAY_LOG_LEVEL: "loud",
      REELAY_PROT: "1",
      reelay_port: "2",
      REELAY_SOMETHING_ELSE: "x",
    });
    expect(found.map(({ setting }) => setting).toSorted()).toEqual([
      "REELAY_API_URL",
      "REELAY_LOG_LEVEL",
      "REELAY_PORT",
      "REELAY_PROT",
      "REELAY_SOMETHING_ELSE",
      "reelay_port",
    ]);
    const byName = Object.fromEntries(found.map((one) => [one.setting, one]));
    expect(byName["REELAY_PORT"]).toMatchObject({
      found: '"90000"',
      wanted: "a whole number from 0 to 65535",
    });
    expect(byName["REELAY_PROT"]?.wanted).toBe("REELAY_PORT, perhaps");
    expect(byName["reelay_port"]?.wanted).toBe("REELAY_PORT, perhaps");
    expect(byName["REELAY_SOMETHING_ELSE"]?.wanted).toBe("a setting from docs/settings.md");
  });

  it("are none where somebody has what the recipes call Reelay by", () => {
    expect(mistakes({ REELAY_URL: "http://127.0.0.1:8787" })).toEqual([]);
    // The address of a service ends like that.
    const [mistake] = mistakes({ REELAY_URL: "https://service.example.com/api" });
    expect(mistake).toMatchObject({ setting: "REELAY_URL", found: "a name that Reelay does not know" });
  });

  it("are secret where a page hides them, and where their name says so", () => {
    const hidden = [...Object.values(STEPS), ...Object.values(RULES)]
      .flat()
      .filter(({ kind }) => kind === "secret")
      .map(({ name }) => name);
    const named = Object.keys(settings.shape).filter((name) =>
      /(?<!_PUBLIC)_(?:TOKEN|SECRET|KEY|PASSWORD)$/.test(name),
    );
    expect(hidden.length * named.length).toBeGreaterThan(0);
    expect([...hidden, ...named].filter((name) => !isSecret(name))).toEqual([]);
  });

  it("never repeat a secret", () => {
    const secret = "short";
    expect(JSON.stringify(mistakes({ REELAY_SECRET: secret }))).not.toContain(`"${secret}"`);
    expect(new ConfigError(mistakes({ REELAY_SECRET: secret })).message).not.toContain("short");
  });

  it("refuse an address of the service that does not end in /api", () => {
    expect(mistakes({ REELAY_API_URL: "https://service.test" })[0]?.wanted).toContain("/api");
  });
});

describe("the rules of whoever runs Reelay", () => {
  it("are careful where nothing is set", () => {
    expect(readConfig({}).policy).toMatchObject({
      mature: "off",
      fullCatalog: "age-restricted",
      spoiler: "mature",
      blocked: [],
      operationsOff: [],
      moderation: undefined,
      reportsToWithhold: 3,
      auditInputs: "digest",
      keepDays: { jobs: 90, audit: 365, usage: 730 },
    });
  });

  it.each([
    ["REELAY_OPERATIONS_OFF", "faceswop"],
    ["REELAY_OPERATIONS_OFF", "telegram:video:x"],
    ["REELAY_OPERATIONS_OFF", "irc:video"],
    ["REELAY_BLOCKED", "all"],
    ["REELAY_BLOCKED", "ann"],
    ["REELAY_BLOCKED", "telegram:@ann"],
    ["REELAY_ALLOWED", "telegram:ann"],
    ["REELAY_ALLOWED", "http:my-shop/ann"],
    ["REELAY_MATURE", "yes"],
    ["REELAY_MODERATION_URL", "moderations"],
    ["REELAY_MODERATION_DOWN", "maybe"],
    ["REELAY_KEEP_DAYS", "-1"],
    ["REELAY_AT_ONCE", "0"],
  ])("stop the start where %s is %s, and say what is wanted", (setting, value) => {
    expect(mistakes({ [setting]: value })).toMatchObject([{ setting, found: JSON.stringify(value) }]);
  });

  it("name the operations that there are, where one of them is misspelt", () => {
    expect(mistakes({ REELAY_OPERATIONS_OFF: "faceswop" })[0]?.wanted).toContain("faceswap");
  });

  it("stop the start for each line of the words that cannot be read", () => {
    const file = join(temporaryFolder(), "words.txt");
    writeFileSync(file, "# ours\ndragon\n/fire(/\n...\n");
    const found = mistakes({ REELAY_WORDS_FILE: file });
    expect(found.map(({ setting }) => setting)).toEqual(["REELAY_WORDS_FILE", "REELAY_WORDS_FILE"]);
    expect(found.map((one) => one.found).join("\n")).toMatch(/line 3.*\n.*line 4/);
    expect(mistakes({ REELAY_WORDS_FILE: `${file}.none` })).toMatchObject([{ setting: "REELAY_WORDS_FILE" }]);
  });

  it("never repeat an address that reports or alerts go to: what follows its host often opens something", () => {
    for (const setting of ["REELAY_REPORTS_TO", "REELAY_ALERTS_TO"])
      expect(mistakes({ [setting]: "htps://a.example/a-secret-way" })).toMatchObject([
        { setting, found: "a value that does not fit" },
      ]);
  });

  it("never repeat the moderation key", () => {
    const found = mistakes({ REELAY_MODERATION_KEY: "sk-secret", REELAY_MODERATION_URL: "no" });
    expect(JSON.stringify(found)).not.toContain("sk-secret");
  });
});

describe("docs/settings.md", () => {
  it("names each setting with its description and default, and no other", () => {
    const page = readFileSync(join(import.meta.dirname, "../../docs/settings.md"), "utf8");
    const rows = [...page.matchAll(/^\| `([A-Z]+_\w+)`\s*\| (.*?)\s*\| (.*?)\s*\|$/gm)].map(
      ([, name, fallback, text]) => [name, fallback, text],
    );
    const wanted = Object.entries(settings.shape).map(([name, schema]) => [
      name,
      defaultOf(name),
      schema.description,
    ]);
    expect(rows).toEqual(wanted);
  });
});

/** As written in the table: what an empty environment gives. */
function defaultOf(name: string): string {
  const given = settings.shape[name as keyof typeof settings.shape].safeParse(undefined).data;
  if (name === "REELAY_DATA") return "`./data`";
  return given === undefined || (Array.isArray(given) && given.length === 0) ? "" : `\`${String(given)}\``;
}

/** How much a call logs. */
const levelOf = (env: Readonly<Record<string, string>>) => forTerminal(readConfig(env), env).logLevel;

it("a call at a terminal logs mistakes alone, unless more is asked for", () => {
  expect(levelOf({})).toBe("error");
  for (const level of ["silent", "warn", "info"]) expect(levelOf({ REELAY_LOG_LEVEL: level })).toBe(level);
});
