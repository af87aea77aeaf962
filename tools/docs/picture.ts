/** Films how a photo becomes a video on the page, over the built-in sandbox: `npm run docs:picture`. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import sharp from "sharp";
import { dropFiles } from "../../test/adapters/web/support/page.ts";
import { launchBrowser } from "../../test/support/browser.ts";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const PICTURE = join(ROOT, "docs/reelay.webp");
const SAMPLE = join(ROOT, "adapters/web/page/sample/sample.jpg");
const SIZE = { width: 880, height: 780 };
/** How long what is typed, waited for and played is seen, in milliseconds a picture. */
const SEEN = { still: 1400, typed: 90, played: 200 } as const;
/** How many pictures of the playing video there are, and how far apart in it, in seconds. */
const PLAYED = { pictures: 15, apart: 0.4 } as const;

/** A part of the film: what is seen, and for how long. */
interface Scene {
  readonly picture: Buffer;
  readonly ms: number;
}

const scenes: Scene[] = [];
const show = async (page: Page, ms: number) => {
  scenes.push({ picture: await page.screenshot(), ms });
};

/** What is done on the page, from the empty conversation to the video. */
async function play(page: Page): Promise<void> {
  await page.getByText("Sandbox: films drawn here").waitFor();
  await show(page, SEEN.still);
  await dropFiles(page, [{ name: "lake.jpg", mimeType: "image/jpeg", buffer: readFileSync(SAMPLE) }]);
  await page.getByRole("button", { name: /^Remove/ }).waitFor();
  const line = page.getByRole("textbox", { name: "What should happen" });
  await show(page, SEEN.still);
  for (const letter of "slow zoom over the lake") {
    await line.press(letter === " " ? "Space" : letter);
    await show(page, SEEN.typed);
  }
  const generate = page.getByRole("button", { name: /^Yes, generate about/ });
  await generate.waitFor();
  await show(page, SEEN.still);
  await generate.click();
  await page.getByRole("progressbar").waitFor();
  await show(page, SEEN.still);

  const video = page.locator("video");
  await video.waitFor({ timeout: 300_000 });
  await video.scrollIntoViewIfNeeded();
  for (let index = 0; index < PLAYED.pictures; index++) {
    // Each picture is of the very time that it stands for, however slow the machine is.
    await video.evaluate(seek, index * PLAYED.apart);
    await show(page, SEEN.played);
  }
}

/** What is asked of the player in the page. */
interface Player {
  currentTime: number;
  muted: boolean;
  addEventListener(event: "seeked", heard: () => void, options: { once: true }): void;
}

const seek = async (player: Player, seconds: number) => {
  player.muted = true;
  const { promise, resolve } = Promise.withResolvers<void>();
  player.addEventListener("seeked", resolve, { once: true });
  player.currentTime = seconds + 0.01;
  await promise;
};

/** Starts Reelay as `npm start` does, on data of its own. */
async function started(data: string) {
  const settings = { REELAY_DATA: data, REELAY_PORT: "0", REELAY_LOG_LEVEL: "warn" };
  const reelay = spawn(process.execPath, [join(ROOT, "tools/reelay.js"), "start", "--json"], {
    cwd: data,
    env: { ...process.env, ...settings },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [first] = (await once(reelay.stdout, "data")) as [Buffer];
  const { url } = JSON.parse(String(first)) as { readonly url: string };
  return { reelay, url };
}

const data = mkdtempSync(join(tmpdir(), "reelay-picture-"));
const { reelay, url } = await started(data);
const browser = await launchBrowser();
try {
  const page = await browser.newPage({ viewport: SIZE, locale: "en-GB", reducedMotion: "reduce" });
  await page.goto(url);
  await play(page);
} finally {
  await browser.close();
  reelay.kill();
  await once(reelay, "exit");
  rmSync(data, { recursive: true, force: true });
}
const film = sharp(
  scenes.map(({ picture }) => picture),
  { join: { animated: true } },
);
writeFileSync(
  PICTURE,
  await film.webp({ delay: scenes.map(({ ms }) => ms), loop: 0, quality: 72 }).toBuffer(),
);
