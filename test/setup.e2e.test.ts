import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { store } from "../src/app/setup/stored.ts";
import { openDatabase } from "../src/infrastructure/storage/database.ts";
import { makeLogger } from "../src/infrastructure/telemetry/telemetry.ts";
import { cat, isResult } from "./adapters/discord/making-harness.ts";
import { closePage, openPage, type OpenPage } from "./adapters/web/support/page.ts";
import { launchBrowser, withoutBrowser } from "./support/browser.ts";
import { Child, type Home } from "./support/crash-child.ts";
import { FakeDiscord } from "./support/discord/fake-discord.ts";
import { temporaryFolder, testFfmpeg, testSandbox, type TestSandbox } from "./support/sandbox.ts";
import { asksFor, isFilm } from "./support/telegram/asks.ts";
import { FakeTelegram } from "./support/telegram/fake-telegram.ts";
import { testVault } from "./support/vault.ts";
import { isFilm as isWhatsAppFilm, photo, WEBHOOK } from "./adapters/whatsapp/harness.ts";
import { FakeWhatsapp } from "./support/whatsapp/fake-whatsapp.ts";
import { PATIENCE_MS } from "./support/patience.ts";

/** Where pictures of the page are to be put, by whoever wants to look at it. */
const PICTURES = process.env["REELAY_TEST_PICTURES"];

async function picture(page: Page, name: string): Promise<void> {
  if (PICTURES !== undefined) await page.screenshot({ path: `${PICTURES}/${name}.png`, fullPage: true });
}

/** Nothing but where the platforms of the test are; nothing is switched on by that. */
const homeOf = (telegram: FakeTelegram, discord: FakeDiscord): Home => ({
  data: temporaryFolder(),
  env: {
    REELAY_FFMPEG: testFfmpeg(),
    REELAY_RATE_WINDOW_MS: "1200",
    REELAY_POLL_MS: "100",
    TELEGRAM_API_ROOT: telegram.url,
    DISCORD_API_ROOT: discord.url,
  },
});

const go = (page: Page, step: string) =>
  page.getByRole("navigation", { name: "Steps" }).getByRole("button", { name: step }).click();

/** Changes a rule from the page, and waits until it is in force. */
const CHANGE_RULE = `async (name, value) => {
  const look = async () => (await fetch("/console/web/rules")).json();
  const rules = (await look()).groups.flatMap(({ rules }) => rules);
  const { version } = rules.find((rule) => rule.name === name);
  const headers = { "content-type": "application/json", "if-match": '"' + version + '"' };
  const { status } = await fetch("/console/web/rules/" + name, { method: "PUT", headers, body: JSON.stringify({ value }) });
  while ((await look()).inForce !== "all") await new Promise((done) => setTimeout(done, 100));
  return status;
}`;

/** Saves what was entered, and waits until it is in force. */
async function save(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Check and save" }).click();
  await page.getByText("Saved, and in force.").waitFor();
}

/** What a Reelay says that it stands on, its platforms among them. */
async function standsOn(reelay: Child): Promise<readonly string[]> {
  const { checks } = (await (await fetch(`${await reelay.url}/readyz`)).json()) as {
    readonly checks: readonly { readonly name: string }[];
  };
  return checks.map(({ name }) => name);
}

