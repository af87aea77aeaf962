import { describe, expect, it } from "vitest";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { withoutBrowser } from "../../../support/browser.ts";
import { forEachSeat, onPhone, shot } from "../support/seats.ts";

describe.skipIf(withoutBrowser())("the console's partners in Chromium", () => {
  const seats = forEachSeat();

  it("are added with a token that is shown once, and can be copied", async () => {
    const page = await seats.sit("operator", "partners");
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.getByText("There is no partner yet.").waitFor();
    await page.getByRole("textbox", { name: "Name", exact: true }).fill("My Shop");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByText("shown only now and never again").waitFor();
    const token = await page.locator("code.secret").innerText();
    expect(token).toMatch(/^rly_my-shop_/);
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied.").waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(token);
    await shot(page, "partners-desktop");
    expect(await onPhone(page, "partners-phone")).toBe(false);

    await page.getByRole("textbox", { name: "Name", exact: true }).fill("My Shop");
    await page.getByRole("button", { name: "Add", exact: true }).click();
    await page.getByRole("alert").getByText("There is already a partner").waitFor();
    expect(await page.getByRole("alert").innerText()).not.toContain("reelay partner");
    await page.getByRole("link", { name: "My Shop" }).click();
    await page.getByRole("article", { name: "My Shop" }).waitFor();
    expect(await page.locator("body").innerText()).not.toContain(token);
    await page.getByRole("link", { name: "All partners" }).click();
    await page.getByRole("table", { name: "All partners" }).waitFor();
    expect(await page.locator("body").innerText()).not.toContain(token);
  });

  it("have caps, and a form that is stale says so and shows what is so", async () => {
    const { partners } = seats.site;
    await partners.add("My Shop", { caps: { day: 5 }, scopes: ["jobs:read"] });
    const page = await seats.sit("operator", "partners/my-shop");
    const all = page.getByRole("group", { name: "Everything together" });
    const day = all.getByRole("spinbutton", { name: "Jobs a day (UTC)" });
    await expect.poll(() => day.inputValue()).toBe("5");
    await partners.set("my-shop", { caps: { day: 7 } });
    await day.fill("6");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("alert").getByText("Somebody else changed this meanwhile").waitFor();
    await expect.poll(() => day.inputValue()).toBe("7");
    await day.fill("");
    await all.getByRole("spinbutton", { name: "Tokens a month (UTC)" }).fill("12.5");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("status").getByText("written into the audit").waitFor();
    const [entry] = await partners.list();
    expect(entry?.partner).toMatchObject({ caps: { monthTokens: 12.5 }, userCaps: {} });
    expect(entry?.partner.caps.day).toBeUndefined();
    await shot(page, "partner-desktop");
    expect(await onPhone(page, "partner-phone")).toBe(false);
  });

  it("are given another key by who may, once it was tried out", async () => {
    const { partners, key } = seats.site;
    await partners.add("My Shop", { scopes: ["jobs:read"] });
    const page = await seats.sit("operator", "partners/my-shop");
    const field = page.getByLabel("Another service key");
    const replace = async (given: string) => {
      await field.fill(given);
      await page.getByRole("button", { name: "Replace the key" }).click();
      await page.getByText("From now on this key pays for My Shop.", { exact: false }).waitFor();
      await page.getByRole("button", { name: "Yes, do it" }).click();
    };
    await replace("a-key-of-nobody");
    await page.getByRole("alert").waitFor();
    expect((await partners.list())[0]?.paidBy).not.toBe("own");
    await replace(key);
    await page.getByText("a key of their own").waitFor();
    expect((await partners.list())[0]?.paidBy).toBe("own");
    expect(await field.inputValue()).toBe("");
    await shot(page, "partner-key-desktop");
    const viewer = await seats.sit("viewer", "partners/my-shop");
    await viewer.getByText("a key of their own").waitFor();
    await memory(seats.site.database, "keys").set("http:my-shop", "1.gone.a.b.c");
    await viewer.reload();
    await viewer.getByText("the key of their own cannot be read any more", { exact: false }).waitFor();
    await viewer.getByText("reelay doctor", { exact: false }).waitFor();
    expect(await viewer.getByLabel("Another service key").count()).toBe(0);
  });

  it("lose a token only to who says yes, by keyboard too", async () => {
    const { partners } = seats.site;
    const { fresh } = await partners.add("My Shop", { scopes: ["jobs:read"] });
    const page = await seats.sit("owner", "partners/my-shop");
    const old = page.getByRole("group", { name: fresh.info.id, exact: true });
    await old.getByRole("button", { name: "Replace" }).click();
    await old.getByText("opens nothing from then on", { exact: false }).waitFor();
    await old.getByRole("button", { name: "Yes, do it" }).click();
    await page.getByText("shown only now and never again").waitFor();
    await old.waitFor({ state: "detached" });
    const [entry] = await partners.list();
    expect(entry?.tokens.map(({ scopes }) => scopes)).toEqual([["jobs:read"]]);

    const renewed = page.getByRole("group", { name: entry?.tokens[0]?.id ?? "none", exact: true });
    const revoke = renewed.getByRole("button", { name: "Revoke" });
    await revoke.focus();
    await page.keyboard.press("Enter");
    await renewed.getByText("This cannot be undone.", { exact: false }).waitFor();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await revoke.evaluate("document.activeElement.textContent")).toBe("Revoke");
    await page.keyboard.press("Enter");
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await renewed.waitFor({ state: "detached" });
    expect((await partners.list())[0]?.tokens).toEqual([]);
    // What had the focus is gone.
    expect(await page.evaluate("document.activeElement.tagName")).toBe("H1");
  });

  it("say of a token that somebody else revoked that it is gone, and show those that there are", async () => {
    const { partners } = seats.site;
    const { fresh } = await partners.add("My Shop", { scopes: ["jobs:read"] });
    const page = await seats.sit("owner", "partners/my-shop");
    const old = page.getByRole("group", { name: fresh.info.id, exact: true });
    await old.getByRole("button", { name: "Revoke" }).click();
    await partners.revokeToken("my-shop", fresh.info.id);
    await old.getByRole("button", { name: "Yes, do it" }).click();
    const said = page.getByRole("alert");
    await said.getByText(`The access token “${fresh.info.id}” is gone already`).waitFor();
    expect(await said.innerText()).not.toContain("reelay partner");
    await old.waitFor({ state: "detached" });
  });

  it("show how their webhooks do, and are sent a message once more", async () => {
    const { partners, database } = seats.site;
    await partners.add("My Shop", { scopes: ["webhooks"] });
    const url = "https://shop.example/a-secret-way";
    const of = { user: "http:my-shop", url, created_at: Date.now() };
    const endpoint = { id: "we_1", ...of, events: "[]", disabled_at: null, disabled_because: null };
    await database.kysely.insertInto("webhook_endpoints").values(endpoint).execute();
    const tries = JSON.stringify([{ at: Date.now(), status: 503, error: null, tookMs: 5 }]);
    const message = {
      ...of,
      id: "msg_1",
      endpoint: "we_1",
      host: "shop.example",
      type: "ping",
      job: null,
      body: "{}",
      state: "failed",
      attempts: tries,
      next_at: null,
    };
    await database.kysely.insertInto("webhook_deliveries").values(message).execute();
    const viewer = await seats.sit("viewer", "partners");
    await viewer.getByRole("cell", { name: "failed: 1 of the latest 1" }).waitFor();
    expect(await viewer.locator("body").innerText()).not.toContain("Add a partner");
    await viewer.getByRole("link", { name: "My Shop" }).click();
    await viewer.getByRole("cell", { name: "failed · 503" }).waitFor();
    expect(await viewer.getByRole("main").getByRole("button").count()).toBe(0);
    expect(await viewer.getByRole("main").getByRole("spinbutton").count()).toBe(0);

    const page = await seats.sit("operator", "partners/my-shop");
    await page.getByRole("button", { name: "Send again" }).click();
    await page.getByRole("cell", { name: "waiting" }).waitFor();
    expect(await page.locator("body").innerText()).not.toContain("a-secret-way");
    await shot(page, "partner-webhooks-desktop");
    expect(await onPhone(page, "partner-webhooks-phone")).toBe(false);
  });

  it("are nothing for moderators", async () => {
    const page = await seats.sit("moderator", "partners");
    await page.getByRole("heading", { level: 1, name: "Now" }).waitFor();
    expect(await page.getByRole("link", { name: "Partners" }).count()).toBe(0);
  });
});
