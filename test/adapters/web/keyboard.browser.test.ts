import { describe, expect, it } from "vitest";
import { action } from "../../../src/seam/text/actions.ts";
import { withoutBrowser } from "../../support/browser.ts";
import { deliverResults, focused, forEachTest } from "./support/page.ts";

describe.skipIf(withoutBrowser())("the page by keyboard and by ear", () => {
  const on = forEachTest();

  it("leads past forty messages to the prompt, and to the newest of them", async () => {
    const actions = ["again", "change", "details"].map((name) => action(name, "one", "action.again"));
    const notice = { kind: "notice", text: { key: "help.text" }, actions } as const;
    for (let number = 1; number < 40; number++) await on.site.surface.deliver({}, notice);
    await deliverResults(on.site, 1);
    const comeAnew = async () => {
      await on.page.reload();
      await expect.poll(() => on.page.locator(".message").count()).toBe(40);
      await on.page.locator("video").waitFor();
    };
    await comeAnew();
    await on.page.keyboard.press("Tab");
    expect(await focused(on.page)).toBe("Skip to your new request");
    await on.page.keyboard.press("Enter");
    expect(await on.page.evaluate<string>("document.activeElement.tagName")).toBe("TEXTAREA");

    await comeAnew();
    await on.page.keyboard.press("Tab");
    await on.page.keyboard.press("Tab");
    await on.page.keyboard.press("Enter");
    expect(await focused(on.page)).toMatch(/^Reelay, /);
    await on.page.keyboard.press("Tab");
    expect(await focused(on.page)).toMatch(/“number 1”/);
  });

  it("calls each result by what it is, and shows when it came", async () => {
    await deliverResults(on.site, 3);
    await expect.poll(() => on.page.locator("video").count()).toBe(3);
    const names = await on.page
      .locator("video")
      .evaluateAll((all: { ariaLabel: string }[]) => all.map(({ ariaLabel }) => ariaLabel));
    expect(new Set(names).size).toBe(3);
    expect(names[0]).toMatch(/^The finished video: Photo to video, “number 1”, Jan 1, 2020, 12:00/);
    const times = on.page.getByRole("main").locator("time");
    expect(await times.count()).toBe(3);
    for (const time of await times.all()) expect(await time.innerText()).toMatch(/^\d?\d:\d\d\s[AP]M$/);
  });
});
