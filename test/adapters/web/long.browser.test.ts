import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { tellFilms } from "./support/films.ts";
import { focused, forEachTest } from "./support/page.ts";

/** The most that a page may consist of, whatever was said on it. */
const MOST_NODES = 1500;

const NODES = `document.querySelectorAll("*").length`;

/** Runs in the page: whether what stands in the middle of the conversation is a message that is shown. */
const IS_SHOWN = `(() => {
  const { left, top, width, height } = document.querySelector("main").getBoundingClientRect();
  return document.elementFromPoint(left + width / 2, top + height / 2)?.closest("article") !== null;
})()`;

describe.skipIf(withoutBrowser())("a long conversation", () => {
  const on = forEachTest();

  /** Opens a page on which so many films were made, all of them long ago. */
  async function openWith(count: number) {
    const { page, site } = on;
    await page.goto("about:blank");
    const media = await tellFilms(site, count);
    await page.goto(site.url);
    await page.locator(".message").nth(count).waitFor();
    return media;
  }

  const toTop = (share: number) =>
    on.page.evaluate(`(() => {
      const main = document.querySelector("main");
      main.scrollTop = main.scrollHeight * ${share};
    })()`);

  it("is shown as far as somebody sees it, and no page of it has more than 1,500 nodes", async () => {
    const { page } = on;
    await openWith(499);
    const film = (number: number) => page.getByLabel(new RegExp(`^The finished video: .*“film ${number}”`));
    await film(499).waitFor();
    expect(await page.locator("video").count()).toBeLessThan(20);
    expect(await page.evaluate(NODES)).toBeLessThanOrEqual(MOST_NODES);
    for (const share of [0.75, 0.5, 0.25, 0]) {
      await toTop(share);
      await expect.poll(() => page.evaluate(IS_SHOWN)).toBe(true);
      expect(await page.evaluate(NODES)).toBeLessThanOrEqual(MOST_NODES);
    }
    await film(1).waitFor();
    expect(await page.locator(".message").count()).toBe(500);
  });

  it("loads of a film a picture until it is played", async () => {
    const { page } = on;
    const asked = new Set<string>();
    page.on("request", (request) => asked.add(new URL(request.url()).pathname));
    const [film] = await openWith(1);
    const poster = `/web/media/${film?.poster}`;
    await expect.poll(() => [...asked]).toContain(poster);
    const drawn = `(async () => {
      const image = new Image();
      image.src = document.querySelector("video").poster;
      await image.decode();
      return [image.naturalWidth, image.naturalHeight].join();
    })()`;
    expect(await page.evaluate(drawn)).toBe("640,429");
    expect(asked).not.toContain(`/web/media/${film?.id}`);
    await page
      .locator("video")
      .last()
      .evaluate((player: { play(): Promise<void> }) => player.play());
    await expect.poll(() => [...asked]).toContain(`/web/media/${film?.id}`);
  });

  it("keeps what has the focus, however far somebody looks away from it", async () => {
    const { page } = on;
    await openWith(60);
    const player = (number: number) => page.getByLabel(new RegExp(`“film ${number}”`));
    await player(59).waitFor();
    await page.locator("article").nth(-2).getByRole("button", { name: "Change" }).focus();
    await toTop(0);
    await expect.poll(() => player(58).count()).toBe(0);
    expect(await player(59).count()).toBe(1);
    expect(await focused(page)).toBe("Change");
  });
});
