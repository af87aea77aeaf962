import { beforeEach, describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { drawn, KEY_SHAPES, PLAIN_SHAPES } from "../../support/keys.ts";
import { choose, forEachTest } from "./support/page.ts";

const keyOf = (shape: string) => ({ ...KEY_SHAPES, ...PLAIN_SHAPES })[shape]?.(drawn("a tab")) ?? "";

describe.skipIf(withoutBrowser())("what a tab keeps of what is written", () => {
  const on = forEachTest();
  const words = () => on.page.getByRole("textbox", { name: "What should happen" });
  const kept = () => on.page.evaluate<string>("JSON.stringify([{ ...sessionStorage }, { ...localStorage }])");
  beforeEach(async () => {
    // Each of them as it is put there, whatever stands there later.
    await on.page.evaluate(`{
      globalThis.everKept = [];
      const { setItem } = Storage.prototype;
      Storage.prototype.setItem = function (name, value) {
        everKept.push(value);
        setItem.call(this, name, value);
      };
    }`);
  });
  const everKept = () => on.page.evaluate<string>("everKept.join()");

  it("comes back after a reload", async () => {
    await words().fill("a heron at dawn");
    await expect.poll(kept).toContain("a heron at dawn");
    await on.page.reload();
    await expect.poll(() => words().inputValue()).toBe("a heron at dawn");
  });

  it.each([
    ["what looks like one", `animate it, ${keyOf("with a prefix")}`, keyOf("with a prefix")],
    ["what is said to be one", `my key is ${keyOf("short")}`, keyOf("short")],
  ])("are no words in which a key stands: %s", async (_case, said, key) => {
    await words().fill("a heron at dawn");
    await expect.poll(kept).toContain("a heron at dawn");
    await words().fill(said);
    await expect.poll(kept).not.toContain("a heron at dawn");
    // Nor where they wait for a form that takes them.
    await choose(on.page, "Face swap");
    await expect.poll(kept).toContain("faceswap");
    await choose(on.page, "Photo to video");
    await expect.poll(kept).not.toContain("faceswap");
    expect(await words().inputValue()).toBe(said);
    expect(await everKept()).not.toContain(key);
    await on.page.reload();
    await expect.poll(() => words().inputValue()).toBe("");
  });

  it("are none in which the server knows a key", async () => {
    const known = keyOf("of words");
    await on.page.route("**/web/quote/image", (route) =>
      route.request().postData()?.includes(known)
        ? route.fulfill({
            status: 400,
            json: { code: "key_in_words", field: "prompt", params: { field: "prompt" } },
          })
        : route.continue(),
    );
    const picture = () => on.page.locator("[data-field=prompt] textarea");
    await choose(on.page, "Picture from words");
    const refused = on.page.waitForResponse((answer) => answer.status() === 400);
    await picture().fill(known);
    // Before that nothing may have been kept yet.
    await refused;
    await expect.poll(kept).not.toContain(known);
    expect(await picture().inputValue()).toBe(known);
    await picture().fill("a heron at dawn");
    await expect.poll(kept).toContain("a heron at dawn");
    on.forgive(/Failed to load/);
  });

  it("is all that was filled in where it was refused, with what helps, said once", async () => {
    on.site.core.refusesJobs = "not_connected";
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await words().fill("a heron at dawn");
    const generate = on.page.getByRole("button", { name: /^Generate .*token/ });
    await generate.click();
    const wrong = on.page.getByText("No key is connected yet", { exact: false });
    await wrong.waitFor();
    await on.page.locator(".well.filled img").waitFor();
    expect(await words().inputValue()).toBe("a heron at dawn");
    expect([await wrong.count(), await on.page.locator(".message").count()]).toEqual([1, 0]);
    on.site.core.refusesJobs = undefined;
    await on.page.getByRole("button", { name: "Connect a key" }).click();
    await expect.poll(() => on.site.core.heard.at(-1)?.name).toBe("reconnect");
    await expect.poll(() => wrong.count()).toBe(0);
    await generate.click();
    await on.page.locator("video").waitFor();
    await expect.poll(() => words().inputValue()).toBe("");
    on.forgive(/Failed to load/);
  });
});
