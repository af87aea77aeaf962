import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { launchBrowser, withoutBrowser } from "../../support/browser.ts";
import { closePage, focused, openPage, type OpenPage } from "./support/page.ts";
import { shot } from "./support/seats.ts";
import { APP, PUBLIC, ticketFor } from "./support/visitor.ts";
import { startWhole, type WholeSite } from "./support/whole.ts";

const prompt = (on: Page) => on.getByRole("textbox", { name: "What should happen" });

describe.skipIf(withoutBrowser())("taking everything away on the page", () => {
  let browser: Browser;
  let site: WholeSite;
  let opened: OpenPage;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await startWhole(PUBLIC);
    const ticket = await ticketFor(site, "telegram:111");
    opened = await openPage(browser, `${site.url}${APP}#in=${ticket}`);
    ({ page } = opened);
    await page.getByRole("button", { name: "Sign in" }).click();
    await prompt(page).waitFor();
  });
  afterEach(async () => {
    try {
      // What a browser says of an answer that is no success, and of a site without https.
      opened.complaints = opened.complaints.filter((text) => !/Failed to load|origin-keyed/.test(text));
      await closePage(opened);
    } finally {
      await site[Symbol.asyncDispose]();
    }
  });

  const dialog = () => page.getByRole("dialog");
  const entry = (name: RegExp) => dialog().getByRole("button", { name });
  const answers = () => dialog().locator(".panel-commands .answers");
  const questions = () => dialog().getByText("Erase everything that Reelay keeps about you:").count();

  async function open(panel: RegExp) {
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: panel }).click();
  }

  it("asks once, in sight, and lets everything be at the way out", async () => {
    await open(/^Privacy/);
    await dialog().getByText("This is what Reelay keeps about you").waitFor();
    await entry(/^Forget me/).press("Enter");
    const keep = answers().getByRole("button", { name: "No, keep everything" });
    await expect.poll(() => keep.evaluate(IN_SIGHT)).toBe(true);
    await shot(page, "page-forget-question");
    expect(await questions()).toBe(1);
    expect(await answers().getByRole("button").allInnerTexts()).toEqual([
      "Erase it here",
      "No, keep everything",
    ]);
    // What there is to know stays where it was.
    expect(await dialog().getByText("This is what Reelay keeps about you").count()).toBe(1);
    await keep.press("Enter");
    await answers().getByText("Nothing was deleted.").waitFor();
    await expect.poll(() => focused(page)).toBe("Nothing was deleted.");
    await shot(page, "page-forget-kept");
    expect(await questions()).toBe(0);
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    await expect.poll(() => focused(page)).toBe("Menu");
    await prompt(page).waitFor();
  });

  it("ends with what was done, keeps no draft, and leads whoever is in another window on", async () => {
    await prompt(page).fill("a heron at dawn");
    const other = await page.context().newPage();
    await other.goto(`${site.url}${APP}`);
    await prompt(other).fill("another heron");
    await page.bringToFront();
    await open(/^Privacy/);
    await entry(/^Forget me/).click();
    await answers().getByRole("button", { name: "Erase it here" }).click();
    await page.getByRole("alert").getByText("Done: Reelay keeps nothing about you any more.").waitFor();
    await shot(page, "page-forgotten");
    expect(await page.evaluate<number>("sessionStorage.length")).toBe(0);
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("alert").getByText("Send /studio to the bot").waitFor();
    // Somebody who comes back to it finds out without a press.
    await other.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await other.getByRole("alert").getByText("Send /studio to the bot").waitFor();
    await other.close();
  });

  it.each([
    [/^Account/, /^Forget my key/, "No key of yours is stored."],
    [/^Privacy/, /^Withdraw confirmations/, "There is nothing to withdraw"],
  ])("does nothing of %s by being opened: %s", async (panel, command, done) => {
    await open(panel);
    await entry(command).click();
    const press = answers().getByRole("button", { name: command });
    await press.waitFor();
    await shot(page, `page-${done.replaceAll(/\W+/g, "-")}`);
    expect(await answers().getByText(done).count()).toBe(0);
    await press.click();
    await answers().getByText(done).waitFor();
    await expect.poll(() => focused(page)).toContain(done);
  });
});

/** Whether something can be seen whole in its window. */
const IN_SIGHT = (element: { getBoundingClientRect(): { top: number; bottom: number } }) => {
  const { top, bottom } = element.getBoundingClientRect();
  return top >= 0 && bottom <= 800;
};
