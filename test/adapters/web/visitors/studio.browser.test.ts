import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { FakeOAuth2 } from "../../../support/discord/oauth2.ts";
import { launchBrowser, withoutBrowser } from "../../../support/browser.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";
import { closePage, openPage, type OpenPage } from "../support/page.ts";
import { APP, opens, PUBLIC, ticketFor } from "../support/visitor.ts";
import { startWhole, type WholeSite } from "../support/whole.ts";

const SECRET = "heron at dawn";

/** What a browser says of an answer that is no success. */
function forgive(opened: OpenPage): void {
  opened.complaints = opened.complaints.filter((text) => !/Failed to load resource|origin-keyed/.test(text));
}

describe.skipIf(withoutBrowser())("everybody's page in Chromium", () => {
  let browser: Browser;
  let site: WholeSite;
  let visitors: OpenPage[];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await startWhole(PUBLIC);
    visitors = [];
  });
  afterEach(async () => {
    try {
      for (const visitor of visitors) await closePage(visitor);
    } finally {
      await site[Symbol.asyncDispose]();
    }
  });

  /** Follows a link, in a browser of its own. */
  async function follow(fragment: string) {
    const opened = await openPage(browser, `${site.url}${APP}#${fragment}`);
    visitors.push(opened);
    return opened;
  }

  const prompt = "What should happen";

  it("signs in by a press on the page, with nothing left in the address, once", async () => {
    const ticket = await ticketFor(site, "discord:5");
    const { page } = await follow(`in=${ticket}`);
    await page.getByText("asked for this page with /studio").waitFor();
    expect(page.url()).toBe(`${site.url}${APP}`);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("textbox", { name: prompt }).waitFor();
    await page.reload();
    await page.getByRole("textbox", { name: prompt }).waitFor();

    const late = await follow(`in=${ticket}`);
    await late.page.getByRole("button", { name: "Sign in" }).click();
    await late.page.getByRole("alert").getByText("has been used already").waitFor();
    forgive(late);
  });

  it("leads to Discord and back, and says a way on to whoever declines there", async () => {
    const application = { clientId: "1".repeat(18), clientSecret: "client-secret-of-tests" };
    const redirect = `${PUBLIC.REELAY_PUBLIC_URL}${APP}`;
    await using discord = await FakeOAuth2.start({ ...application, redirect });
    await site[Symbol.asyncDispose]();
    site = await startWhole({
      ...PUBLIC,
      DISCORD_API_ROOT: discord.url,
      DISCORD_CLIENT_ID: application.clientId,
      DISCORD_CLIENT_SECRET: application.clientSecret,
    });
    const opened = await openPage(browser, `${site.url}${APP}`);
    visitors.push(opened);
    const { page } = opened;
    let agrees = false;
    await page.route("https://discord.com/**", async (route) => {
      const address = route.request().url();
      const { search } = agrees ? discord.agree(address, "5") : discord.decline(address);
      await route.fulfill({ status: 302, headers: { location: `${site.url}${APP}${search}` } });
    });
    const button = page.getByRole("button", { name: "Sign in with Discord" });
    await button.click();
    await page.getByText("You did not let Discord say who you are").waitFor();
    expect(page.url()).toBe(`${site.url}${APP}`);
    agrees = true;
    await button.click();
    await page.getByRole("textbox", { name: prompt }).waitFor();
    expect(page.url()).toBe(`${site.url}${APP}`);
    const session = await page.evaluate<string>(
      "fetch('/app/web/session').then((answer) => answer.json()).then(({ person }) => person)",
    );
    expect(session).toBe("discord:5");
    opened.complaints = opened.complaints.filter((text) => !text.startsWith("https://discord.com/"));
    forgive(opened);
  });

  it("takes what Telegram says of whoever opens the Mini App, without a press where Telegram shows it", async () => {
    const context = await browser.newContext({ reducedMotion: "reduce" });
    await context.addInitScript("window.TelegramWebviewProxy = { postEvent() {} }");
    context.setDefaultTimeout(PATIENCE_MS);
    const page = await context.newPage();
    const data = new URLSearchParams({ tgWebAppData: opens(111), tgWebAppVersion: "9.1" });
    await page.goto(`${site.url}${APP}#${data.toString()}`);
    await page.getByRole("textbox", { name: prompt }).waitFor();
    expect(page.url()).toBe(`${site.url}${APP}`);
    await context.close();

    const link = await follow(data.toString());
    await link.page.getByRole("button", { name: "Sign in" }).click();
    await link.page.getByRole("alert").getByText("has been used already").waitFor();
    forgive(link);
  });

  it("shows a second person nothing of the first one's, whatever address of theirs they try", async () => {
    const come = async (user: "telegram:111" | "telegram:222") => {
      const opened = await follow(`in=${await ticketFor(site, user)}`);
      await opened.page.getByRole("button", { name: "Sign in" }).click();
      await opened.page.getByRole("textbox", { name: prompt }).waitFor();
      return opened;
    };
    const { page } = await come("telegram:111");
    await page.getByRole("button", { name: "Try the sample photo" }).click();
    const photo = page.locator(".well.filled img");
    await photo.waitFor();
    await page.getByRole("textbox", { name: prompt }).fill(SECRET);
    await page.getByRole("button", { name: /generate .*token/i }).click();
    await page.getByRole("main").locator("video").first().waitFor();
    const addresses = await page
      .locator("img[src*='/media/'], video[src*='/media/'], a[href*='/media/']")
      .evaluateAll((all: { src?: string; href?: string }[]) => all.map(({ src, href }) => src ?? href ?? ""));
    expect(addresses.length).toBeGreaterThan(1);

    const second = await come("telegram:222");
    expect(await second.page.content()).not.toContain(SECRET);
    for (const address of addresses) {
      const answer = await second.page.goto(address);
      expect(answer?.status(), address).toBe(404);
    }
    await second.page.goto(`${site.url}${APP}`);
    await second.page.getByRole("textbox", { name: prompt }).waitFor();
    expect(await second.page.getByRole("textbox", { name: prompt }).inputValue()).toBe("");
    expect(await second.page.content()).not.toContain(SECRET);
    const operator = await second.page.goto(site.url);
    expect(operator?.status()).toBe(200);
    await second.page.getByRole("alert").getByText("Log in first").waitFor();
    forgive(second);
  });
});
