import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { launchBrowser, withoutBrowser } from "./support/browser.ts";
import { Child } from "./support/crash-child.ts";
import { temporaryFolder, testFfmpeg } from "./support/sandbox.ts";

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

describe.skipIf(withoutBrowser())("the whole program in Chromium", () => {
  it(
    "makes a real film of a dropped photo, plays it, and has it again after a restart",
    { timeout: 180_000 },
    async () => {
      const home = {
        data: temporaryFolder(),
        env: { REELAY_FFMPEG: testFfmpeg(), REELAY_RATE_WINDOW_MS: "6000", REELAY_POLL_MS: "500" },
      };
      const browser = await launchBrowser();
      try {
        using first = new Child(home);
        const url = (await first.url) ?? "";
        const page = await browser.newPage({ locale: "en-GB", viewport: { width: 1280, height: 800 } });
        page.setDefaultTimeout(90_000);
        const complaints: string[] = [];
        page.on("pageerror", (error) => complaints.push(error.message));
        page.on("console", (message) => void (message.type() === "error" && complaints.push(message.text())));
        page.on("request", (request) => {
          if (!/^(blob|data):/.test(request.url()) && !request.url().startsWith(url))
            complaints.push(request.url());
        });
        await page.goto(url);
        await page.getByText("Sandbox: nothing here costs real tokens").waitFor();

        const photo = (await readFile(SAMPLE)).toString("base64");
        const dropped = await page.evaluateHandle(`(() => {
        const data = new DataTransfer();
        const bytes = Uint8Array.from(atob("${photo}"), (letter) => letter.charCodeAt(0));
        data.items.add(new File([bytes], "lake.jpg", { type: "image/jpeg" }));
        return data;
      })()`);
        await page.dispatchEvent("body", "dragover", { dataTransfer: dropped });
        await page.dispatchEvent("body", "drop", { dataTransfer: dropped });
        await page.getByRole("textbox", { name: "What should happen" }).fill("slow zoom");
        await page.getByRole("button", { name: "Generate about 2.7 tokens" }).click();
        await page.getByRole("progressbar").waitFor();

        const video = page.locator("video");
        await video.waitFor();
        await video.evaluate(play);
        // The sample is wider than high, so its film is too.
        const wanted = { moves: true, size: "1024x576", seconds: 6 };
        await expect.poll(() => video.evaluate(played), { timeout: 30_000 }).toEqual(wanted);
        await page.getByText("cost 2.7 tokens", { exact: false }).waitFor();
        expect(complaints).toEqual([]);

        await page.reload();
        await page.locator("video").waitFor();
        first.kill();
        await first.untilKilled();
        using second = new Child(home);
        await page.goto((await second.url) ?? "");
        await page.locator("video").waitFor();
        await page.locator("video").evaluate(play);
        await expect.poll(() => page.locator("video").evaluate(played), { timeout: 30_000 }).toEqual(wanted);
        expect(await page.locator("video").count()).toBe(1);
      } finally {
        await browser.close();
      }
    },
  );
});
