import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import type { Browser, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { operatorAddress, type OperatorRole, TERMINAL_OWNER } from "../../../../src/seam/access/operators.ts";
import { launchBrowser } from "../../../support/browser.ts";
import { closePage, openPage, type OpenPage } from "./page.ts";
import { PUBLIC } from "./visitor.ts";
import { type SiteSettings, startWhole, type WholeSite } from "./whole.ts";

/** Where pictures of the console go, for whoever wants to look at them; nowhere unless it is set. */
const SHOTS = process.env["REELAY_TEST_SHOTS"];

/** Takes one of all that a page holds. */
export async function shot(page: Page, name: string): Promise<void> {
  if (SHOTS === undefined) return;
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: join(SHOTS, `${name}.png`), fullPage: true });
}

/** Whether something is wider than its window. */
export const OVERFLOWS = "document.documentElement.scrollWidth > document.documentElement.clientWidth";

/** Looks at a page as on a phone. @returns whether something is wider than that */
export async function onPhone(page: Page, name: string): Promise<boolean> {
  const wide = page.viewportSize();
  await page.setViewportSize({ width: 360, height: 740 });
  const overflows = await page.evaluate<boolean>(OVERFLOWS);
  await shot(page, name);
  if (wide) await page.setViewportSize(wide);
  return overflows;
}

/**
 * A whole site, new for each test of the suite that this is called in, and browsers of those who run it.
 * @param settings what is set beside what makes it public
 */
export function forEachSeat(settings: SiteSettings = {}): {
  readonly site: WholeSite;
  /** Lets somebody in with a role, called by it, at a place of the console. */
  sit(role: OperatorRole, place: string): Promise<Page>;
} {
  let browser: Browser;
  let site: WholeSite;
  let opened: OpenPage[];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await startWhole((keys) => ({
      ...PUBLIC,
      ...(typeof settings === "function" ? settings(keys) : settings),
    }));
    opened = [];
  });
  afterEach(async () => {
    try {
      for (const one of opened) {
        // What a browser says of an answer that is no success, and of a site without https.
        one.complaints = one.complaints.filter((text) => !/Failed to load resource|origin-keyed/.test(text));
        await closePage(one);
      }
    } finally {
      await site[Symbol.asyncDispose]();
    }
  });
  return {
    get site() {
      return site;
    },
    async sit(role, place) {
      const one = await openPage(
        browser,
        operatorAddress(site.url, await site.operators.invite(role, TERMINAL_OWNER)),
      );
      opened.push(one);
      const { page } = one;
      const name = page.getByRole("textbox", { name: "Your name" });
      await name.fill(role);
      await page.getByRole("button", { name: "Come in" }).click();
      await name.waitFor({ state: "detached" });
      // Who may make nothing is taken to the console.
      if (role === "moderator" || role === "viewer")
        await page.getByRole("navigation", { name: "Sections" }).waitFor();
      await page.goto(`${site.url}/console#${place}`);
      await page.getByRole("heading", { level: 1 }).waitFor();
      return page;
    },
  };
}
