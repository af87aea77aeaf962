import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { forEachTest } from "./support/page.ts";

/** What a browser without a window lacks: one that was not asked yet, and somebody who looks elsewhere. */
const ELSEWHERE = `
  globalThis.asked = 0;
  globalThis.notes = [];
  globalThis.Notification = class extends EventTarget {
    static permission = "default";
    static async requestPermission() {
      globalThis.asked += 1;
      return (this.permission = "granted");
    }
    constructor(title, { body, tag }) {
      super();
      globalThis.notes.push({ title, body, tag });
    }
  };
  globalThis.away = false;
  Object.defineProperty(document, "hidden", { get: () => globalThis.away });
`;

describe.skipIf(withoutBrowser())("somebody who looks elsewhere", () => {
  const on = forEachTest();
  const look = (away: boolean) =>
    on.page.evaluate(`away = ${away}; document.dispatchEvent(new Event("visibilitychange"));`);

  async function begin(words: string) {
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await on.page.locator(".well.filled img").waitFor();
    await on.page.getByRole("textbox", { name: "What should happen" }).fill(words);
    await on.page.getByRole("button", { name: /^Generate .*token/ }).click();
  }

  it("is told by the tab's title, and by a notification once they asked for that", async () => {
    await on.page.addInitScript(ELSEWHERE);
    await on.page.reload();
    await begin("hold");
    await on.page.getByRole("progressbar").waitFor();
    expect(await on.page.evaluate("asked")).toBe(0);
    await on.page.getByRole("button", { name: "Tell me when it is done" }).click();
    await expect.poll(() => on.page.getByRole("button", { name: "Tell me" }).count()).toBe(0);
    expect(await on.page.evaluate("asked")).toBe(1);

    await look(true);
    on.site.core.release();
    await expect.poll(() => on.page.title()).toBe("Ready – Reelay");
    expect(await on.page.evaluate("notes")).toEqual([
      {
        title: "It is ready.",
        body: expect.stringMatching(/^Photo to video, “hold”, /),
        tag: expect.any(String),
      },
    ]);
    await look(false);
    expect(await on.page.title()).toBe("Reelay");

    // Who is there sees it, and needs no telling.
    await begin("slow zoom");
    await expect.poll(() => on.page.locator("video").count()).toBe(2);
    expect(await on.page.title()).toBe("Reelay");
    await look(true);
    await begin("fail");
    await expect.poll(() => on.page.title()).toBe("It did not work – Reelay");
    expect(await on.page.evaluate("notes.map(({ title }) => title)")).toEqual([
      "It is ready.",
      expect.stringMatching(/./),
    ]);
  });
});
