import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { deliverResults, forEachTest } from "./support/page.ts";

describe.skipIf(withoutBrowser())("what is left, on the page", () => {
  const on = forEachTest();
  const shown = () => on.page.locator(".balance").innerText();

  it("is there before anything is filled in, and is no earlier job's", async () => {
    await deliverResults(on.site, 1);
    on.site.core.balance = 990;
    await on.page.reload();
    await on.page.locator("video").waitFor();
    await expect.poll(shown).toBe("990 tokens");
  });

  it("is told anew to whoever comes back to the page, and after each result", async () => {
    await expect.poll(shown).toBe("1,000 tokens");
    on.site.core.balance = 2000;
    await on.page.evaluate("document.dispatchEvent(new Event('visibilitychange'))");
    await expect.poll(shown).toBe("2,000 tokens");
    on.site.core.balance = 1990;
    await deliverResults(on.site, 1);
    await expect.poll(shown).toBe("1,990 tokens");
  });
});
