import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { focused, forEachTest } from "./support/page.ts";

describe.skipIf(withoutBrowser())("what has a place of its own on the page", () => {
  const on = forEachTest();
  const dialog = (name: string) => on.page.getByRole("dialog", { name });
  const messages = () => on.page.getByRole("article").count();

  async function openMenu() {
    await on.page.getByRole("button", { name: "Menu" }).click();
  }

  it("is grouped in a menu that fits into a low window, and says nothing in the conversation", async () => {
    await on.page.setViewportSize({ width: 640, height: 400 });
    await openMenu();
    const entries = on.page.locator(".menu li");
    expect(await entries.count()).toBeLessThanOrEqual(6);
    const own = on.page.getByRole("region", { name: "You and Reelay" });
    expect(await own.getByRole("link").allInnerTexts()).toHaveLength(3);
    await own.getByRole("link", { name: /^Account/ }).click();
    await dialog("Account").getByText("1,000 tokens").waitFor();
    await dialog("Account")
      .getByRole("button", { name: /^Statistics/ })
      .click();
    await expect.poll(() => on.site.core.heard.map(({ name }) => name)).toEqual(["balance", "stats"]);
    expect(await messages()).toBe(0);
  });

  it("has an address, which the browser goes back from and forward to", async () => {
    await openMenu();
    await on.page.getByRole("link", { name: /^Privacy/ }).press("Enter");
    await dialog("Privacy").waitFor();
    expect(new URL(on.page.url()).hash).toBe("#privacy");
    await on.page.goBack();
    await expect.poll(() => on.page.locator("dialog").count()).toBe(0);
    expect(new URL(on.page.url()).hash).toBe("");
    await on.page.goForward();
    await dialog("Privacy").waitFor();
    await on.page.keyboard.press("Escape");
    await expect.poll(() => new URL(on.page.url()).hash).toBe("");
    await expect.poll(() => on.page.locator("dialog").count()).toBe(0);
    await expect.poll(() => focused(on.page)).toBe("Menu");
  });

  it("opens at once where its address is opened, and leaves to the conversation", async () => {
    const page = await on.page.context().newPage();
    await page.goto(`${on.site.url}/#help`);
    await page.getByRole("dialog", { name: "Help" }).getByText("How this works").first().waitFor();
    await page.getByRole("button", { name: "Close" }).click();
    await expect.poll(() => page.url()).toBe(`${on.site.url}/`);
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    await page.locator(".composer").waitFor();
    await page.close();
  });

  it("answers there what is pressed there, and says what failed beside them", async () => {
    await on.page.goto(`${on.site.url}/#privacy`);
    await on.page.reload();
    await dialog("Privacy")
      .getByRole("button", { name: /^Export/ })
      .click();
    await dialog("Privacy").getByText("Everything that is kept about you, as a file").first().waitFor();
    await expect.poll(() => on.site.core.heard.map(({ name }) => name)).toContain("export");
    await on.page.route("**/web/aside/**", (route) => route.abort());
    await dialog("Privacy")
      .getByRole("button", { name: /^Forget me/ })
      .click();
    await dialog("Privacy").getByRole("alert").getByText("Reelay is not answering").waitFor();
    expect(await messages()).toBe(0);
    on.forgive(/ERR_/);
  });
});
