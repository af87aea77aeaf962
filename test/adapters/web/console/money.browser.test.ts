import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { hold } from "../../../../src/domain/budgets/spending.ts";
import { Ledger, type NewJob } from "../../../../src/domain/jobs/ledger.ts";
import { budgetsOfKey } from "../../../../src/domain/policy/budgets.ts";
import { withoutBrowser } from "../../../support/browser.ts";
import { type End, endedJob } from "../../../support/job.ts";
import { forEachSeat, onPhone, shot } from "../support/seats.ts";
import type { WholeSite } from "../support/whole.ts";

const DAY_MS = 24 * 3_600_000;

const SETTINGS = { REELAY_KEY_MONTHLY_BUDGET: "200", REELAY_DAILY_BUDGET: "20" };

/** Jobs of two weeks, of several people and a partner. @returns the one that failed and cost something */
async function spent({ database, partners }: WholeSite): Promise<string> {
  await partners.add("My Shop", { caps: { monthTokens: 40 }, scopes: ["jobs:read"] });
  let jobs = 0;
  // Each of a process of its own: one that is not listed, and seen at work for as long as a lease, has its jobs taken over.
  const ended = (request: Partial<NewJob>, end: End) =>
    endedJob(new Ledger(database, `test ${(jobs += 1)}`), { ...request, fingerprint: String(jobs) }, end);
  const at = Date.now();
  for (let daysAgo = 13; daysAgo >= 0; daysAgo--) {
    const end = { at: at - daysAgo * DAY_MS, seconds: 30, toldAt: at };
    const ann = { user: "telegram:4711", surface: "telegram", paidBy: "operator" } as const;
    await ended(ann, { ...end, cost: 2.7 + (daysAgo % 4) });
    const shop = { user: "http:my-shop", surface: "http", paidBy: "own", operation: "image" } as const;
    if (daysAgo % 3 === 0) await ended(shop, { ...end, cost: 1.1 });
  }
  const budgets = budgetsOfKey({ month: 200 });
  await hold(database, { budgets, price: 170, dearest: 1, warnAt: undefined, now: at });
  return ended({ paidBy: "operator" }, { at, cost: 3.25, toldAt: at });
}

/** How many colours there are in what is drawn. */
const COLOURS = `(() => {
  const canvas = document.querySelector(".plot canvas");
  const { data } = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height);
  return new Set(new Uint32Array(data.buffer)).size;
})()`;

/** What is drawn. */
const DRAWN = `document.querySelector(".plot canvas").toDataURL()`;

