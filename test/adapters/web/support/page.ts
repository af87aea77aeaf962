import sharp from "sharp";
import type { Browser, JSHandle, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, expect } from "vitest";
import { launchBrowser } from "../../../support/browser.ts";
import { startSite, type Site, type SiteOptions } from "./site.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

/** A page in a browser of its own, and whatever that complained about. */
export interface OpenPage {
  readonly page: Page;
  /** Errors, warnings, and requests that left the page's own origin; to be emptied where they are what a test is about. */
  complaints: string[];
}

/** Opens the page as somebody who speaks a language, and would rather not see things move. */
export async function openPage(browser: Browser, url: string, locale = "en-GB"): Promise<OpenPage> {
  // Playwright waits until what it presses stands still: that would be a third of the time.
  const context = await browser.newContext({
    locale,
    viewport: { width: 1280, height: 800 },
    reducedMotion: "reduce",
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const page = await context.newPage();
  const opened: OpenPage = { page, complaints: [] };
  const { origin } = new URL(url);
  page.on("pageerror", (error) => opened.complaints.push(error.message));
  page.on("console", (message) => {
    if (["error", "warning"].includes(message.type())) opened.complaints.push(message.text());
  });
  page.on("request", (request) => {
    if (!request.url().startsWith(origin) && !request.url().startsWith("blob:"))
      opened.complaints.push(request.url());
  });
  await page.goto(url);
  return opened;
}

/** Closes it. @throws Error with what the browser complained about */
export async function closePage({ page, complaints }: OpenPage): Promise<void> {
  await page.context().close();
  if (complaints.length > 0) throw new Error(`The browser complained:\n${complaints.join("\n")}`);
}

/** A site and its page, new for each test of the suite that this is called in. */
export function forEachTest(options: () => SiteOptions = () => ({})): {
  readonly site: Site;
  readonly page: Page;
  readonly complaints: readonly string[];
  /** Leaves out what the browser says of something that a test is about. */
  forgive(complaint: RegExp): void;
} {
  let browser: Browser;
  let site: Site;
  let opened: OpenPage;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await startSite(options());
    opened = await openPage(browser, site.url);
  });
  afterEach(async () => {
    try {
      await closePage(opened);
    } finally {
      await site.close();
    }
  });
  return {
    get site() {
      return site;
    },
    get page() {
      return opened.page;
    },
    get complaints() {
      return opened.complaints;
    },
    forgive(complaint) {
      opened.complaints = opened.complaints.filter((text) => !complaint.test(text));
    },
  };
}

/** Chooses what to make. */
export async function choose(page: Page, operation: string): Promise<void> {
  await page.getByRole("button", { name: "What to make:" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: new RegExp(`^${operation}`) }).click();
  await page.getByRole("button", { name: `What to make: ${operation}` }).waitFor();
}

/** A file for a page to be given. */
export interface GivenFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** Delivers finished videos of other words and days each, the first of New Year's Day 2020. */
export async function deliverResults({ core }: Site, count: number): Promise<void> {
  for (let number = 1; number <= count; number++) {
    const createdAt = new Date(2020, 0, number, 12).getTime();
    const values = { prompt: `number ${number}` };
    await core.deliverResult({ id: `job-${number}`, operation: "video", values, createdAt });
  }
}

/** A plain picture. */
export async function picture(name: string, background: string): Promise<GivenFile> {
  const buffer = await sharp({ create: { width: 60, height: 40, channels: 3, background } })
    .png()
    .toBuffer();
  return { name, mimeType: "image/png", buffer };
}

/** Drops files anywhere on the page. */
export async function dropFiles(page: Page, files: readonly GivenFile[]): Promise<void> {
  const given = files.map(({ name, mimeType, buffer }) => [name, mimeType, buffer.toString("base64")]);
  const dataTransfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    for (const [name, type, text] of ${JSON.stringify(given)}) {
      const bytes = Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0));
      data.items.add(new File([bytes], name, { type }));
    }
    return data;
  })()`);
  await drop(page, dataTransfer);
}

/** Drags something from another page here: an address, and the piece of that page that it stands in. */
export async function dropAddress(page: Page, address: string, html = ""): Promise<void> {
  const dataTransfer = await page.evaluateHandle(`(() => {
    const data = new DataTransfer();
    data.setData("text/uri-list", ${JSON.stringify(address)});
    data.setData("text/html", ${JSON.stringify(html)});
    return data;
  })()`);
  await drop(page, dataTransfer);
}

/** As a hand does: something that is held over a page says so again and again, also while that page still loads. */
async function drop(page: Page, dataTransfer: JSHandle): Promise<void> {
  const held = page.getByText("Drop it here");
  do await page.dispatchEvent("body", "dragover", { dataTransfer });
  while (!(await held.isVisible()));
  await page.dispatchEvent("body", "drop", { dataTransfer });
}

/** Presses Tab until something with this name has the focus; it may be drawn a while later. */
export async function tabTo(page: Page, name: string): Promise<void> {
  const isThere = `[...document.querySelectorAll("a, button, input, select, textarea")].some((one) =>
    (one.ariaLabel || one.textContent).startsWith(${JSON.stringify(name)}))`;
  await expect.poll(() => page.evaluate<boolean>(isThere)).toBe(true);
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press("Tab");
    if ((await focused(page)).startsWith(name)) return;
  }
  throw new Error(`Tab never reached ${name}.`);
}

/** The name of what has the focus. */
export function focused(page: Page): Promise<string> {
  return page.evaluate<string>("document.activeElement.ariaLabel || document.activeElement.textContent");
}
