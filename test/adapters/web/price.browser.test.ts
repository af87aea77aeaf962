import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { focused, forEachTest } from "./support/page.ts";

describe.skipIf(withoutBrowser())("the price on the page", () => {
  const on = forEachTest();
  const form = () => on.page.getByRole("form", { name: "New request" });
  const button = () => form().locator(".generate-button");
  const price = () => button().locator(".cost");
  const heard = () => on.site.core.heard.filter(({ name }) => name === "video").length;
  const press = () => on.page.keyboard.press("Control+Enter");
  /** No price comes until it is let go on. */
  async function holdQuotes(): Promise<() => void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    await on.page.route("**/web/quote/**", async (route) => {
      await promise;
      await route.continue();
    });
    return resolve;
  }
  async function takeSample() {
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await form().locator(".well.filled img").waitFor();
    // Keys are heard where the focus is: it goes on once the sample's own button is gone.
    await expect.poll(() => focused(on.page)).toMatch(/^Generate/);
  }

  it("is seen before anything is spent: a press that was quicker begins nothing", async () => {
    const goOn = await holdQuotes();
    await takeSample();
    await press();
    goOn();
    await form().getByText("The price was not known yet when you pressed").waitFor();
    expect(await price().textContent()).toContain("4.5 tokens");
    expect(heard()).toBe(0);
    await press();
    await on.page.locator("video").waitFor();
    expect(heard()).toBe(1);
  });

  it("is not a higher one than the button said: what was filled in stays, and the new one stands there", async () => {
    await takeSample();
    await price().waitFor();
    await on.page.getByRole("button", { name: "Options" }).click();
    const goOn = await holdQuotes();
    await form().getByLabel("Length in seconds").press("ArrowRight");
    await press();
    goOn();
    await form().getByText("instead of 4.5. Nothing was started or charged. Press again").waitFor();
    expect(await form().locator(".well.filled img").count()).toBe(1);
    expect(await price().textContent()).not.toContain("4.5");
    expect(heard()).toBe(0);
    await press();
    await on.page.locator("video").waitFor();
    expect(heard()).toBe(1);
  });

  it("is not one that nobody knows where the button said one", async () => {
    await takeSample();
    await price().waitFor();
    await on.page.getByRole("button", { name: "Options" }).click();
    const goOn = await holdQuotes();
    await form().getByLabel("Upscale when done").click();
    await press();
    goOn();
    await form().getByText("Nobody here knows any more what this costs. Nothing was started").waitFor();
    expect(await form().locator(".well.filled img").count()).toBe(1);
    expect(heard()).toBe(0);
    await press();
    await on.page.locator("video").waitFor();
    expect(heard()).toBe(1);
  });

  it("is asked for once more by a press where it did not come, and nothing begins without it", async () => {
    await on.page.route("**/web/quote/**", (route) => route.abort());
    await takeSample();
    await form().getByText("so the price is not known. Nothing is started without it.").waitFor();
    await press();
    await expect.poll(() => button().locator(".spinner").count()).toBe(0);
    expect(heard()).toBe(0);
    await on.page.unroute("**/web/quote/**");
    await press();
    await price().waitFor();
    expect(heard()).toBe(0);
    await press();
    await on.page.locator("video").waitFor();
    expect(heard()).toBe(1);
    on.forgive(/ERR_FAILED/);
  });
});
