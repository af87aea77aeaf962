import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../../support/browser.ts";
import { forEachSeat } from "../support/seats.ts";

/** The console has no conversation that could tell what became of something. */
const CONVERSATION = /conversation/;

describe.skipIf(withoutBrowser())("the console while Reelay does not answer, in Chromium", () => {
  const seats = forEachSeat();

  it.each(["money", "partners", "job/telegram:4711"])(
    "says so of what it reads, and reads it by itself once it is back: %s",
    async (place) => {
      const page = await seats.sit("operator", "keys");
      await page.route("**/console/web/**", (route) => route.abort());
      await page.evaluate(`location.hash = "${place}"`);
      const said = page
        .getByRole("alert")
        .getByText("it is read as soon as Reelay is back", { exact: false });
      await said.waitFor();
      expect(await page.locator("main").innerText()).not.toMatch(CONVERSATION);
      await page.unroute("**/console/web/**");
      await said.waitFor({ state: "detached" });
      await page
        .locator("main")
        .getByRole("heading", { level: 2 })
        .or(page.locator("main table"))
        .first()
        .waitFor();
    },
  );

  it("says of a change that it is not known, and of what is read at a press that it can be pressed again", async () => {
    const { partners } = seats.site;
    await partners.add("My Shop", { scopes: ["jobs:read"] });
    const page = await seats.sit("operator", "partners/my-shop");
    const make = page.getByRole("button", { name: "New token", exact: true });
    await make.waitFor();
    await page.route("**/console/web/**", (route) => route.abort());
    await make.click();
    await page.getByRole("alert").getByText("so it is not known whether that was done").waitFor();
    // The log itself is not read either: what became of the press is said beside that.
    await page.evaluate(`location.hash = "log"`);
    await page
      .getByRole("alert")
      .getByText("it is read as soon as Reelay is back", { exact: false })
      .waitFor();
    await page.getByRole("button", { name: "Save as CSV" }).click();
    await page.getByRole("alert").getByText("Try again when it is back.").waitFor();
    expect(await page.locator("main").innerText()).not.toMatch(CONVERSATION);
  });
});
