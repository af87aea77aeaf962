import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { choose, closePage, type OpenPage, openPage } from "./adapters/web/support/page.ts";
import { startWhole, type WholeSite } from "./adapters/web/support/whole.ts";
import type { Origin } from "../src/seam/origin.ts";
import { launchBrowser, withoutBrowser } from "./support/browser.ts";
import { temporaryFolder, testPicture } from "./support/sandbox.ts";
import { person } from "./support/surface.ts";
import { PATIENCE_MS } from "./support/patience.ts";

/** Somebody in a group of the other platform. */
const inGroup = (name: string): Origin => ({
  ...person(name, "telegram"),
  chat: "telegram:-100",
  audience: "group",
});

describe.skipIf(withoutBrowser())("trust and safety in Chromium", () => {
  let browser: Browser;
  let site: WholeSite;
  let opened: OpenPage;
  let page: Page;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await startWhole({ REELAY_BLOCKED_WORDS: "dragon", REELAY_REPORTS_TO_WITHHOLD: "2" });
    opened = await openPage(browser, site.url);
    page = opened.page;
    page.setDefaultTimeout(PATIENCE_MS);
  });
  afterEach(async () => {
    try {
      await closePage(opened);
    } finally {
      await site[Symbol.asyncDispose]();
    }
  });

  const button = (name: string | RegExp) => page.getByRole("button", { name, exact: true });
  /** What is said, the newest of it. */
  const text = (words: string) => page.getByRole("main").getByText(words, { exact: false }).last();
  /** A button under what was said last. */
  const under = (name: string) => page.getByRole("main").getByRole("button", { name, exact: true }).last();
  const prompt = () => page.getByRole("textbox", { name: "What should happen" });

  async function addSample() {
    await button("Try the sample photo").click();
    await page.locator(".well.filled img").waitFor();
  }

  async function command(name: RegExp) {
    await button("Menu").click();
    await page.locator("#commands").getByRole("button", { name }).click();
  }

  /** Has something made in the group, and waits until it is shown there. */
  async function madeInGroup(): Promise<string> {
    const photo = join(temporaryFolder(), "photo.jpg");
    await writeFile(photo, Buffer.from(await testPicture(), "base64"));
    const values = { image: { surface: "telegram", id: photo }, prompt: "slow zoom" } as const;
    await site.chat.intake.command(inGroup("1"), "video", values);
    const [made] = await site.chat.results(1);
    if (!made) throw new Error("Nothing was made.");
    return made.job.id;
  }

  const inChat = (kind: "result" | "notice") => site.chat.showing(kind).length;

  it("asks, accepts, refuses, takes back and forgets", async () => {
    await addSample();
    await prompt().fill("a dragon wakes");
    await button(/^Yes, generate .*token/).click();
    await page.getByRole("alert").getByText("This contains words that are not allowed here").waitFor();
    expect(await page.locator("video").count()).toBe(0);

    // The photo is there still; and what was stated counts, although that request was refused.
    await page.locator(".well.filled img").waitFor();
    await prompt().fill("slow zoom");
    await button(/^Generate .*token/).click();
    await page.locator("video").waitFor();
    // The browser tells of refusals itself.
    opened.complaints = opened.complaints.filter((complaint) => !/status of 400/.test(complaint));

    await button("Menu").click();
    await page.getByRole("link", { name: /^Privacy/ }).click();
    const privacy = page.getByRole("dialog", { name: "Privacy" });
    const inPrivacy = (words: string) => privacy.getByText(words, { exact: false }).last();
    await inPrivacy("Terms accepted").waitFor();
    await privacy.getByRole("button", { name: /^Export/ }).click();
    await inPrivacy("reelay-export.json").waitFor();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      privacy.locator("[data-kind=file]").getByText("Download").click(),
    ]);
    const exported: unknown = JSON.parse(await readFile(await download.path(), "utf8"));
    expect(exported).toMatchObject({
      person: { id: "web:me" },
      statements: [{ statement: "terms" }, { statement: "consent" }],
      jobs: [{ operation: "video", values: { prompt: "slow zoom" } }],
    });

    await privacy
      .getByRole("button", { name: /^Withdraw confirmations/ })
      .last()
      .click();
    // It is looked at first.
    await privacy
      .locator(".panel-commands .answers")
      .getByRole("button", { name: /^Withdraw confirmations/ })
      .click();
    await inPrivacy("Withdrawn from now on").waitFor();
    await page.keyboard.press("Escape");
    await addSample();
    await prompt().fill("slow zoom");
    await button(/^Yes, generate .*token/).click();
    await expect.poll(() => page.locator("video").count()).toBe(2);

    await page.goto(`${site.url}/#privacy`);
    await privacy
      .getByRole("button", { name: /^Forget me/ })
      .last()
      .click();
    await privacy.getByRole("button", { name: "Erase it here" }).click();
    await page.getByRole("alert").getByText("Reelay keeps nothing about you any more").waitFor();
    await page.getByRole("button", { name: "Continue" }).click();
    await expect.poll(() => page.locator("video").count()).toBe(0);
    await page.keyboard.press("Escape");
    await addSample();
    await prompt().fill("slow zoom");
    await button(/^Yes, generate/).waitFor();
  });

  it("begins a face swap by the button that says who agreed, each time", async () => {
    await choose(page, "Face swap");
    for (const well of await page.locator("input[type=file]").all())
      await well.setInputFiles(join(import.meta.dirname, "../adapters/web/page/sample/sample.jpg"));
    await expect.poll(() => page.locator(".well.filled").count()).toBe(2);
    await button(/^They all agreed: swap the faces/).click();
    await page.getByRole("img", { name: "The finished picture" }).waitFor();
    await button(/^Again/).click();
    await text("Did everybody in these two pictures agree").waitFor();
    await under("They all agreed: swap the faces").click();
    const pictures = page.getByRole("img", { name: "The finished picture" });
    await expect.poll(() => pictures.count()).toBe(2);
  });

  it("hears of a reported result, looks at it, puts it back, and takes it down again", async () => {
    const job = await madeInGroup();
    await site.chat.intake.act(inGroup("2"), `report:${job}`);
    await text("One person reported this result. It is still shown.").waitFor();
    await site.chat.intake.act(inGroup("3"), `report:${job}`);
    await text("2 people reported this result, and it was taken down").waitFor();
    await expect.poll(() => inChat("result")).toBe(0);

    await under("View it").click();
    await button("Hidden: show it").click();
    await page.locator("video").waitFor();
    await under("Put it back").click();
    await text("This result stays up.").waitFor();
    await expect.poll(() => inChat("result")).toBe(1);
    await under("Take it down").click();
    await text("This result was taken down.").waitFor();
    await expect.poll(() => inChat("result")).toBe(0);

    await under("Block the person").click();
    await under("Unblock the person").waitFor();
    await site.chat.intake.command(inGroup("1"), "image", { prompt: "a lighthouse" });
    expect(site.chat.showing("problem").at(-1)?.problem.code).toBe("blocked");
    await command(/^Reports/);
    await text("Reported results, newest first").waitFor();
  });
});
