import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { LOCALES, translator } from "../../../../src/common/i18n.ts";
import { launchBrowser, withoutBrowser } from "../../../support/browser.ts";
import { closePage, openPage, type OpenPage } from "../support/page.ts";
import { post } from "../support/client.ts";
import { OVERFLOWS, shot } from "../support/seats.ts";
import { PUBLIC, visit } from "../support/visitor.ts";
import { startWhole, type WholeSite } from "../support/whole.ts";
import { PATIENCE_MS } from "../../../support/patience.ts";

const SECRET = "heron at dawn";
const ANN = "telegram:111";

const widthOf = ({ naturalWidth }: { readonly naturalWidth: number }) => naturalWidth;

describe.skipIf(withoutBrowser())("the console in Chromium", () => {
  let browser: Browser;
  let site: WholeSite;
  let opened: OpenPage;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await startWhole();
    opened = await openPage(browser, `${site.url}/console`);
  });
  afterEach(async () => {
    try {
      await closePage(opened);
    } finally {
      await site[Symbol.asyncDispose]();
    }
  });

  /** A finished job of the operator's own page. */
  async function made(): Promise<string> {
    await post(site.url, "/web/command/image", { values: { prompt: SECRET }, agreed: ["terms", "consent"] });
    return vi.waitFor(
      async () => {
        const desk = await site.console();
        const [job] = await desk.find("web:me");
        if (job?.phase !== "completed") throw new Error("It is not made yet.");
        return job.id;
      },
      { timeout: PATIENCE_MS, interval: 200 },
    );
  }

  const section = (name: string) => opened.page.getByRole("navigation").getByRole("link", { name });

  /** Waits until what stands at a place is shown: what was shown before has a heading, too. */
  async function untilAt(place: string): Promise<void> {
    const { page } = opened;
    await page.locator(`nav [aria-current][href="#${place.split("/")[0] ?? ""}"]`).waitFor();
    await page.getByRole("heading", { level: 2 }).first().waitFor();
  }

  it("shows what is going on, and follows it by itself", async () => {
    const { page } = opened;
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    await page.getByRole("listitem").filter({ hasText: "Database" }).getByText("works").waitFor();
    const job = await made();
    await page.getByRole("meter").first().waitFor();
    await shot(page, "now-desktop");
    await section("Jobs").click();
    await page.getByRole("searchbox").fill(job);
    await page.getByRole("button", { name: "Search" }).click();
    await page.getByRole("article", { name: job }).waitFor();
    expect(await page.getByText(SECRET).count()).toBe(0);
  });

  it("shows a job's life, and its words only to who asks for them", async () => {
    const { page } = opened;
    const job = await made();
    await page.goto(`${site.url}/console#job/${job}`);
    const steps = page.getByRole("list").filter({ hasText: "Accepted by the service" });
    await steps.getByText("Told to its person").waitFor();
    await page.getByText("Yes: the service said so.").waitFor();
    expect(await page.getByText(SECRET).count()).toBe(0);
    await page.getByRole("button", { name: "Show it" }).click();
    await page.getByText(SECRET).waitFor();
    const picture = page.getByRole("img", { name: "Result 1" });
    await expect.poll(() => picture.evaluate(widthOf)).toBeGreaterThan(0);
    await page.getByRole("textbox", { name: "Note" }).fill("2 tokens given back");
    await page.getByRole("button", { name: "Keep the note" }).click();
    await page.getByRole("status").getByText("written into the audit").waitFor();
    await steps.getByText("2 tokens given back").waitFor();
    await shot(page, "job-desktop");

    await page.getByRole("button", { name: "Deliver it again" }).click();
    await page.getByText("Nothing is charged.", { exact: false }).waitFor();
    await page.getByRole("button", { name: "Yes, do it" }).click();
    await steps.getByText("delivered again").waitFor();

    await section("Log").click();
    await page.getByRole("heading", { level: 1, name: "Log" }).waitFor();
    await page.getByRole("combobox", { name: "What was done" }).selectOption({ label: "Looked at" });
    await page.getByRole("search", { name: "Entries" }).getByRole("button").click();
    await expect.poll(() => page.getByRole("row").count()).toBe(2);
    await shot(page, "log-desktop");
  });

  it("says how far a job is only while it runs", async () => {
    const { page } = opened;
    await made();
    await page.goto(`${site.url}/console#job/web:me`);
    const row = page.getByRole("row").filter({ hasText: "Finished" });
    await row.waitFor();
    await site.database.kysely.updateTable("jobs").set({ progress: 76 }).execute();
    const read = page.waitForResponse(/\/console\/web\/jobs$/);
    await page.getByRole("button", { name: "Search" }).click();
    await (await read).finished();
    await row.waitFor();
    expect(await row.innerText()).not.toContain("%");
  });

  it("says what is stale where two press at once", async () => {
    const { page } = opened;
    const job = await made();
    await page.goto(`${site.url}/console#job/${job}`);
    await page.getByRole("button", { name: "Deliver it again" }).click();
    const desk = await site.console();
    // Meanwhile it came to something else.
    await site.database.kysely
      .updateTable("jobs")
      .set({ delivery: "undeliverable" })
      .where("id", "=", job)
      .execute();
    await page.getByRole("button", { name: "Yes, do it" }).click();
    await page.getByRole("alert").getByText("Somebody else changed this meanwhile").waitFor();
    expect((await desk.audit({ job, act: "redeliver", limit: 5 })).length).toBe(0);
    opened.complaints = opened.complaints.filter((text) => !text.includes("409"));
  });

  it("works on a phone, in the dark and by keyboard alone", async () => {
    const { page } = opened;
    const job = await made();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const place of ["now", `job/${job}`, "money", "people", "partners", "log", "operators"]) {
      await page.goto(`${site.url}/console#${place}`);
      await untilAt(place);
      expect(await page.evaluate(OVERFLOWS), place).toBe(false);
      await shot(page, `${place.split("/")[0] ?? ""}-phone`);
    }
    const theme = () => page.locator("html").getAttribute("data-theme");
    while ((await theme()) !== "dark") await page.locator("header .icon-button").click();
    await page.goto(`${site.url}/console#now`);
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    await shot(page, "now-phone-dark");

    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
    await section("Log").focus();
    await page.keyboard.press("Enter");
    await expect.poll(() => page.evaluate("document.activeElement.textContent")).toBe("Log");
  });

  it("speaks every language without a sentence missing", async () => {
    const { page } = opened;
    const job = await made();
    await page.goto(`${site.url}/console#job/${job}`);
    for (const locale of LOCALES) {
      await page.locator("select.language").selectOption(locale);
      await page.getByRole("heading", { level: 2, name: translator(locale)("console.timeline") }).waitFor();
      for (const place of ["money", "people", "partners", "operators", `job/${job}`]) {
        await page.evaluate(`location.hash = "${place}"`);
        await untilAt(place);
        // Keys that have no sentence are shown as they are.
        expect(await page.locator("main").innerText(), `${locale} ${place}`).not.toMatch(
          /\b(?:console|state|error|operator|report)\.[a-z]/,
        );
      }
    }
  });
});

describe.skipIf(withoutBrowser())("the console where a login protects it", () => {
  it("asks for the token, and is not everybody's", async () => {
    await using site = await startWhole(PUBLIC);
    const cookie = await visit(site, ANN);
    for (const headers of [{}, cookie])
      expect((await fetch(`${site.url}/console/web/session`, { headers })).status).toBe(401);
    const browser = await launchBrowser();
    try {
      const opened = await openPage(browser, `${site.url}/console`);
      await opened.page.getByRole("alert").getByText("Log in first.").waitFor();
      opened.complaints = opened.complaints.filter((text) => !text.includes("401"));
      await closePage(opened);
    } finally {
      await browser.close();
    }
  });
});
