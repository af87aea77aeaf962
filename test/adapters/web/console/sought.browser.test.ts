import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../../support/browser.ts";
import { forEachSeat } from "../support/seats.ts";

const LIKELY = "rk_9f3kQz7Lp2Xv8WbN4tYc6RdH";

describe.skipIf(withoutBrowser())("what is sought in the console, in Chromium", () => {
  const seats = forEachSeat();

  it.each(["job", "people"])("is no key, and in no address unless it is an id: %s", async (place) => {
    const page = await seats.sit("operator", place);
    const box = page.getByRole("searchbox").first();
    const found =
      place === "job"
        ? page.getByText("Nothing here.")
        : page.getByRole("heading", { level: 2, name: "telegram:4711" });
    const seek = async (text: string) => {
      await box.fill(text);
      await page.getByRole("button", { name: "Search" }).click();
    };
    for (const key of [LIKELY, seats.site.key]) {
      await seek("telegram:4711");
      await expect.poll(() => page.url()).toBe(`${seats.site.url}/console#${place}/telegram%3A4711`);
      // Not before that was read: it is put into the box then, and what was said of the key before goes.
      await found.waitFor();
      await page.getByRole("alert").waitFor({ state: "detached" });
      await seek(key);
      await page.getByRole("alert").getByText("looks like an API key").waitFor();
      expect(page.url()).toBe(`${seats.site.url}/console#${place}`);
      expect(await page.locator("body").innerText()).not.toContain(key);
    }
    await seek("Ann Heron");
    if (place === "job") await page.getByText("Nothing here.").waitFor();
    else await page.getByRole("alert").getByText("Ann Heron").waitFor();
    expect(page.url()).toBe(`${seats.site.url}/console#${place}`);
    expect(await page.evaluate("history.length")).toBeLessThan(20);
  });
});
