import { describe, expect, it } from "vitest";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { withoutBrowser } from "../../../support/browser.ts";
import { forEachSeat, onPhone, shot } from "../support/seats.ts";

describe.skipIf(withoutBrowser())("what needs those who run Reelay, on the console in Chromium", () => {
  const seats = forEachSeat({ REELAY_ALERTS_TO: "telegram:-10012" });

  it("is said with what to do, and goes when it is over", async () => {
    const page = await seats.sit("viewer", "now");
    await page.getByText("Nothing needs you.").waitFor();
    const alerts = memory(seats.site.database, "alerts");
    const full = { kind: "disk_full", of: null, params: { bytes: 5e8 }, since: Date.UTC(2026, 0, 2, 3, 4) };
    await alerts.set("disk_full", { ...full, seenAt: full.since, isOn: true, notices: [] });
    await page.getByText("The data folder’s disk is nearly full", { exact: false }).waitFor();
    await page.getByText("Since Jan 2, 2026").waitFor();
    await shot(page, "alerts-desktop");
    expect(await onPhone(page, "alerts-phone")).toBe(false);
    await alerts.delete("disk_full");
    await page.getByText("Nothing needs you.").waitFor();
  });
});

describe.skipIf(withoutBrowser())("what nobody looks for", () => {
  const seats = forEachSeat();

  it("is said so, with the way to the rule for who may change it", async () => {
    const viewer = await seats.sit("viewer", "now");
    await viewer.getByText("Nobody looks for that", { exact: false }).waitFor();
    expect(await viewer.getByRole("link", { name: "Say where you are to be told" }).count()).toBe(0);
    const page = await seats.sit("operator", "now");
    await page.getByRole("link", { name: "Say where you are to be told" }).click();
    await page.getByRole("heading", { level: 1, name: "Rules" }).waitFor();
  });
});
