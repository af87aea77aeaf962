import { describe, expect, it } from "vitest";
import type { Now } from "../../../../src/seam/access/console.ts";
import { OPERATIONS } from "../../../../src/domain/operations/registry.ts";
import { withoutBrowser } from "../../../support/browser.ts";
import { forEachSeat } from "../support/seats.ts";

const TOLD = 200;

/** As much as is ever told at once: see `lookNow`. */
function full(now: Now, morePeople: number): Now {
  const places = ["queued", "submitting", "unsure", "running", "untold"] as const;
  const kinds = OPERATIONS.flatMap(({ id }) =>
    places.map((place) => ({ operation: id, place, count: 7, oldestMs: 60_000 })),
  );
  const people = Array.from({ length: 20 }, (_, nth) => ({
    user: `telegram:${nth}` as const,
    queued: 400,
    others: 100,
    oldestMs: 60_000,
  }));
  const running = Array.from({ length: 30 }, (_, nth) => ({
    id: `job-${nth}`,
    user: "telegram:1" as const,
    operation: "image",
    surface: "telegram" as const,
    phase: "running" as const,
    progress: 50,
    createdAt: now.at,
  }));
  return { ...now, kinds, people, morePeople, running };
}

/** Frames come when they are called for; what was shown of how many more people there are is written down. */
const BY_HAND = `(() => {
  const waiting = [];
  globalThis.requestAnimationFrame = (show) => waiting.push(show);
  globalThis.frame = () => waiting.splice(0).forEach((show) => show(performance.now()));
  globalThis.shown = new Set();
  new MutationObserver(() => {
    const text = document.querySelector("main")?.textContent ?? "";
    for (const [more] of text.matchAll(/Left out here: \\d+/g)) globalThis.shown.add(more);
  }).observe(document.body, { childList: true, subtree: true, characterData: true });
})()`;

describe.skipIf(withoutBrowser())("the console's page Now, told a lot", () => {
  const seats = forEachSeat();

  it("shows the latest alone, once a frame, in a page that does not grow with the number of jobs", async () => {
    const page = await seats.sit("viewer", "log");
    const now = await (await seats.site.console()).now();
    const events = Array.from(
      { length: TOLD },
      (_, nth) => `event: now\ndata: ${JSON.stringify(full(now, nth + 1))}\n\n`,
    );
    await page.route("**/console/web/now/events", (route) =>
      route.fulfill({ contentType: "text/event-stream", body: `retry: 600000\n\n${events.join("")}` }),
    );
    await page.evaluate(BY_HAND);
    await page.goto(`${seats.site.url}/console#now`);
    // The connection ends once all were told.
    await page.getByText("Reconnecting", { exact: false }).waitFor();
    expect(await page.evaluate<string[]>("[...globalThis.shown]")).toEqual([]);
    await page.evaluate("globalThis.frame()");
    await page.getByText(`${TOLD}`, { exact: false }).first().waitFor();
    const shown = await page.evaluate<string[]>("[...globalThis.shown]");
    expect(shown).toHaveLength(1);
    expect(shown[0]).toContain(String(TOLD));
    expect(await page.evaluate<number>("document.querySelectorAll('*').length")).toBeLessThan(2_000);
  });
});
