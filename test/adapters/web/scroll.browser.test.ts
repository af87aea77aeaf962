import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { deliverResults, forEachTest } from "./support/page.ts";

/** Runs in the page: how far above its end the conversation stands, in pixels. */
const ABOVE_END = `(() => {
  const main = document.querySelector("main");
  return Math.round(main.scrollHeight - main.clientHeight - main.scrollTop);
})()`;

/**
 * Runs in the page: the last message loses 600 pixels of height, as one does whose progress makes way for a result,
 * and gains 900 as soon as that was drawn, as a player does that learns its size, before the browser tells of any
 * scrolling.
 */
const SHRINK_AND_GROW = `new Promise((resolve) => {
  const last = [...document.querySelectorAll("article")].at(-1).parentElement;
  last.style.minHeight = "1000px";
  requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(() => {
    last.style.minHeight = "400px";
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      last.style.minHeight = "1300px";
      requestAnimationFrame(() => requestAnimationFrame(() => requestAnimationFrame(resolve)));
    };
    port2.postMessage(undefined);
  })));
})`;

/** Runs in each new page: what is told of the conversation waits in `held`, once there is such a list. */
const HOLD = `{
  const { addEventListener } = EventSource.prototype;
  EventSource.prototype.addEventListener = function (name, hear) {
    addEventListener.call(this, name, (event) =>
      name === "message" && window.held ? held.push(() => hear(event)) : hear(event));
  };
}`;

/** Runs in the page: all that was held is told before the browser draws anything, each after what follows from the one before. */
const RELEASE = `(async () => {
  const tell = held;
  held = undefined;
  for (const told of tell) {
    told();
    for (let turn = 0; turn < 20; turn++) await undefined;
  }
})()`;

describe.skipIf(withoutBrowser())("the conversation's place", () => {
  const on = forEachTest();
  const aboveEnd = () => on.page.evaluate<number>(ABOVE_END);
  const toEnd = () => on.page.locator(".to-end");
  const height = () => on.page.evaluate<number>("document.querySelector('main').scrollHeight");

  it("is its end while things come, and where somebody reads above it", async () => {
    await deliverResults(on.site, 4);
    await expect.poll(() => on.page.locator("video").count()).toBe(4);
    await expect.poll(aboveEnd).toBeLessThan(2);
    const high = await height();
    await on.page.locator("main").hover();
    await on.page.mouse.wheel(0, -400);
    await toEnd().waitFor();
    // The button that comes and goes takes no room: what somebody is about to press would move.
    expect(await height()).toBe(high);
    const before = await aboveEnd();
    await on.site.surface.deliver({}, { kind: "notice", text: { key: "help.text" }, actions: [] });
    await expect.poll(aboveEnd).toBeGreaterThan(before);
    await toEnd().click();
    await expect.poll(aboveEnd).toBeLessThan(2);
    await expect.poll(() => toEnd().count()).toBe(0);
  });

  it("does not move a button away from under a press, and is its end again after it", async () => {
    await deliverResults(on.site, 4);
    await expect.poll(() => on.page.locator("video").count()).toBe(4);
    await expect.poll(aboveEnd).toBeLessThan(2);
    const acted = on.page.waitForRequest(/\/web\/act$/);
    await on.page.getByRole("button", { name: "Again", exact: true }).last().hover();
    await on.page.mouse.down();
    await on.site.surface.deliver({}, { kind: "notice", text: { key: "help.text" }, actions: [] });
    await expect.poll(() => on.page.locator("article").count()).toBe(5);
    await expect.poll(aboveEnd).toBeGreaterThan(40);
    await on.page.mouse.up();
    await acted;
    await expect.poll(aboveEnd).toBeLessThan(2);
  });

  it("stays its end when a message shrinks and grows before the browser tells of it", async () => {
    await deliverResults(on.site, 4);
    await expect.poll(() => on.page.locator("video").count()).toBe(4);
    for (let round = 0; round < 5; round++) await on.page.evaluate(SHRINK_AND_GROW);
    await expect.poll(aboveEnd).toBeLessThan(2);
    expect(await toEnd().count()).toBe(0);
  });

  it("stays its end when the welcome goes and a request and its progress come before anything is drawn", async () => {
    await on.page.addInitScript(HOLD);
    await on.page.reload();
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await on.page.locator(".well.filled img").waitFor();
    await on.page.getByRole("textbox", { name: "What should happen" }).fill("wait");
    await expect.poll(aboveEnd).toBeLessThan(2);
    expect(await on.page.evaluate<number>("document.querySelector('main').scrollTop")).toBeGreaterThan(0);
    await on.page.evaluate("window.held = []");
    await on.page.getByRole("button", { name: /^Generate .*token/ }).click();
    await expect.poll(() => on.page.evaluate<number>("held.length")).toBe(2);
    await on.page.evaluate(RELEASE);
    on.site.core.release();
    await on.page.locator("video").waitFor();
    await expect.poll(aboveEnd).toBeLessThan(2);
    expect(await toEnd().count()).toBe(0);
  });
});
