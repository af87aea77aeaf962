import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { partnerUser } from "../../../../src/seam/access/partners.ts";
import { withoutBrowser } from "../../../support/browser.ts";
import { forEachSeat, shot } from "../support/seats.ts";

const ANN = "telegram:111";

describe.skipIf(withoutBrowser())("the console's words", () => {
  const seats = forEachSeat();

  const go = (page: Page, place: string) => page.goto(`${seats.site.url}/console#${place}`);

  it("say what stands in a tile, and of which rate, as people call it", async () => {
    const page = await seats.sit("viewer", "now");
    const tiles = page.locator(".health li");
    await tiles.first().waitFor();
    for (const text of await tiles.locator("b, span").allTextContents()) expect(text).toMatch(/^\p{Lu}/u);
    const rates = page.locator(".gauges .gauge-name");
    await expect.poll(() => rates.count()).toBeGreaterThan(0);
    const names = (await rates.allTextContents()).join("\n");
    expect(names).toContain("Video with sound, longer videos · ");
    expect(names).not.toMatch(/videoAudio|vid3|\buser\b/);
    await shot(page, "now-words");
  });

  it("call partners and those who run Reelay by their names, to whoever may look at those", async () => {
    const { site } = seats;
    const { partner } = await site.partners.add("Corner Shop", { key: site.key, scopes: ["jobs:read"] });
    const user = partnerUser(partner.id);
    const page = await seats.sit("operator", "people");
    await page.getByRole("textbox", { name: /^Who / }).fill(`${user}/mia`);
    await page.getByRole("button", { name: "Block", exact: true }).click();
    await page.getByRole("table", { name: "Blocked" }).getByText("Corner Shop · mia").waitFor();
    await shot(page, "blocks-words");
    await go(page, "log");
    const row = page.getByRole("row").filter({ hasText: "Blocked" });
    await row.getByText("operator", { exact: true }).waitFor();
    await row.getByText("Corner Shop · mia").waitFor();
    await page.getByRole("row").filter({ hasText: "Partner added" }).getByText("Corner Shop").waitFor();
    await shot(page, "log-words");
    expect(await page.getByRole("table", { name: "Entries" }).innerText()).not.toContain(user);
    const moderator = await seats.sit("moderator", "people");
    await moderator.getByRole("table", { name: "Blocked" }).getByText(`${user}/mia`).waitFor();
  });

  it("put nothing that is sought into an address that is sent", async () => {
    const page = await seats.sit("operator", "log");
    const addresses: string[] = [];
    page.on("request", (request) => void addresses.push(decodeURIComponent(request.url())));
    const entries = page.getByRole("search", { name: "Entries" });
    await entries.getByRole("searchbox", { name: "Who" }).fill(ANN);
    await entries.getByRole("button").click();
    const lines = page.getByRole("search", { name: "Lines of this process" });
    await lines.getByRole("searchbox").fill(ANN);
    await lines.getByRole("button").click();
    const saved = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    expect((await saved).suggestedFilename()).toBe("reelay-log.csv");
    for (const place of ["job", "people"]) {
      await go(page, `${place}/${encodeURIComponent(ANN)}`);
      await page.getByRole("searchbox").first().waitFor();
      await page.reload();
      await expect.poll(() => page.getByRole("searchbox").first().inputValue()).toBe(ANN);
    }
    await page.getByRole("heading", { level: 2, name: ANN }).waitFor();
    expect(addresses.filter((address) => address.split("#")[0]?.includes(ANN))).toEqual([]);
    expect(
      addresses.filter((address) => /\/(?:jobs|log|lines|log\.csv|people\/one)$/.test(address)),
    ).not.toEqual([]);
  });
});
