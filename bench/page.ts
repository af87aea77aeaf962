import { availableParallelism, loadavg } from "node:os";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../test/support/browser.ts";
import { tellFilms } from "../test/adapters/web/support/films.ts";
import { startSite } from "../test/adapters/web/support/site.ts";
import { mean, median, percent, quantile, say, type Section, table } from "./support/report.ts";

/** What a display that draws sixty times a second leaves for each frame, in milliseconds. */
const FRAME_MS = 1000 / 60;
const FRAMES = 900;
/** As fast as a wheel is turned by somebody who looks for something: 3,600 pixels a second. */
const PIXELS = 60;
const RESULTS = [500, 20, 0] as const;

/** What one scroll through a conversation took. */
interface Scroll {
  /** Milliseconds from each frame to the next. */
  readonly gaps: readonly number[];
  /** Milliseconds of each task of more than 50. */
  readonly long: readonly number[];
}

/** Scrolls in the page, from its end up and down again, so far in each frame. */
const SCROLL = `async ({ frames, pixels }) => {
  const main = document.querySelector("main");
  const long = [];
  const observer = new PerformanceObserver((list) => long.push(...list.getEntries().map(({ duration }) => duration)));
  observer.observe({ type: "longtask" });
  const next = () => new Promise(requestAnimationFrame);
  const gaps = [];
  let step = -pixels;
  let before = await next();
  for (let frame = 0; frame < frames; frame++) {
    const { scrollTop } = main;
    main.scrollTop += step;
    if (main.scrollTop === scrollTop) step = -step;
    const now = await next();
    gaps.push(now - before);
    before = now;
  }
  observer.disconnect();
  return { gaps, long };
}`;

/** The processor time that the page's main thread has used, in milliseconds. */
async function threadTime(page: Page) {
  const session = await page.context().newCDPSession(page);
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  return async () => {
    const { metrics } = await session.send("Performance.getMetrics");
    return 1000 * (metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN);
  };
}

/** Scrolls through so many results. */
async function scrolled(browser: Browser, results: number) {
  const site = await startSite();
  const page = await browser.newPage({ viewport: { width: 1280, height: 800 } });
  try {
    if (results > 0) await tellFilms(site, results - 1);
    await page.goto(site.url);
    await page.locator(".composer").waitFor();
    // A bound: a conversation as high, with nothing in it but stripes.
    if (results === 0)
      await page.evaluate(`document.querySelector("main").innerHTML =
        '<div style="height: 200000px; background: repeating-linear-gradient(#eee 0 50px, #fff 50px 100px)"></div>'`);
    else
      await page
        .locator(".message")
        .nth(results - 1)
        .waitFor();
    const used = await threadTime(page);
    const before = await used();
    const args = JSON.stringify({ frames: FRAMES, pixels: PIXELS });
    const scroll = await page.evaluate<Scroll>(`(${SCROLL})(${args})`);
    return { ...scroll, threadMs: (await used()) - before };
  } finally {
    await page.context().close();
    await site.close();
  }
}

/** How smoothly a long conversation on the page is scrolled. */
export async function page(): Promise<Section> {
  const browser = await launchBrowser();
  const [load = Number.NaN] = loadavg();
  const rows: string[][] = [];
  try {
    for (const results of RESULTS) {
      const { gaps, long, threadMs } = await scrolled(browser, results);
      say(`  ${results} results: ${mean(gaps).toFixed(1)} ms a frame`);
      // What is drawn in the next frame but one was a frame late; a timer is not exact to the tenth.
      const late = gaps.filter((gap) => gap > 1.5 * FRAME_MS);
      rows.push([
        results === 0 ? "stripes, nothing else" : `${results} results`,
        `${median(gaps).toFixed(1)} ms`,
        `${quantile(gaps, 0.95).toFixed(1)} ms`,
        `${Math.max(...gaps).toFixed(0)} ms`,
        percent(late.length / gaps.length),
        `${long.length} (${long.reduce((sum, ms) => sum + ms, 0).toFixed(0)} ms)`,
        `${(threadMs / gaps.length).toFixed(1)} ms`,
      ]);
    }
  } finally {
    await browser.close();
  }
  const head = [
    "in the conversation",
    "a frame, median",
    "p95",
    "longest",
    "late",
    "long tasks",
    "main thread",
  ];
  return {
    title: "A long conversation on the page",
    text: [
      "The page as `npm run build:page` made it, in headless Chromium, which draws without a graphics card here, at 1280 by 800 pixels:",
      `${FRAMES} frames, each scrolled ${PIXELS} pixels further (${PIXELS * 60} a second at 60 frames), up from the newest result and down again.`,
      `Sixty frames a second leave ${FRAME_MS.toFixed(1)} ms for each. A frame is late that came after more than one and a half of that; a long task`,
      "is one of more than 50 ms on the main thread. The last column is the processor time of the main thread for each frame, which other",
      "programs on the machine hardly change; the last row is the bound, a page of stripes of which nothing is shown or hidden.",
      `When this began, ${load.toFixed(1)} programs on average wanted the ${availableParallelism()} cores: where they are more, frames come late that would not otherwise.`,
      "",
      table(head, rows),
    ].join("\n"),
  };
}
