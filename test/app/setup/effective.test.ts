import { describe, expect, it } from "vitest";
import { ConfigError } from "../../../src/common/config-error.ts";
import { effective, unfit } from "../../../src/app/setup/effective.ts";
import { misplaced } from "../../../src/app/setup/misplaced.ts";
import { envFile } from "../../../src/app/setup/env-file.ts";
import { FIELDS } from "../../../src/app/setup/fields.ts";
import { checksOf } from "../../../src/app/setup/checks.ts";
import { hasMessage } from "../../../src/common/i18n.ts";

const URL_A = "https://a.example/api";
const URL_B = "https://b.example/api";
const TELEGRAM = "123456789:AAabcdefghijklmnopqrstuvwxyz012345678";
const DISCORD = `${Buffer.from("1020304050607080900").toString("base64url")}.GfAkE0.abcdefghijklmnopqrstuvwxyz0123`;

const stored = (values: Record<string, string>, keyIsFor?: string) => ({ values, keyIsFor });

describe("the settings in force", () => {
  it("are those that are stored, where the environment says nothing", () => {
    const { config, used } = effective(
      { REELAY_API_URL: "" },
      stored({ REELAY_API_URL: URL_A, REELAY_DAILY_CAP: "3" }),
    );
    expect([config.apiUrl, config.policy.dailyCap]).toEqual([URL_A, 3]);
    expect(used).toEqual({ REELAY_API_URL: URL_A, REELAY_DAILY_CAP: "3" });
  });

  it("are the environment's wherever it says something", () => {
    const { config, used } = effective({ REELAY_DAILY_CAP: "7" }, stored({ REELAY_DAILY_CAP: "3" }));
    expect(config.policy.dailyCap).toBe(7);
    expect(used).toEqual({});
  });

  it("have no key that was checked with another service than the environment names", () => {
    const kept = stored({ REELAY_API_URL: URL_A, REELAY_API_KEY: "a-key" }, URL_A);
    expect(effective({}, kept).config.apiKey).toBe("a-key");
    const { config, unused } = effective({ REELAY_API_URL: URL_B }, kept);
    expect([config.apiUrl, config.apiKey]).toEqual([URL_B, undefined]);
    expect(unused).toMatchObject([{ setting: "REELAY_API_KEY" }]);
  });

  it("leave out what is stored and does not fit, and say so; a mistake of the environment's stops the start as ever", () => {
    const kept = stored({ TELEGRAM_BOT_TOKEN: "nonsense", REELAY_DAILY_CAP: "3" });
    const { config, unused } = effective({}, kept);
    expect([config.telegram, config.policy.dailyCap]).toEqual([undefined, 3]);
    expect(unused).toMatchObject([{ setting: "TELEGRAM_BOT_TOKEN" }]);
    expect(checksOf({ used: { REELAY_DAILY_CAP: "3" }, unused })).toMatchObject([
      { ok: true, found: expect.stringContaining("REELAY_DAILY_CAP") },
      { ok: false, found: expect.stringContaining("TELEGRAM_BOT_TOKEN") },
    ]);
    expect(() => effective({ REELAY_PORT: "x" }, kept)).toThrow(ConfigError);
  });

  it("tell what is stored that a start failed by", () => {
    const error = new ConfigError([{ setting: "TELEGRAM_BOT_TOKEN", found: "x", wanted: "y" }]);
    expect(unfit(error, { TELEGRAM_BOT_TOKEN: TELEGRAM })).toMatchObject([{ setting: "TELEGRAM_BOT_TOKEN" }]);
    expect(unfit(error, {})).toEqual([]);
    const lacking = {
      setting: "REELAY_PUBLIC_URL",
      found: "nothing",
      wanted: "y",
      neededBy: "WHATSAPP_TOKEN",
    };
    expect(unfit(new ConfigError([lacking]), { WHATSAPP_TOKEN: "x" })).toEqual([
      {
        setting: "WHATSAPP_TOKEN",
        said: { key: "setup.wrong.needed", params: { setting: "REELAY_PUBLIC_URL", wanted: "y" } },
      },
    ]);
    expect(unfit(new Error("x"), { TELEGRAM_BOT_TOKEN: TELEGRAM })).toEqual([]);
  });
});

describe("a token", () => {
  it.each([
    ["TELEGRAM_BOT_TOKEN", TELEGRAM, undefined],
    ["REELAY_API_KEY", TELEGRAM, "setup.wrong.is_telegram"],
    ["DISCORD_BOT_TOKEN", TELEGRAM, "setup.wrong.is_telegram"],
    ["REELAY_TERMS_URL", `https://terms.example/?t=${TELEGRAM}`, "setup.wrong.is_telegram"],
    ["TELEGRAM_BOT_TOKEN", DISCORD, "setup.wrong.is_discord"],
    ["DISCORD_BOT_TOKEN", DISCORD, undefined],
    // Three parts alone are a token of many.
    ["REELAY_API_KEY", "eyJhbGciOiJIUzI1NiJ9abcd.abcdef.abcdefghijklmnopqrstuvwxyz012345", undefined],
    ["REELAY_PUBLIC_URL", "https://reelay.example.org:8443", undefined],
  ])("in %s is known as another's: %s", (setting, text, belongs) => {
    expect(misplaced(setting, text)?.said).toBe(belongs);
  });
});

it("the .env that would do the same has no secret, and can be read as such", () => {
  const lines = envFile({
    REELAY_API_URL: URL_A,
    REELAY_API_KEY: "a-secret-key",
    REELAY_ALLOWED: "telegram:1, discord:2",
    REELAY_TERMS_URL: "https://terms.example/#top",
  });
  expect(lines.split("\n")).toEqual([
    `REELAY_API_URL=${URL_A}`,
    "REELAY_API_KEY=…",
    'REELAY_ALLOWED="telegram:1, discord:2"',
    'REELAY_TERMS_URL="https://terms.example/#top"',
  ]);
});

it.each(FIELDS.map(({ name }) => name))("%s has a name and a hint", (name) => {
  expect([hasMessage(`setup.field.${name}`), hasMessage(`setup.hint.${name}`)]).toEqual([true, true]);
});
