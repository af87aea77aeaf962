import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { LOCALES } from "../../../src/common/i18n.ts";
import { withoutBrowser } from "../../support/browser.ts";
import { choose, focused, forEachTest, tabTo } from "./support/page.ts";

/** How many lines each word of what is shown takes up, at most. */
const LINES = `(element) => {
  const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  let most = 0;
  while (texts.nextNode())
    for (const { index, 0: word } of texts.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(texts.currentNode, index);
      range.setEnd(texts.currentNode, index + word.length);
      most = Math.max(most, range.getClientRects().length);
    }
  return most;
}`;

describe.skipIf(withoutBrowser())("what the page asks and covers", () => {
  const on = forEachTest();
  const terms = () => on.page.getByText("Do you accept this?", { exact: false });
  const consent = () => on.page.getByText("Do you confirm that this is so", { exact: false });
  const heard = () => on.site.core.heard.at(-1);

  /** As somebody who is here for the first time. */
  async function comeAnew() {
    on.site.core.stated.clear();
    await on.page.reload();
    await on.page.getByRole("button", { name: "Try the sample photo" }).waitFor();
  }

  async function fill() {
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await on.page.locator(".well.filled img").waitFor();
    await on.page.getByRole("textbox", { name: "What should happen" }).fill("slow zoom");
  }

  it.each([375, 320])(
    "breaks no word of the press that begins, %i pixels wide, in any language",
    async (width) => {
      await comeAnew();
      await fill();
      await terms().waitFor();
      await on.page.setViewportSize({ width, height: 720 });
      for (const locale of LOCALES) {
        await on.page.locator("select.language").selectOption(locale);
        await expect.poll(() => on.page.locator("html").getAttribute("lang")).toBe(locale);
        await on.page.locator(".generate-button .cost").waitFor();
        const lines = on.page.evaluate<number>(`(${LINES})(document.querySelector(".generate-button"))`);
        expect(await lines, locale).toBe(1);
      }
    },
  );

  it("is stated by the one press that also begins, and not asked again", async () => {
    await comeAnew();
    expect(await terms().count()).toBe(0);
    await fill();
    await terms().waitFor();
    await consent().waitFor();
    await on.page.getByRole("button", { name: /^Yes, generate about 4.5 tokens/ }).click();
    await on.page.locator("video").waitFor();
    expect(heard()?.origin.agreed).toEqual(["terms", "consent"]);

    await fill();
    await on.page.getByRole("button", { name: /^Generate .*token/ }).click();
    await expect.poll(() => on.page.locator("video").count()).toBe(2);
    expect(heard()?.origin.agreed).toEqual([]);
    expect(await terms().count()).toBe(0);
  });

  it("asks about photos only where there are some", async () => {
    await comeAnew();
    await choose(on.page, "Picture from words");
    await on.page.getByRole("textbox").first().fill("a lighthouse");
    await terms().waitFor();
    expect(await consent().count()).toBe(0);
  });

  const notice = { kind: "notice", text: { key: "statement.recorded" } } as const;

  it("asks again after what was stated is taken back", async () => {
    await fill();
    await on.page.getByRole("button", { name: /^Generate/ }).waitFor();
    on.site.core.stated.delete("terms");
    await on.site.surface.deliver({}, notice);
    await on.page.getByRole("button", { name: /^Yes, generate/ }).waitFor();
    expect(await consent().count()).toBe(0);
  });

  it("asks for it also where an answer of before comes last", async () => {
    await fill();
    await on.page.getByRole("button", { name: /^Generate/ }).waitFor();
    const { promise: late, resolve: answer } = Promise.withResolvers<void>();
    let isBefore = true;
    let held = 0;
    let came = 0;
    await on.page.route("**/web/session", async (route) => {
      const response = await route.fetch();
      const isHeld = isBefore;
      held += Number(isHeld);
      if (isHeld) await late;
      await route.fulfill({ response });
      came += Number(isHeld);
    });
    await on.site.surface.deliver({}, notice);
    await expect.poll(() => held).toBeGreaterThan(0);
    isBefore = false;
    on.site.core.stated.delete("terms");
    await on.site.surface.deliver({}, notice);
    const press = on.page.getByRole("button", { name: /^Yes, generate/ });
    await press.waitFor();
    answer();
    await expect.poll(() => came).toBe(held);
    // What they are answered with is read after that.
    await on.page.evaluate("fetch('./web/session').then(() => new Promise((then) => setTimeout(then)))");
    expect(await press.count()).toBe(1);
  });

  it("covers a result until somebody shows it, by keyboard too, and covers it again the next time", async () => {
    on.site.core.spoiler = true;
    await fill();
    await on.page.getByRole("button", { name: /^Generate .*token/ }).click();
    const cover = on.page.getByRole("button", { name: "Hidden: show it" });
    await cover.waitFor();
    expect(await on.page.locator("video").count()).toBe(0);
    await tabTo(on.page, "Hidden: show it");
    await on.page.keyboard.press("Enter");
    await on.page.locator("video").waitFor();
    await expect.poll(() => focused(on.page)).toMatch(/^The finished video: Photo to video, “slow zoom”, /);
    expect(await cover.count()).toBe(0);
    await on.page.reload();
    await cover.waitFor();
    expect(await on.page.locator("video").count()).toBe(0);
  });

  it("saves a file under its name", async () => {
    const file = { name: "reelay-export.json", type: "application/json", content: '{"a":1}' };
    await on.site.surface.deliver({}, { kind: "file", text: { key: "privacy.text" }, file });
    await on.page.getByText("reelay-export.json", { exact: false }).waitFor();
    const [download] = await Promise.all([
      on.page.waitForEvent("download"),
      on.page.getByText("Download").click(),
    ]);
    expect(download.suggestedFilename()).toBe(file.name);
    expect(await readFile(await download.path(), "utf8")).toBe(file.content);
  });
});
