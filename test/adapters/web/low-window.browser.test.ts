import { describe, expect, it } from "vitest";
import { LOCALES } from "../../../src/common/i18n.ts";
import { withoutBrowser } from "../../support/browser.ts";
import { deliverResults, focused, forEachTest, tabTo } from "./support/page.ts";

/** How the bar on top looks at one moment: whether badge and tools are apart, and the choice of a language is as wide as what it says. */
const TOP = `(() => {
  const [badge, first] = [".sandbox", ".top-tools > *"].map((one) => document.querySelector(one).getBoundingClientRect());
  const choice = document.querySelector("select.language");
  const given = choice.offsetWidth;
  choice.style.flex = "none";
  const isWhole = choice.offsetWidth === given;
  choice.style.flex = "";
  return { width: innerWidth, isApart: badge.top >= first.bottom || badge.right <= first.left, isWhole };
})()`;

describe.skipIf(withoutBrowser())("the page in a small window", () => {
  const on = forEachTest();
  const composer = () => on.page.getByRole("form", { name: "New request" });

  async function heightOf(role: "main" | "form"): Promise<number> {
    return (await on.page.getByRole(role).first().boundingBox())?.height ?? 0;
  }

  // 1280 by 800 and by 1024 at 200 % and at 400 %, and two phones, one of them with its keyboard.
  it.each([
    [640, 400],
    [320, 256],
    [320, 500],
    [360, 300],
  ])("leaves the conversation half of %i by %i pixels, and asks on demand", async (width, height) => {
    await on.page.setViewportSize({ width, height });
    await deliverResults(on.site, 2);
    await expect.poll(() => on.page.locator("video").count()).toBe(2);
    await expect.poll(() => heightOf("main")).toBeGreaterThanOrEqual(height / 2);

    await composer().getByRole("button", { name: "New request" }).click();
    await expect.poll(() => on.page.evaluate<string>("document.activeElement.tagName")).toBe("TEXTAREA");
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await on.page.locator(".well.filled img").waitFor();
    await on.page.getByRole("textbox", { name: "What should happen" }).fill("slow zoom");
    expect(await on.page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    expect(await on.page.evaluate<number>("document.documentElement.scrollHeight")).toBeLessThanOrEqual(
      height,
    );
    await on.page.getByRole("button", { name: "Show the conversation" }).click();
    await composer().getByRole("button", { name: "Continue your request" }).click();
    await on.page.getByRole("button", { name: /^Generate .*token/ }).click();
    await expect.poll(() => on.page.locator("video").count()).toBe(3);
    await composer().getByRole("button", { name: "New request" }).waitFor();
    await expect.poll(() => heightOf("main")).toBeGreaterThanOrEqual(height / 2);
  });

  // A browser prefers keys to timers.
  it.each([0, 500])("leads by keyboard to the request and on, with timers %i ms late", async (late) => {
    await on.page.addInitScript(
      `const { setTimeout: now } = window; window.setTimeout = (work, ms = 0) => now(work, ms + ${late});`,
    );
    await on.page.reload();
    await on.page.setViewportSize({ width: 640, height: 400 });
    await composer().getByRole("button", { name: "New request" }).waitFor();
    await on.page.keyboard.press("Tab");
    await on.page.keyboard.press("Enter");
    expect(await focused(on.page)).toBe("New request");
    await on.page.keyboard.press("Enter");
    expect(await on.page.evaluate<string>("document.activeElement.tagName")).toBe("TEXTAREA");
    await tabTo(on.page, "Try the sample photo");
    await on.page.keyboard.press("Enter");
    await on.page.locator(".well.filled img").waitFor();
    await expect.poll(() => focused(on.page)).toMatch(/^Generate.*token/);
    await on.page.keyboard.press("Enter");
    await expect.poll(() => focused(on.page)).toBe("New request");
  });

  it("stays open while somebody writes, when a keyboard takes half of the screen", async () => {
    await on.page.setViewportSize({ width: 390, height: 700 });
    await on.page.getByRole("textbox", { name: "What should happen" }).fill("slow");
    await on.page.setViewportSize({ width: 390, height: 380 });
    await on.page.getByRole("button", { name: "Show the conversation" }).waitFor();
    await on.page.keyboard.type(" zoom");
    expect(await on.page.getByRole("textbox", { name: "What should happen" }).inputValue()).toBe("slow zoom");
  });

  it.each([
    ["a phone", 390, 48],
    ["a small phone", 320, 48],
    ["a phone at 200 %", 195, 144],
  ])(
    "keeps everything within %s, and the tools on top together, in every language",
    async (_which, width, most) => {
      on.site.core.balance = 14_987.25;
      await on.page.setViewportSize({ width, height: 844 });
      await deliverResults(on.site, 1);
      // Not the balance of before: as it comes, everything beside it moves.
      await on.page.locator(".balance", { hasText: "14,987.25" }).waitFor();
      for (const locale of LOCALES) {
        await on.page.locator("select.language").selectOption(locale);
        await expect.poll(() => on.page.locator("html").getAttribute("lang")).toBe(locale);
        const tools = await on.page.locator(".top-tools > :not(.menu)").all();
        const at = { right: 0, y: 0 };
        for (const tool of tools) {
          const { x = -1, y = 0, width: wide = 0, height = 0 } = (await tool.boundingBox()) ?? {};
          const middle = y + height / 2;
          // On one row each stands behind the one before.
          expect(x).toBeGreaterThanOrEqual(Math.abs(middle - at.y) < 4 ? at.right : 0);
          Object.assign(at, { right: x + wide, y: middle });
          expect(at.right).toBeLessThanOrEqual(width);
        }
        expect((await on.page.locator(".top-tools").boundingBox())?.height).toBeLessThanOrEqual(most);
        expect(await on.page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(
          width,
        );
      }
    },
  );

  it("keeps the sandbox's badge and the tools apart between a phone and a desk, in every language", async () => {
    on.site.core.balance = 14_987.25;
    await deliverResults(on.site, 1);
    await on.page.locator(".balance", { hasText: "14,987.25" }).waitFor();
    for (const locale of LOCALES) {
      await on.page.locator("select.language").selectOption(locale);
      await expect.poll(() => on.page.locator("html").getAttribute("lang")).toBe(locale);
      for (const width of [680, 704, 720, 760, 800, 820, 860, 896, 900, 960, 992, 1000, 1024, 1100, 1280]) {
        await on.page.setViewportSize({ width, height: 700 });
        // A new width is drawn a moment later.
        const seen = () => on.page.evaluate<unknown>(TOP);
        await expect
          .poll(seen, { message: `${locale} at ${width} pixels` })
          .toEqual({ width, isApart: true, isWhole: true });
      }
    }
  });

  // On a busy machine what a page does after painting comes late.
  it.each([0, 500])("opens when something is to be used again, with effects %i ms late", async (late) => {
    await on.page.addInitScript(
      `const { setTimeout: now } = window; window.setTimeout = (work, ms = 0) => now(work, ms + ${late});
       window.requestAnimationFrame = (work) => now(() => work(performance.now()), ${late || 16});`,
    );
    await on.page.reload();
    await on.page.setViewportSize({ width: 640, height: 400 });
    await composer().getByRole("button", { name: "New request" }).click();
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await on.page.getByRole("textbox", { name: "What should happen" }).fill("first");
    await on.page.getByRole("button", { name: /^Generate .*token/ }).click();
    await on.page.getByRole("button", { name: "Use again" }).click();
    await on.page.getByRole("button", { name: "Show the conversation" }).waitFor();
    expect(await on.page.getByRole("textbox", { name: "What should happen" }).inputValue()).toBe("first");
  });
});
