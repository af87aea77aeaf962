import { beforeAll, afterAll, describe, expect, it } from "vitest";
import { lookAtDiscord } from "../../../adapters/discord/doctor.ts";
import { lookAtTelegram } from "../../../adapters/telegram/doctor.ts";
import { lookAtWhatsApp } from "../../../adapters/whatsapp/doctor.ts";
import { SetupDesk } from "../../../src/app/setup/desk.ts";
import { InForce } from "../../../src/app/setup/in-force.ts";
import { resolve } from "../../../src/app/setup/resolve.ts";
import { readStored } from "../../../src/app/setup/stored.ts";
import { readConfig } from "../../../src/app/config.ts";
import { createServer } from "../../../src/app/server.ts";
import { makeLogger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { ECHO_PATH, type SetupStep } from "../../../src/seam/surface/setup.ts";
import { Ledger } from "../../../src/domain/jobs/ledger.ts";
import { aRequest } from "../../support/job.ts";
import { testDatabase } from "../../support/database.ts";
import { FakeDiscord } from "../../support/discord/fake-discord.ts";
import { temporaryFolder, testSandbox, type TestSandbox } from "../../support/sandbox.ts";
import { FakeTelegram } from "../../support/telegram/fake-telegram.ts";
import { FakeWhatsapp } from "../../support/whatsapp/fake-whatsapp.ts";
import { testVault } from "../../support/vault.ts";

let service: TestSandbox;
let telegram: FakeTelegram;
let discord: FakeDiscord;
let whatsapp: FakeWhatsapp;
beforeAll(async () => {
  service = await testSandbox();
  telegram = await FakeTelegram.start();
  discord = await FakeDiscord.start();
  whatsapp = await FakeWhatsapp.start();
});
afterAll(async () => {
  await whatsapp.stop();
  await discord.stop();
  await telegram.stop();
  await service.stop();
});

/** The desk of somebody who has set nothing but where the platforms are. */
async function open(more: Record<string, string> = {}) {
  const env = {
    REELAY_DATA: temporaryFolder(),
    REELAY_SECRET: "a secret for tests only",
    TELEGRAM_API_ROOT: telegram.url,
    DISCORD_API_ROOT: discord.url,
    WHATSAPP_API_ROOT: whatsapp.url,
    ...more,
  };
  const lines: string[] = [];
  const log = makeLogger({ level: "debug", destination: { write: (line: string) => void lines.push(line) } });
  const config = readConfig(env);
  const database = await testDatabase(config.store);
  const vault = await testVault(config, database, log);
  let applied = 0;
  const desk = new SetupDesk({
    inForce: new InForce(env, await resolve(env), () => (applied += 1)),
    database,
    vault,
    surfaces: () => [],
    looks: {
      telegram: async (config) => config.telegram && lookAtTelegram(config.telegram),
      discord: async (config) => config.discord && lookAtDiscord(config.discord),
      whatsapp: async ({ whatsapp: set, publicUrl = "" }) => set && lookAtWhatsApp(set, publicUrl),
    },
    log,
  });
  return {
    desk,
    database,
    lines,
    applied: () => applied,
    stored: () => readStored(database, vault),
    enter: async (step: SetupStep, values: Record<string, string | null>, anyway = false) =>
      desk.save(step, { revision: (await desk.state()).revision, values, anyway }, "web:me"),
    [Symbol.asyncDispose]: () => database.close(),
  };
}

describe("setting up", () => {
  it("asks the service with the key, and keeps what works", async () => {
    await using at = await open();
    const outcome = await at.enter("service", {
      REELAY_API_URL: ` ${service.url} `,
      REELAY_API_KEY: service.keys.ultra,
    });
    expect(outcome).toMatchObject({ outcome: "saved", wrong: {} });
    expect(outcome.findings.map(({ check }) => [check.name, check.ok])).toEqual([
      ["service", true],
      ["clock", true],
      ["key", true],
    ]);
    const state = await at.desk.state();
    expect(state).toMatchObject({ revision: 1, inForce: "soon" });
    expect(state.env).toBe(`REELAY_API_URL=${service.url}\nREELAY_API_KEY=…`);
    // It leaves the vault for nobody.
    expect(JSON.stringify([state, outcome, at.lines])).not.toContain(service.keys.ultra);
    expect(at.applied()).toBeGreaterThan(0);
  });

  it("lets no wrong key replace one that works", async () => {
    await using at = await open();
    await at.enter("service", { REELAY_API_URL: service.url, REELAY_API_KEY: service.keys.ultra });
    const before = await at.stored();
    const outcome = await at.enter("service", { REELAY_API_KEY: "a-wrong-key-of-somebody" });
    expect(outcome.outcome).toBe("refused");
    expect(outcome.findings.find(({ stops }) => stops)?.said.key).toBe("setup.service.key_refused");
    expect(await at.stored()).toEqual(before);
  });

  it("says what is wrong with a key that can be none, and not what it is", async () => {
    await using at = await open();
    for (const [key, wanted] of [
      [`"${service.keys.ultra}"`, "wanted.key_unquoted"],
      [`Bearer ${service.keys.ultra}`, "wanted.key_alone"],
      [`${service.keys.ultra}é`, "wanted.key_plain"],
    ] as const) {
      const outcome = await at.enter("service", { REELAY_API_URL: service.url, REELAY_API_KEY: key });
      expect(outcome).toMatchObject({
        outcome: "refused",
        wrong: {
          REELAY_API_KEY: { key: "setup.wrong.needed", params: { setting: "REELAY_API_KEY", wanted } },
        },
        findings: [],
      });
      expect(JSON.stringify(outcome)).not.toContain(service.keys.ultra);
    }
    const entered = { REELAY_API_URL: service.url, REELAY_API_KEY: ` ${service.keys.ultra} ` };
    expect(await at.enter("service", entered)).toMatchObject({ outcome: "saved" });
  });

  it("sends a key to no other service than its own", async () => {
    await using at = await open();
    await at.enter("service", { REELAY_API_URL: service.url, REELAY_API_KEY: service.keys.ultra });
    const before = await at.stored();
    const outcome = await at.enter("service", {
      REELAY_API_URL: "http://127.0.0.1:1/api",
      REELAY_API_KEY: "",
    });
    expect(outcome).toMatchObject({ outcome: "refused", wrong: { REELAY_API_KEY: {} }, findings: [] });
    expect(await at.stored()).toEqual(before);
    // Without a service, its key is nobody's.
    expect(await at.enter("service", { REELAY_API_URL: "" })).toMatchObject({ outcome: "saved" });
    expect((await at.stored()).values).toEqual({});
  });

  it("does not leave jobs behind at another service, where what was paid for would be lost", async () => {
    await using at = await open();
    const ledger = new Ledger(at.database, "a-process");
    const job = await ledger.add({ ...aRequest(), fingerprint: "a film" }, 1);
    const entered = { REELAY_API_URL: service.url, REELAY_API_KEY: service.keys.ultra };
    expect(await at.enter("service", entered)).toMatchObject({
      outcome: "refused",
      wrong: { REELAY_API_URL: { key: "setup.wrong.under_way", params: { open: 1 } } },
    });
    expect(await at.enter("people", { REELAY_DAILY_CAP: "3" })).toMatchObject({ outcome: "saved" });
    await ledger.apply(job, { type: "cancelled", at: 2 });
    expect(await at.enter("service", entered)).toMatchObject({ outcome: "saved" });
  });

  it.each([
    ["not-an-address", "REELAY_API_URL"],
    ["https://service.example", "REELAY_API_URL"],
  ])("takes no address that the settings do not take: %s", async (url, field) => {
    await using at = await open();
    const outcome = await at.enter("service", { REELAY_API_URL: url });
    expect(outcome).toMatchObject({ outcome: "refused", wrong: { [field]: { key: "setup.wrong.api" } } });
  });

  it("keeps a number in one spelling, and no sign that nobody sees", async () => {
    await using at = await open();
    expect(await at.enter("people", { REELAY_DAILY_CAP: "0x10" })).toMatchObject({
      outcome: "refused",
      wrong: { REELAY_DAILY_CAP: { key: "setup.wrong.number" } },
    });
    expect(await at.enter("people", { REELAY_TERMS_URL: "https://terms.example/\u200Ba" })).toMatchObject({
      outcome: "refused",
      wrong: { REELAY_TERMS_URL: { key: "setup.wrong.hidden" } },
    });
    expect(await at.enter("people", { REELAY_DAILY_CAP: "007" })).toMatchObject({ outcome: "saved" });
    expect((await at.stored()).values).toEqual({ REELAY_DAILY_CAP: "7" });
  });

  it.each([
    ["REELAY_ALLOWED", `rly_my-shop_0123abcd_${"q8Zx3vK0Jd7".repeat(3)}0123456789`],
    ["REELAY_OPERATOR_KEY_FOR", "sk-live_q8Zx3vK0Jd7Rw2Tn5Yb9Lm4Pf6"],
    ["REELAY_TERMS_URL", "https://ann:a-password@terms.example/", "setup.wrong.password"],
  ])(
    "keeps no secret in %s, which everybody there would read",
    async (name, value, key = "setup.wrong.secret") => {
      await using at = await open();
      expect(await at.enter("people", { [name]: value })).toMatchObject({
        outcome: "refused",
        wrong: { [name]: { key } },
      });
      expect((await at.stored()).values).toEqual({});
    },
  );

  it("asks Telegram who the bot is", async () => {
    await using at = await open();
    const wrong = `${telegram.token}x`;
    const refused = await at.enter("telegram", { TELEGRAM_BOT_TOKEN: wrong });
    expect(refused).toMatchObject({
      outcome: "refused",
      findings: [{ said: { key: "setup.token_unknown" } }],
    });
    expect((await at.stored()).values).toEqual({});
    const saved = await at.enter("telegram", { TELEGRAM_BOT_TOKEN: telegram.token });
    expect(saved).toMatchObject({
      outcome: "saved",
      findings: [{ link: expect.stringMatching(/^https:\/\/t\.me\//) }],
    });
    expect(JSON.stringify([saved, refused, at.lines])).not.toContain(telegram.token);
  });

  it("asks Discord which application it is, and says how to invite it", async () => {
    await using at = await open();
    const saved = await at.enter("discord", { DISCORD_BOT_TOKEN: discord.token, DISCORD_PUBLIC_KEY: "" });
    expect(saved).toMatchObject({
      outcome: "saved",
      findings: [
        {
          said: { key: "setup.discord.found", params: { id: discord.applicationId } },
          link: expect.stringContaining(`client_id=${discord.applicationId}`),
        },
      ],
    });
  });

  it("asks Meta for the number, and says what to enter there", async () => {
    await using unreached = await open();
    const { WHATSAPP_API_ROOT: _, ...entered } = whatsapp.settings;
    // Meta calls a public address.
    expect(await unreached.enter("whatsapp", entered)).toMatchObject({
      outcome: "refused",
      wrong: { WHATSAPP_TOKEN: { key: "setup.wrong.needed", params: { setting: "REELAY_PUBLIC_URL" } } },
    });
    await using at = await open({ REELAY_PUBLIC_URL: "https://studio.example" });
    for (const [name, said] of [
      ["WHATSAPP_TOKEN", "setup.token_unknown"],
      ["WHATSAPP_PHONE_NUMBER_ID", "setup.unknown.WHATSAPP_PHONE_NUMBER_ID"],
      ["WHATSAPP_APP_SECRET", "setup.unknown.WHATSAPP_APP_SECRET"],
    ] as const) {
      const value = `${entered[name]?.slice(0, -1)}9`;
      const outcome = await at.enter("whatsapp", { ...entered, [name]: value });
      expect(outcome).toMatchObject({ outcome: "refused", findings: [{ said: { key: said } }] });
    }
    expect((await at.stored()).values).toEqual({});
    const saved = await at.enter("whatsapp", entered);
    const params = { number: "+15550783881", address: "https://studio.example/whatsapp/webhook" };
    expect(saved).toMatchObject({
      outcome: "saved",
      findings: [{ said: { key: "setup.whatsapp.uncalled", params }, link: "https://wa.me/15550783881" }],
    });
    const state = await at.desk.state();
    expect(state.env.split("\n")).toEqual([
      "WHATSAPP_TOKEN=…",
      "WHATSAPP_PHONE_NUMBER_ID=106540352242922",
      "WHATSAPP_APP_SECRET=…",
      "WHATSAPP_VERIFY_TOKEN=…",
    ]);
    const { token, appSecret, verifyToken } = whatsapp;
    for (const secret of [token, appSecret, verifyToken])
      expect(JSON.stringify([saved, state, at.lines])).not.toContain(secret);
    // What it needs stays, and it goes as a whole.
    expect(await at.enter("whatsapp", { WHATSAPP_APP_SECRET: null })).toMatchObject({
      outcome: "refused",
      wrong: { WHATSAPP_APP_SECRET: { key: "setup.wrong.app_secret" } },
    });
    expect(await at.enter("whatsapp", { WHATSAPP_TOKEN: null })).toMatchObject({ outcome: "saved" });
  });

  it("knows a token in the wrong place, and keeps it nowhere", async () => {
    await using at = await open();
    for (const [step, name] of [
      ["service", "REELAY_API_KEY"],
      ["people", "REELAY_TERMS_URL"],
      ["discord", "DISCORD_BOT_TOKEN"],
    ] as const) {
      const outcome = await at.enter(step, { [name]: telegram.token });
      expect(outcome).toMatchObject({
        outcome: "refused",
        wrong: { [name]: { key: "setup.wrong.is_telegram" } },
      });
    }
    expect(await at.enter("service", { REELAY_API_KEY: whatsapp.token })).toMatchObject({
      outcome: "refused",
      wrong: { REELAY_API_KEY: { key: "setup.wrong.is_whatsapp" } },
    });
    expect((await at.stored()).revision).toBe(0);
  });

  it("refuses what was entered over something that somebody else has changed since", async () => {
    await using at = await open();
    const { revision } = await at.desk.state();
    expect(await at.enter("people", { REELAY_DAILY_CAP: "3" })).toMatchObject({ outcome: "saved" });
    const late = await at.desk.save(
      "people",
      { revision, values: { REELAY_DAILY_CAP: "9" }, anyway: false },
      "web:me",
    );
    expect(late.outcome).toBe("stale");
    expect((await at.stored()).values).toEqual({ REELAY_DAILY_CAP: "3" });
  });

  it("keeps what was entered where somebody else has changed another setting since, even while it is tried out", async () => {
    await using at = await open();
    const { revision } = await at.desk.state();
    await at.enter("people", { REELAY_DAILY_CAP: "3" });
    const url = { REELAY_API_URL: service.url };
    const [outcome, meanwhile] = await Promise.all([
      at.desk.save("service", { revision, values: url, anyway: false }, "web:me"),
      at.enter("people", { REELAY_DAILY_CAP: "4" }),
    ]);
    expect([outcome.outcome, meanwhile.outcome]).toEqual(["saved", "saved"]);
    expect((await at.stored()).values).toEqual({ ...url, REELAY_DAILY_CAP: "4" });
    const tooNew = { revision: 99, values: { REELAY_DAILY_CAP: "5" }, anyway: false };
    expect(await at.desk.save("people", tooNew, "web:me")).toMatchObject({ outcome: "stale" });
  });

  it("keeps all of a step or nothing", async () => {
    await using at = await open();
    const outcome = await at.enter("people", { REELAY_DAILY_CAP: "3", REELAY_ALLOWED: "@somebody" });
    expect(outcome).toMatchObject({ outcome: "refused", wrong: { REELAY_ALLOWED: {} } });
    expect((await at.stored()).values).toEqual({});
  });

  it("changes nothing that the environment sets, and says so", async () => {
    await using at = await open({ REELAY_DAILY_CAP: "7" });
    const { steps } = await at.desk.state();
    expect(steps.people.find(({ name }) => name === "REELAY_DAILY_CAP")).toMatchObject({
      value: "7",
      isLocked: true,
    });
    const outcome = await at.enter("people", { REELAY_DAILY_CAP: "9" });
    expect(outcome).toMatchObject({
      outcome: "refused",
      wrong: { REELAY_DAILY_CAP: { key: "setup.wrong.locked" } },
    });
  });

  it("writes nothing where nothing changes", async () => {
    await using at = await open();
    await at.enter("people", { REELAY_DAILY_CAP: "3" });
    expect(await at.enter("people", { REELAY_DAILY_CAP: "3" })).toMatchObject({ outcome: "saved" });
    expect((await at.stored()).revision).toBe(1);
  });

  it("asks itself by its public address, and keeps one that does not lead here only when told to", async () => {
    await using at = await open();
    const server = createServer(async () => []);
    server.routes.get(`${ECHO_PATH}/:question`, (c) => c.text(at.desk.echo(c.req.param("question")) ?? "?"));
    const other = createServer(async () => []);
    const [url, elsewhere] = [await server.listen("127.0.0.1", 0), await other.listen("127.0.0.1", 0)];
    const refused = await at.enter("public", { REELAY_PUBLIC_URL: elsewhere });
    expect(refused).toMatchObject({
      outcome: "refused",
      mayAnyway: true,
      findings: [{ said: { key: "setup.public.other" } }],
    });
    await other.stop();
    const gone = await at.enter("public", { REELAY_PUBLIC_URL: elsewhere });
    expect(gone).toMatchObject({ outcome: "refused", findings: [{ said: { key: "setup.public.away" } }] });
    expect(await at.enter("public", { REELAY_PUBLIC_URL: elsewhere }, true)).toMatchObject({
      outcome: "saved",
    });
    const reached = await at.enter("public", { REELAY_PUBLIC_URL: url });
    expect(reached).toMatchObject({
      outcome: "saved",
      findings: [{ said: { key: "setup.public.reached" } }],
    });
    await server.stop();
  });
});
