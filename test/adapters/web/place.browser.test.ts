import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { temporaryFolder } from "../../support/sandbox.ts";
import { forEachTest } from "./support/page.ts";

/** A picture of this size in a file. */
async function pictureFile(width: number, height: number) {
  const url = join(temporaryFolder(), "picture.png");
  await sharp({ create: { width, height, channels: 3, background: "teal" } }).toFile(url);
  return { url, type: "image/png" };
}

/** Runs in the page: whether what the last result shows is there. */
const IS_THERE = `(() => {
  const media = [...document.querySelectorAll(".media")].at(-1);
  return media.tagName === "VIDEO" ? media.readyState > 0 : media.complete && media.naturalWidth > 0;
})()`;

/** Runs in the page: until what is there was drawn. Nobody has a finger on what was not, and it is scrolled to just before that. */
const DRAWN = "new Promise((then) => requestAnimationFrame(() => requestAnimationFrame(then)))";

describe.skipIf(withoutBrowser())("what is under a finger", () => {
  const on = forEachTest();

  /** Where the buttons of a result are while its file is not there yet, and once it is. */
  async function placesOf(operation: string, file?: { url: string; type: string }) {
    const { page, site } = on;
    const { promise: asked, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/web/media/**", async (route) => {
      await asked;
      await route.continue();
    });
    const job = { id: "job", operation, values: { prompt: "a lake" }, createdAt: Date.now() };
    await site.core.deliverResult(job, file);
    const button = page.getByRole("button", { name: "Change" });
    const place = async () => {
      await page.evaluate(DRAWN);
      return button.boundingBox();
    };
    await button.waitFor();
    const before = await place();
    expect(await page.evaluate(IS_THERE)).toBe(false);
    release();
    await expect.poll(() => page.evaluate(IS_THERE)).toBe(true);
    return { before, after: await place() };
  }

  it.each([
    ["a film", "video", undefined],
    ["a wide picture", "image", [1600, 900]],
    ["a portrait", "image", [600, 1200]],
    ["a small square", "image", [200, 200]],
    ["a narrow strip", "image", [90, 900]],
  ] as const)("stays there when %s comes whose buttons it is one of", async (_, operation, size) => {
    const file = size && (await pictureFile(size[0], size[1]));
    const { before, after } = await placesOf(operation, file);
    expect(after).toEqual(before);
  });
});
