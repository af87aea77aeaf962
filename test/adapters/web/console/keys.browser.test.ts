import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { LOCALES, translator } from "../../../../src/common/i18n.ts";
import { KeyPool } from "../../../../src/domain/pool/key-pool.ts";
import { makeLogger } from "../../../../src/infrastructure/telemetry/telemetry.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { StoredKey } from "../../../../src/infrastructure/vault/stored-key.ts";
import { poolOwner } from "../../../../src/infrastructure/vault/vault.ts";
import { withoutBrowser } from "../../../support/browser.ts";
import { forEachSeat, onPhone, OVERFLOWS, shot } from "../support/seats.ts";

const card = (page: Page, name: string) => page.getByRole("article", { name, exact: true });

/** Adds a key by the page's form. */
async function add(page: Page, name: string, key: string): Promise<void> {
  await page.getByRole("textbox", { name: "Name" }).fill(name);
  await page.getByLabel("API key").fill(key);
  await page.getByRole("button", { name: "Add", exact: true }).click();
}

async function confirm(page: Page, name: string, button: string): Promise<void> {
  await card(page, name).getByRole("button", { name: button, exact: true }).click();
  await card(page, name).getByRole("button", { name: "Yes, do it" }).click();
}

describe.skipIf(withoutBrowser())("the console's keys in Chromium", () => {
  const seats = forEachSeat(({ ultra }) => ({ REELAY_API_KEY: ultra }));

  it("are added once the service takes them, and are never shown", async () => {
    const page = await seats.sit("operator", "keys");
    const own = card(page, "REELAY_API_KEY");
    await own.getByText("takes jobs").waitFor();
    expect(await own.getByRole("button", { name: "Remove" }).count()).toBe(0);
    const { pro, ultra } = seats.site.sandbox.keys;
    await add(page, "second", "a-key-that-nobody-knows");
    await page.getByRole("alert").getByText("key", { exact: false }).waitFor();
    expect(await card(page, "second").count()).toBe(0);
    await add(page, "second", `"${pro}"`);
    await page.getByRole("alert").getByText("the key without the quotes around it").waitFor();
    await add(page, "second", ultra);
    await page.getByRole("alert").getByText("it is called “REELAY_API_KEY”").waitFor();
    await page.getByRole("spinbutton", { name: "Weight" }).fill("2");
    await page.getByRole("combobox", { name: "Subscription" }).selectOption("pro");
    await add(page, "second", pro);
    await page.getByText("Added: the service takes it.").waitFor();
    const second = card(page, "second");
    await second.getByText("takes jobs").waitFor();
    await second.getByText("· operator", { exact: false }).waitFor();
    expect(await page.getByLabel("API key").inputValue()).toBe("");
    await second.getByText("Limits:").click();
    expect(await second.getByRole("meter").count()).toBeGreaterThan(5);
    await shot(page, "keys-desktop");
    expect(await onPhone(page, "keys-phone")).toBe(false);
    const shown = `${await page.content()} ${JSON.stringify(await page.evaluate("fetch('/console/web/keys').then((a) => a.text())"))}`;
    for (const key of [pro, ultra]) expect(shown).not.toContain(key);
  });

  it("are paused, let in, changed, removed and taken back, each said before and in the audit", async () => {
    const page = await seats.sit("owner", "keys");
    await add(page, "second", seats.site.sandbox.keys.pro);
    const second = card(page, "second");
    await second.getByRole("button", { name: "Pause" }).click();
    await second.getByText("Where no other key is left, jobs wait.", { exact: false }).waitFor();
    await second.getByRole("button", { name: "Yes, do it" }).click();
    await second.getByText("paused", { exact: true }).waitFor();
    await second.getByText("Done, and written into the audit.").waitFor();
    await second.getByRole("button", { name: "Let it take jobs" }).click();
    await second.getByText("takes jobs").waitFor();
    await second.getByText("Change", { exact: true }).click();
    await second.getByRole("spinbutton", { name: "Weight" }).fill("7");
    await second.getByRole("button", { name: "Save" }).click();
    await second.locator("dd").getByText("7", { exact: true }).waitFor();
    await second.getByText("Change", { exact: true }).click();
    await second.getByRole("button", { name: "Remove" }).click();
    await second.getByText("to add it again you need the key itself", { exact: false }).waitFor();
    await shot(page, "keys-remove-desktop");
    await second.getByRole("button", { name: "Yes, do it" }).click();
    await second.getByText("removed: erased once its jobs are done").waitFor();
    await second.getByRole("button", { name: "Take it back" }).click();
    await second.getByText("takes jobs").waitFor();
    await page.goto(`${seats.site.url}/console#log`);
    const lines = page.locator("main");
    await lines.getByText("second added", { exact: false }).first().waitFor();
    for (const text of ["second added", "second paused", "second weight 7", "second removed", "second in"])
      expect(await lines.innerText()).toContain(text);
  });

  it("are changed by one of two at once, and the other is told how it is now", async () => {
    const [one, other] = [await seats.sit("owner", "keys"), await seats.sit("operator", "keys")];
    const own = "REELAY_API_KEY";
    await card(other, own).getByText("Change", { exact: true }).click();
    await card(other, own).getByRole("spinbutton", { name: "Weight" }).fill("9");
    await confirm(one, own, "Pause");
    await card(one, own).getByText("paused", { exact: true }).waitFor();
    await card(other, own).getByRole("button", { name: "Save" }).click();
    const told = card(other, own).getByRole("alert");
    await told.getByText("This key is not as you saw it any more", { exact: false }).waitFor();
    expect(await told.innerText()).toMatch(/by hand was owner\. It is now: paused · weight 1/);
    await shot(other, "keys-stale-desktop");
    // Having seen that, they may still want theirs.
    await card(other, own).getByRole("button", { name: "Save" }).click();
    await card(other, own).locator("dd").getByText("9", { exact: true }).waitFor();
  });

  it("say which cannot be read any more, and what to do, until it is added again", async () => {
    const { database, sandbox } = seats.site;
    const { pro } = sandbox.keys;
    const page = await seats.sit("owner", "keys");
    await add(page, "second", pro);
    await card(page, "second").getByText("takes jobs").waitFor();
    await memory(database, "keys").set(poolOwner(new StoredKey(pro).fingerprint), "1.gone.a.b.c");
    await page.reload();
    await card(page, "second").getByText("cannot be read any more", { exact: true }).waitFor();
    await card(page, "second").getByText("reelay doctor", { exact: false }).waitFor();
    for (const name of ["Pause", "Let it take jobs"])
      expect(await card(page, "second").getByRole("button", { name }).count()).toBe(0);
    await shot(page, "keys-unreadable-desktop");
    await add(page, "second", pro);
    await card(page, "second").getByText("takes jobs").waitFor();
  });

  it("say which the service refuses and which has too few tokens, and since when", async () => {
    const { database, key, sandbox, vault } = seats.site;
    const poor = sandbox.addAccount("poor", "pro", 1.5);
    const page = await seats.sit("owner", "keys");
    await add(page, "second", poor);
    await card(page, "second").getByText("takes jobs").waitFor();
    const log = makeLogger({ level: "silent" });
    const own = new StoredKey(key);
    const pool = new KeyPool({ database, vault, own, service: sandbox.url, log });
    await sandbox.fault({ kind: "401", match: { account: "ultra" }, times: 1_000_000 });
    await pool.leave(own.fingerprint, "refused");
    await pool.leave(new StoredKey(poor).fingerprint, "empty", 1.5);
    // The page looks again by itself.
    await card(page, "REELAY_API_KEY").getByText("the service refuses it").waitFor();
    await card(page, "second").getByText("too few tokens: 1.5 left").waitFor();
    await shot(page, "keys-left-desktop");
    expect(await onPhone(page, "keys-left-phone")).toBe(false);
    await card(page, "second").getByRole("button", { name: "Let it take jobs" }).click();
    await card(page, "second").getByText("takes jobs").waitFor();
    await page.setViewportSize({ width: 360, height: 740 });
    for (const locale of LOCALES) {
      await page.locator("select.language").selectOption(locale);
      await page.getByRole("heading", { name: translator(locale)("console.keys.add") }).waitFor();
      await card(page, "second").locator("summary").last().click();
      // Keys that have no sentence are shown as they are.
      expect(await page.locator("main").innerText(), locale).not.toMatch(/\b(?:console|keys|field)\.[a-z]/);
      expect(await page.evaluate<boolean>(OVERFLOWS), locale).toBe(false);
      await card(page, "second").locator("summary").last().click();
    }
  });

  it("are shown however long that takes: nothing else is looked for meanwhile", async () => {
    const page = await seats.sit("viewer", "log");
    await page.clock.install();
    const { promise: late, resolve: answer } = Promise.withResolvers<void>();
    let asked = 0;
    await page.route("**/console/web/keys", async (route) => {
      asked += 1;
      // No other is answered.
      if (asked > 1) return;
      await late;
      await route.continue();
    });
    await page.evaluate(`location.hash = "keys"`);
    await expect.poll(() => asked).toBe(1);
    await page.clock.runFor(12_000);
    answer();
    await card(page, "REELAY_API_KEY").getByText("takes jobs").waitFor();
  });

  it("are for viewers to look at, and nothing for moderators", async () => {
    const viewer = await seats.sit("viewer", "keys");
    await card(viewer, "REELAY_API_KEY").getByText("takes jobs").waitFor();
    expect(await viewer.locator("main").getByRole("button").count()).toBe(0);
    expect(await viewer.getByText("Add a key").count()).toBe(0);
    const moderator = await seats.sit("moderator", "keys");
    await moderator.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    expect(await moderator.getByRole("link", { name: "Keys" }).count()).toBe(0);
  });
});