describe.skipIf(withoutBrowser())("setting up in the browser", { timeout: 6 * PATIENCE_MS }, () => {
  let browser: Browser;
  let service: TestSandbox;
  let telegram: FakeTelegram;
  let discord: FakeDiscord;
  beforeAll(async () => {
    browser = await launchBrowser();
    service = await testSandbox();
    telegram = await FakeTelegram.start({ limits: { queryMs: PATIENCE_MS } });
    discord = await FakeDiscord.start({ limits: { firstAnswerMs: PATIENCE_MS } });
  }, PATIENCE_MS);
  afterAll(async () => {
    await browser.close();
    await discord.stop();
    await telegram.stop();
    await service.stop();
  });

  async function open(program: Child, path = ""): Promise<OpenPage> {
    const opened = await openPage(browser, `${(await program.url) ?? ""}${path}`);
    opened.page.setDefaultTimeout(PATIENCE_MS);
    return opened;
  }

  it("leads from nothing to a film on Telegram and on Discord, without a restart, and is there after one", async () => {
    const home = homeOf(telegram, discord);
    using program = new Child(home);
    const opened = await open(program);
    const { page } = opened;
    await page.getByRole("link", { name: "Connect your own service and chat platforms" }).first().click();
    await page.getByRole("heading", { name: "Set Reelay up" }).waitFor();
    await picture(page, "1-service");

    // A wrong key is refused by the service itself, and not kept.
    await page.getByLabel("Address of the service").fill(service.url);
    await page.getByLabel("Your key").fill("a-key-of-nobody");
    await page.getByRole("button", { name: "Check and save" }).click();
    await page.getByText("Nothing was saved.").waitFor();
    await page.getByText("The key does not work").waitFor();
    await picture(page, "2-refused");
    await page.getByLabel("Your key").fill(service.keys.ultra);
    await save(page);
    await page.getByText("The key works").waitFor();
    await picture(page, "3-saved");

    await go(page, "Telegram");
    await page.getByLabel("Token of the bot").fill(discord.token);
    await page.getByRole("button", { name: "Check and save" }).click();
    await page.getByText("This is a token of Discord's").waitFor();
    expect(await page.getByLabel("Token of the bot").inputValue()).toBe("");
    await page.getByLabel("Token of the bot").fill(telegram.token);
    await save(page);
    await page.getByRole("link", { name: "Open the bot" }).waitFor();
    await picture(page, "4-telegram");

    await go(page, "Discord");
    await page.getByLabel("Token of the bot").fill(discord.token);
    await save(page);
    await page.getByRole("link", { name: "Invite it to a server" }).waitFor();
    const room = discord.guild({ name: "Films" }).channel();
    await page.getByLabel("Try it: id of a channel").fill(room.id);
    await page.getByRole("button", { name: "Post a test message" }).click();
    await page.getByText("It is posted.").waitFor();
    await picture(page, "5-discord");

    await go(page, "People");
    await page.getByLabel("Whom you pay for").selectOption("Everybody");
    await page.getByLabel("Jobs a day for each person").fill("5");
    await save(page);
    await picture(page, "6-people");
    await go(page, "Done");
    await page.getByText("What you set is in force.").waitFor();
    const file = await page.locator("pre").innerText();
    expect(file.split("\n")).toEqual([
      `REELAY_API_URL=${service.url}`,
      "REELAY_API_KEY=…",
      "TELEGRAM_BOT_TOKEN=…",
      "DISCORD_BOT_TOKEN=…",
      "REELAY_OPERATOR_KEY_FOR=all",
      "REELAY_DAILY_CAP=5",
    ]);
    await picture(page, "7-done");
    const seen = await page.content();
    for (const secret of [service.keys.ultra, telegram.token, discord.token]) {
      expect(seen).not.toContain(secret);
      expect(program.output).not.toContain(secret);
    }

    await filmOnBoth("the first film");
    await filmWhileSettingsChange(page);
    opened.complaints = opened.complaints.filter((line) => !line.includes("422"));
    await closePage(opened);

    program.kill();
    await program.untilKilled();
    using again = new Child(home);
    await again.url;
    await filmOnBoth("one after the restart");
    const phone = await open(again, "/setup");
    await phone.page.setViewportSize({ width: 390, height: 844 });
    await go(phone.page, "Telegram");
    await phone.page.getByRole("button", { name: "Check what is set" }).click();
    await phone.page.getByText("Its menu has").waitFor();
    await picture(phone.page, "8-phone");
    const platforms = await standsOn(again);
    expect(platforms).toContain("telegram");
    // Taken away, it is gone at once, and alone.
    await phone.page.getByRole("button", { name: "Remove it" }).click();
    await phone.page.getByText("Saved, and in force.").waitFor();
    expect(await standsOn(again)).toEqual(platforms.filter((name) => name !== "telegram"));
    await closePage(phone);
  });

  /** What is under way goes on, and is made once, whenever Reelay is opened anew. */
  async function filmWhileSettingsChange(page: Page): Promise<void> {
    const cara = telegram.person({ name: "Cara" });
    const made = asksFor(cara, "under way", PATIENCE_MS);
    // For this everything is opened anew; a cap counts without that.
    for (const days of ["60", "70", "80"])
      expect(await page.evaluate(`(${CHANGE_RULE})("REELAY_KEEP_DAYS", "${days}")`)).toBe(200);
    await page.reload();
    await go(page, "People");
    await page.getByLabel("Jobs a day for each person").fill("8");
    await save(page);
    await made;
    await cara.sees(isFilm, { within: PATIENCE_MS });
    expect(cara.chat().filter(isFilm)).toHaveLength(1);
    const { submissions } = await service.ledger();
    expect(submissions.filter(({ prompt }) => prompt === "under way")).toHaveLength(1);
    await go(page, "Done");
    await page.getByText("REELAY_DAILY_CAP=8").waitFor();
  }

  /** Somebody makes a film on each platform. */
  async function filmOnBoth(words: string): Promise<void> {
    const ann = telegram.person({ name: "Ann" });
    await asksFor(ann, words, PATIENCE_MS);
    await ann.sees(isFilm, { within: PATIENCE_MS });
    const bob = discord.person({ name: "Bob" });
    const channel = discord.guild({ name: words }).channel();
    bob.joins(channel);
    await bob.uses("/make video", { image: cat, prompt: words }, { in: channel });
    await bob.presses(/^(?:Make it|Yes)/, { within: PATIENCE_MS });
    await bob.sees(isResult, { in: channel, within: PATIENCE_MS });
  }

  it("refuses one of two browsers, and what the environment sets is locked", async () => {
    const home = homeOf(telegram, discord);
    using program = new Child({ ...home, env: { ...home.env, REELAY_DAILY_CAP: "7" } });
    const [one, other] = [await open(program, "/setup"), await open(program, "/setup")];
    for (const { page } of [one, other]) await go(page, "People");
    await one.page.getByLabel("Jobs at once for each person").fill("2");
    await save(one.page);
    const cap = other.page.getByLabel("Jobs a day for each person");
    expect([await cap.isDisabled(), await cap.inputValue()]).toEqual([true, "7"]);
    await other.page.getByText("Set by the environment").waitFor();
    await other.page.getByLabel("Jobs at once for each person").fill("9");
    await other.page.getByRole("button", { name: "Check and save" }).click();
    await other.page.getByText("Something was changed meanwhile").waitFor();
    await expect.poll(() => other.page.getByLabel("Jobs at once for each person").inputValue()).toBe("2");
    await picture(other.page, "9-stale");
    other.complaints = other.complaints.filter((line) => !line.includes("409"));
    await closePage(one);
    await closePage(other);
  });

  it("asks for the login of the terminal once it has a public address, which the commands know as well", async () => {
    const home = homeOf(telegram, discord);
    using program = new Child(home);
    const opened = await open(program, "/setup");
    const { page } = opened;
    const url = (await program.url) ?? "";
    await go(page, "Address");
    await page.getByLabel("Public address").fill(url);
    await page.getByRole("button", { name: "Check and save" }).click();
    await page.getByText("Log in first").waitFor();
    await picture(page, "10-login");
    const said = async (command: string) => {
      using child = new Child(home, [command, "--json"]);
      await child.ended();
      return child.output;
    };
    expect(await said("doctor")).toContain("set on the page /setup: REELAY_PUBLIC_URL");
    const { url: link } = JSON.parse(await said("setup")) as { readonly url: string };
    expect(link.startsWith(`${url}/setup#login=`)).toBe(true);
    // By the fragment alone a browser would stay where it is.
    await page.goto("about:blank");
    await page.goto(link);
    await go(page, "Address");
    expect(await page.getByLabel("Public address").inputValue()).toBe(url);
    await page.getByRole("button", { name: "Check what is set" }).click();
    await page.getByText(`${url} leads here.`).waitFor();
    opened.complaints = opened.complaints.filter((line) => !line.includes("401"));
    await closePage(opened);
  });

  it("leads to a film on WhatsApp: what to enter at Meta is said, and what the environment sets is locked", async () => {
    await using whatsapp = await FakeWhatsapp.start();
    const { token, appSecret, verifyToken, phoneNumberId } = whatsapp;
    const { data, env } = homeOf(telegram, discord);
    const home = {
      data,
      env: {
        ...env,
        REELAY_API_URL: service.url,
        REELAY_API_KEY: service.keys.ultra,
        REELAY_OPERATOR_KEY_FOR: "all",
        WHATSAPP_API_ROOT: whatsapp.url,
        WHATSAPP_PHONE_NUMBER_ID: phoneNumberId,
      },
    };
    using program = new Child(home);
    const opened = await open(program, "/setup");
    const { page } = opened;
    const url = (await program.url) ?? "";
    await go(page, "WhatsApp");
    expect(await page.getByLabel("Id of the phone number").isDisabled()).toBe(true);
    await page.getByLabel("Access token").fill(token);
    await page.getByLabel("App secret").fill(appSecret);
    await page.getByLabel("Verify token").fill(verifyToken);
    await page.getByRole("button", { name: "Check and save" }).click();
    await page.getByText("REELAY_PUBLIC_URL wants the address that Meta can call").waitFor();
    await go(page, "Address");
    await page.getByLabel("Public address").fill(url);
    await page.getByRole("button", { name: "Check and save" }).click();
    await page.getByText("Log in first").waitFor();
    using login = new Child(home, ["setup", "--json"]);
    await login.ended();
    const { url: link } = JSON.parse(login.output) as { readonly url: string };
    await page.goto("about:blank");
    await page.goto(link);
    await go(page, "WhatsApp");
    await page.getByLabel("Access token").fill(token);
    await page.getByLabel("App secret").fill(`${appSecret.slice(1)}0`);
    await page.getByLabel("Verify token").fill(verifyToken);
    await page.getByRole("button", { name: "Check and save" }).click();
    await page.getByText("The app secret is none of the app").waitFor();
    await page.getByLabel("App secret").fill(appSecret);
    await save(page);
    await page.getByText(`Now enter ${url}${WEBHOOK} as the callback URL`).waitFor();
    await picture(page, "11-whatsapp");
    // In force without a restart: the address answers Meta's challenge.
    await whatsapp.subscribes(url + WEBHOOK);
    await page.getByRole("button", { name: "Check what is set" }).click();
    await page.getByText(`Meta calls ${url}${WEBHOOK}`).waitFor();
    await go(page, "Done");
    const file = await page.locator("pre").innerText();
    expect(file.split("\n")).toEqual([
      "WHATSAPP_TOKEN=…",
      "WHATSAPP_APP_SECRET=…",
      "WHATSAPP_VERIFY_TOKEN=…",
      `REELAY_PUBLIC_URL=${url}`,
    ]);
    const seen = await page.content();
    for (const secret of [token, appSecret, verifyToken]) {
      expect(seen).not.toContain(secret);
      expect(program.output).not.toContain(secret);
    }
    const ann = whatsapp.person({ name: "Ann" });
    ann.sendsPhoto(photo, { caption: "a film on WhatsApp" });
    await ann.presses(/generate/i, { within: PATIENCE_MS });
    await ann.sees(isWhatsAppFilm, { within: PATIENCE_MS });
    opened.complaints = opened.complaints.filter((line) => !/401|422/.test(line));
    await closePage(opened);
  });

  it("starts without a bot whose token Telegram knows no more, and says so", async () => {
    const secret = "a secret for tests only";
    const { data, env } = homeOf(telegram, discord);
    const home = { data, env: { ...env, REELAY_SECRET: secret } };
    const database = await openDatabase(join(data, "reelay.db"));
    const vault = await testVault({ data, secret }, database, makeLogger({ level: "silent" }));
    const change = { TELEGRAM_BOT_TOKEN: `${telegram.token}-revoked` };
    await store({ database, vault }, { over: 0, change, keyIsFor: undefined, by: "web:me" });
    await database.close();
    using program = new Child(home);
    const opened = await open(program, "/setup");
    await go(opened.page, "Done");
    await opened.page.getByText("It does not fit any more: a token that Telegram does not know").waitFor();
    expect(program.output).toContain("Settings of the page /setup are left out");
    expect(program.output).not.toContain(change.TELEGRAM_BOT_TOKEN);
    await closePage(opened);
  });
});
