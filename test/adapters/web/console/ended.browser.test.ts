import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import type { OperatorRole } from "../../../../src/seam/access/operators.ts";
import { withoutBrowser } from "../../../support/browser.ts";
import { forEachSeat } from "../support/seats.ts";

const PLACES = ["job", "money", "people", "partners", "rules", "keys", "log", "operators"] as const;

/** Waits for the login. @returns how much is left of what was there before */
async function left(page: Page): Promise<number> {
  await page.getByRole("alert").getByText("You are logged out.").waitFor();
  await page.getByLabel("Login token").waitFor();
  return page.locator(".who, nav, table, article, textarea").count();
}

describe.skipIf(withoutBrowser())("a session that has ended, in Chromium", () => {
  const seats = forEachSeat();

  /** Takes somebody with a role away, on whatever device they are. */
  async function remove(role: OperatorRole): Promise<void> {
    const { operators } = seats.site;
    await operators.remove((await operators.named(role)).id, "web:me");
  }

  it("leaves nothing of what follows by itself, and asks for the login", async () => {
    const page = await seats.sit("viewer", "now");
    await page.getByRole("meter").first().waitFor();
    await remove("viewer");
    expect(await left(page)).toBe(0);
  });

  it.each(PLACES)("asks for the login where something is asked for: %s", async (place) => {
    const page = await seats.sit("operator", place === "partners" ? "rules" : "partners");
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    await remove("operator");
    await page.evaluate(`location.hash = "${place}${place === "job" ? "/0mc0000000000000000" : ""}"`);
    if (place === "operators") await page.getByRole("button", { name: "Make a link" }).click();
    expect(await left(page)).toBe(0);
    await page.reload();
    await page.getByRole("alert").getByText("Log in first.").waitFor();
  });

  it("is over in every tab once it is in one, as soon as that is looked at", async () => {
    const page = await seats.sit("owner", "partners");
    await page.getByRole("heading", { level: 2, name: "Add a partner" }).waitFor();
    await page.evaluate(`fetch("/web/logout", { method: "POST" })`);
    await page.evaluate(`document.dispatchEvent(new Event("visibilitychange"))`);
    expect(await left(page)).toBe(0);
  });

  it("saves no file of sums, and asks for the login", async () => {
    const page = await seats.sit("operator", "money");
    await page.getByRole("heading", { level: 2 }).first().waitFor();
    await remove("operator");
    await page.getByRole("link", { name: "Save as CSV" }).click();
    expect(await left(page)).toBe(0);
  });

  it("leaves nothing of the conversation either", async () => {
    const page = await seats.sit("owner", "now");
    await page.goto(`${seats.site.url}/`);
    await page.getByRole("textbox", { name: "What should happen" }).waitFor();
    await remove("owner");
    expect(await left(page)).toBe(0);
  });

  it("says so where what is entered then lets nobody in", async () => {
    const page = await seats.sit("viewer", "partners");
    // What is still read then would be told of after what is entered.
    await page.getByText("There is no partner yet.").waitFor();
    await remove("viewer");
    await page.evaluate(`location.hash = "rules"`);
    expect(await left(page)).toBe(0);
    await page.getByLabel("Login token").fill("zzz");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByRole("alert").getByText("This token is wrong.").waitFor();
  });
});
