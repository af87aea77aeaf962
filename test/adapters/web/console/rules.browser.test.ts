import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../../support/browser.ts";
import { forEachSeat, onPhone, shot } from "../support/seats.ts";

/** The rule of how many jobs a person may begin in a day. */
const capOn = (page: Page) => page.getByRole("article", { name: "Jobs a day for each person" });

/** Enters a value in a rule that is open, and says yes to what comes of it. */
async function change(page: Page, value: string): Promise<void> {
  const cap = capOn(page);
  await cap.getByRole("textbox", { name: "New value" }).fill(value);
  await cap.getByRole("button", { name: "Save" }).click();
  await cap.getByRole("button", { name: "Yes, do it" }).click();
}

describe.skipIf(withoutBrowser())("the console's rules in Chromium", () => {
  const seats = forEachSeat();

  it("are changed once it was said what comes of it, and put back", async () => {
    const page = await seats.sit("operator", "rules");
    const cap = capOn(page);
    await cap.getByText("nobody: it is the default").waitFor();
    await cap.getByText("Change", { exact: true }).click();
    const field = cap.getByRole("textbox", { name: "New value" });
    for (const none of ["0x10", "1e3", "-5", "999999999999999999999", "2.5"]) {
      await field.fill(none);
      expect(await cap.getByRole("alert").count()).toBe(0);
      await cap.getByRole("button", { name: "Save" }).click();
      await cap.getByRole("alert").getByText("Wanted: a whole number from 0 to 1000000.").waitFor();
      expect(await cap.getByText("From now on").count()).toBe(0);
    }
    expect(await field.getAttribute("aria-invalid")).toBe("true");
    await field.fill("5");
    await cap.getByRole("button", { name: "Save" }).click();
    expect(await cap.getByRole("alert").count()).toBe(0);
    await cap.getByText("From now on: 5. So far: 20. It counts from the next request on.").waitFor();
    await shot(page, "rules-asked-desktop");
    await cap.getByRole("button", { name: "Yes, do it" }).click();
    await cap.getByText("Done, and written into the audit.").waitFor();
    await cap.getByText("those who run Reelay, here").waitFor();
    await cap.getByText("Who changed it").click();
    await cap.getByText("20 → 5").waitFor();
    await shot(page, "rules-desktop");
    expect(await onPhone(page, "rules-phone")).toBe(false);
    await cap.getByRole("button", { name: "Put back the former value" }).click();
    await cap.getByRole("button", { name: "Yes, do it" }).click();
    await cap.getByText("5 → 20").waitFor();
    await cap.getByText("nobody: it is the default").waitFor();
    // What opens Reelay anew says so before.
    const days = page.getByRole("article", { name: "Days that jobs are kept" });
    await days.getByText("Change", { exact: true }).click();
    await days.getByRole("textbox", { name: "New value" }).fill("30");
    await days.getByRole("button", { name: "Save" }).click();
    await days.getByText("Reelay opens itself anew for it").waitFor();
    await days.getByRole("button", { name: "Cancel" }).click();
    await days.getByText("90", { exact: true }).waitFor();
  });

  it("ask what comes of it at Enter as at Save, and a second press takes nothing away", async () => {
    const page = await seats.sit("operator", "rules");
    await page.getByText("operator · operator", { exact: true }).waitFor();
    const cap = capOn(page);
    await cap.getByText("Change", { exact: true }).click();
    const field = cap.getByRole("textbox", { name: "New value" });
    await field.fill("5");
    await field.press("Enter");
    const said = cap.getByText("From now on: 5.", { exact: false });
    await said.waitFor();
    await cap.getByRole("button", { name: "Cancel" }).click();
    expect(await said.count()).toBe(0);
    await cap.getByRole("button", { name: "Save" }).dblclick();
    await said.waitFor();
    // Nor does one that is slower: nothing is asked that the next press would have to wait for.
    await page.route("**/console/web/rules/*/check", () => {});
    await cap.getByRole("button", { name: "Save" }).click();
    await cap.getByRole("button", { name: "Yes, do it" }).click();
    await cap.getByText("Done, and written into the audit.").waitFor();
    await cap.getByText("Who changed it").click();
    await cap.getByText(/ · operator$/).waitFor();
  });

  it("are changed by one of two at once, and the other is told by whom and to what", async () => {
    const [one, other] = [await seats.sit("owner", "rules"), await seats.sit("operator", "rules")];
    for (const page of [one, other]) await capOn(page).getByText("Change", { exact: true }).click();
    await change(one, "3");
    await capOn(one).getByText("Done, and written into the audit.").waitFor();
    const { promise: late, resolve: goOn } = Promise.withResolvers<void>();
    await other.route("**/console/web/rules", async (route) => {
      await late;
      await route.continue();
    });
    await change(other, "9");
    const told = capOn(other).getByRole("alert");
    await told.getByText("changed this meanwhile: it is 3 now. Nothing of yours was saved.").waitFor();
    await told.getByText(/^owner /).waitFor();
    await shot(other, "rules-stale-desktop");
    // Having seen that, they may still want theirs, before the rule itself is read anew.
    await change(other, "9");
    await capOn(other).getByText("Done, and written into the audit.").waitFor();
    goOn();
    await expect.poll(() => capOn(other).locator("dd").first().innerText()).toBe("9");
  });

  it("show no secret, and let only who may change them", async () => {
    const page = await seats.sit("operator", "rules");
    const alerts = page.getByRole("article", { name: "Where you are told that something needs you" });
    await alerts.getByText("Change", { exact: true }).click();
    await alerts.getByLabel("New value").fill("https://alerts.example/a-secret-way");
    await alerts.getByRole("button", { name: "Save" }).click();
    await alerts.getByRole("button", { name: "Yes, do it" }).click();
    await alerts.getByText("set, and never shown").waitFor();
    expect(await page.locator("body").innerText()).not.toContain("a-secret-way");
    // The environment of this site sets it.
    const payer = page.getByRole("article", { name: "Whom you pay for" });
    await payer.getByText("the environment, which wins").waitFor();
    expect(await payer.getByText("Change", { exact: true }).count()).toBe(0);

    const viewer = await seats.sit("viewer", "rules");
    await capOn(viewer).getByText("nobody: it is the default").waitFor();
    expect(await viewer.getByText("Change", { exact: true }).count()).toBe(0);
    expect(await viewer.locator("body").innerText()).not.toContain("a-secret-way");
    const moderator = await seats.sit("moderator", "rules");
    await moderator.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    expect(await moderator.getByRole("link", { name: "Rules" }).count()).toBe(0);
  });
});