describe.skipIf(withoutBrowser())("the console's page of money in Chromium", () => {
  const seats = forEachSeat(({ ultra }) => ({ ...SETTINGS, REELAY_API_KEY: ultra }));

  it("shows tokens by day as bars, the same as a table and a file, and what failed and cost", async () => {
    const failed = await spent(seats.site);
    const page = await seats.sit("viewer", "money/thirty_days");
    const plot = page.getByRole("img", { name: "Bars: tokens by day" });
    await plot.locator("canvas").waitFor();
    await expect.poll(() => page.evaluate<number>(COLOURS)).toBeGreaterThan(3);
    // 14 of Ann's, five of the partner's, one that failed.
    const total = page.locator("section").filter({ has: page.getByRole("heading", { name: "Altogether" }) });
    await total.getByText("65.55 tokens").waitFor();
    await total.getByText("3.25 tokens").waitFor();
    const days = page.getByRole("table", { name: "Tokens by day" });
    expect(await days.isVisible()).toBe(false);
    await page.getByText("As a table").click();
    await days.waitFor();
    expect(await days.getByRole("row").count()).toBe(31);
    await days.getByRole("row").nth(1).getByText("7.05").waitFor();
    await page.getByText("As a table").click();

    const partner = page.getByRole("table", { name: "By partner" });
    await partner.getByRole("row", { name: "My Shop" }).getByText("5.5").waitFor();
    await page.getByRole("table", { name: "By who paid" }).getByText("the operator’s key").waitFor();
    await page.getByRole("table", { name: "What failed and cost" }).getByText("3.25 tokens").waitFor();
    await page.getByText("whole days: 7.", { exact: false }).waitFor();
    await shot(page, "money-desktop");

    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("link", { name: "Save as CSV" }).click(),
    ]);
    const rows = (await readFile(await download.path(), "utf8")).trim().split("\r\n");
    expect(rows[0]).toMatch(/^day,operation,platform,partner,payer,jobs,/);
    expect(rows).toHaveLength(1 + 14 + 5 + 1);

    await page.getByRole("link", { name: failed }).click();
    await page.getByRole("article", { name: failed }).waitFor();
  });

  it("shows what is spent of budgets, and leads to whose they are, where theirs stand, too", async () => {
    await spent(seats.site);
    const page = await seats.sit("operator", "money");
    const key = page.getByRole("meter", { name: "Everything that the operator’s key pays" });
    await key.waitFor();
    expect(await key.evaluate("document.querySelector('.budgets meter').value")).toBe(170);
    const budgets = page.getByRole("listitem").filter({ has: page.getByRole("meter") });
    expect(await budgets.first().innerText()).toMatch(/170 of 200 tokens · nearly spent/);
    await budgets.getByRole("link", { name: "telegram:4711" }).click();
    await page.getByRole("heading", { name: "telegram:4711" }).waitFor();
    await page.goBack();
    await budgets.getByRole("link", { name: "My Shop" }).click();
    await page.getByRole("meter", { name: "Partner · this month (UTC)" }).waitFor();
    await page.getByText("0 of 40 tokens").waitFor();
    await shot(page, "partner-budget-desktop");
  });

  it("works on a phone, in the dark and when the window changes", async () => {
    await spent(seats.site);
    const page = await seats.sit("owner", "money/thirty_days");
    await page.locator(".plot canvas").waitFor();
    await expect.poll(() => page.evaluate<number>(COLOURS)).toBeGreaterThan(3);
    expect(await onPhone(page, "money-phone")).toBe(false);
    await page.getByText("As a table").click();
    await page.getByRole("table", { name: "Tokens by day" }).waitFor();
    expect(await onPhone(page, "money-table-phone")).toBe(false);
    await page.getByText("As a table").click();
    const light = await page.evaluate<string>(DRAWN);
    const theme = () => page.locator("html").getAttribute("data-theme");
    while ((await theme()) !== "dark") await page.locator("header .icon-button").click();
    await expect.poll(() => page.evaluate<string>(DRAWN)).not.toBe(light);
    await shot(page, "money-dark");
    expect(await onPhone(page, "money-phone-dark")).toBe(false);
  });

  it("says that there is nothing, and shows other days at a press", async () => {
    const page = await seats.sit("viewer", "money");
    await page.getByText("Too little is known yet", { exact: false }).waitFor();
    await page.getByText("Nothing that failed cost anything.").waitFor();
    await page.getByRole("link", { name: "Last month" }).click();
    await expect
      .poll(() => page.getByRole("link", { name: "Last month" }).getAttribute("aria-current"))
      .toBe("true");
    await page.getByText("As a table").click();
    const rows = page.getByRole("table", { name: "Tokens by day" }).getByRole("row");
    const now = new Date();
    const last = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 0)).getUTCDate();
    await expect.poll(() => rows.count()).toBe(last + 1);
  });

  it("is nothing for moderators", async () => {
    await spent(seats.site);
    const page = await seats.sit("moderator", "money");
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    expect(await page.getByRole("link", { name: "Money" }).count()).toBe(0);
    await page.goto(`${seats.site.url}/console#people/telegram%3A4711`);
    await page.getByRole("heading", { name: "telegram:4711" }).waitFor();
    expect(await page.locator("main").innerText()).not.toContain("tokens");
  });
});
