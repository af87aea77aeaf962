import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { choose, closePage, dropFiles, openPage } from "./adapters/web/support/page.ts";
import { launchBrowser, withoutBrowser } from "./support/browser.ts";
import { Child, type Home } from "./support/crash-child.ts";
import { temporaryFolder, testFfmpeg } from "./support/sandbox.ts";
import { PATIENCE_MS } from "./support/patience.ts";

const SAMPLE = join(import.meta.dirname, "../adapters/web/page/sample/sample.jpg");

/** What a test asks of a player in the page. */
interface Player {
  readonly currentTime: number;
  readonly videoWidth: number;
  readonly videoHeight: number;
  /** Seconds. */
  readonly duration: number;
  muted: boolean;
  play(): Promise<void>;
  getVideoPlaybackQuality(): { totalVideoFrames: number };
}

const play = (player: Player) => {
  player.muted = true;
  return player.play();
};

/** Whether it has moved on by itself, and what it has shown. */
const played = (player: Player) => ({
  moves: player.currentTime > 0.3 && player.getVideoPlaybackQuality().totalVideoFrames > 5,
  size: `${player.videoWidth}x${player.videoHeight}`,
  seconds: Math.round(player.duration),
});

/** How much two pictures differ on average in a part of them, 0 to 255; the part is in ninths: column and row. */
async function difference(one: Buffer, other: Buffer, column: number, row: number): Promise<number> {
  const { width, height } = await sharp(one).metadata();
  const [w, h] = [Math.floor(width / 3), Math.floor(height / 3)];
  const part = async (picture: Buffer) =>
    sharp(picture)
      .resize(width, height, { fit: "fill" })
      .extract({ left: column * w, top: row * h, width: w, height: h })
      .removeAlpha()
      .raw()
      .toBuffer();
  const [first, second] = await Promise.all([part(one), part(other)]);
  return first.reduce((sum, value, at) => sum + Math.abs(value - (second[at] ?? 0)), 0) / first.length;
}

describe.skipIf(withoutBrowser())("the whole program in Chromium", () => {
  let browser: Browser;
  let home: Home;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(() => {
    home = {
      data: temporaryFolder(),
      env: { REELAY_FFMPEG: testFfmpeg(), REELAY_RATE_WINDOW_MS: "1200", REELAY_POLL_MS: "100" },
    };
  });

  async function open(program: Child) {
    const opened = await openPage(browser, (await program.url) ?? "");
    opened.page.setDefaultTimeout(PATIENCE_MS);
    return opened;
  }

  it("makes a real film of a dropped photo, plays it, and has it again after a restart", async () => {
    using first = new Child(home);
    const { page, complaints } = await open(first);
    await page.getByText("Sandbox: films drawn here").waitFor();
    await dropFiles(page, [{ name: "lake.jpg", mimeType: "image/jpeg", buffer: await readFile(SAMPLE) }]);
    await page.getByRole("textbox", { name: "What should happen" }).fill("slow zoom");
    await page.getByRole("button", { name: "Yes, generate about 2.7 tokens" }).click();
    await page.getByRole("progressbar").waitFor();

    const video = page.locator("video");
    await video.waitFor();
    await video.evaluate(play);
    // The sample is wider than high, so its film is too.
    const wanted = { moves: true, size: "1024x576", seconds: 6 };
    await expect.poll(() => video.evaluate(played)).toEqual(wanted);
    await page.getByText("2.7 tokens ·", { exact: false }).waitFor();
    expect(complaints).toEqual([]);

    await page.reload();
    await page.locator("video").waitFor();
    first.kill();
    await first.untilKilled();
    using second = new Child(home);
    await page.goto((await second.url) ?? "");
    await page.locator("video").waitFor();
    await page.locator("video").evaluate(play);
    await expect.poll(() => page.locator("video").evaluate(played)).toEqual(wanted);
    expect(await page.locator("video").count()).toBe(1);
    await page.context().close();
  });

  it("makes the marked part of a photo anew, and leaves the rest as it was", async () => {
    using program = new Child(home);
    const opened = await open(program);
    const { page } = opened;
    await choose(page, "Repaint a part");
    await page.getByRole("button", { name: "Try the sample photo" }).click();
    await page.getByRole("button", { name: "Marked part: Mark a part" }).click();
    await page.getByRole("button", { name: "Centre" }).click();
    await page.getByRole("button", { name: "Use the marked part" }).click();
    // It stays until what was marked is uploaded; nothing can be typed beside it.
    await page.getByRole("dialog").waitFor({ state: "hidden" });
    await page.getByRole("textbox").fill("a vase with tulips");
    await page.getByRole("button", { name: /^Yes, generate/ }).click();
    const result = page.getByRole("img", { name: "The finished picture" });
    const address = new URL((await result.getAttribute("src")) ?? "", page.url());
    const made = Buffer.from(await (await fetch(address)).arrayBuffer());
    const photo = await readFile(SAMPLE);
    expect(await difference(photo, made, 1, 1)).toBeGreaterThan(20);
    for (const corner of [0, 2]) expect(await difference(photo, made, corner, corner)).toBeLessThan(5);
    await closePage(opened);
  });
});
