import { readFile } from "node:fs/promises";
import type { Browser, Locator, Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { loginLink } from "../../../adapters/web/login.ts";
import { launchBrowser, withoutBrowser } from "../../support/browser.ts";
import { PHOTO } from "./support/client.ts";
import { closePage, dropFiles, openPage, tabTo, type OpenPage } from "./support/page.ts";
import { startSite, type Site } from "./support/site.ts";

/** Resolves when the player has moved on by itself and shows pictures. */
async function untilPlaying(video: Locator) {
  await expect
    .poll(async () =>
      video.evaluate(
        (player: {
          currentTime: number;
          videoWidth: number;
          getVideoPlaybackQuality(): { totalVideoFrames: number };
        }) =>
          player.currentTime > 0 &&
          player.videoWidth === 480 &&
          player.getVideoPlaybackQuality().totalVideoFrames > 2,
      ),
    )
    .toBe(true);
}

/** Presses a button five times in one tick. */
const fiveTimes = (button: Locator) =>
  button.evaluate((one: { click(): void }) => {
    for (let press = 0; press < 5; press += 1) one.click();
  });

describe.skipIf(withoutBrowser())("the page in Chromium", () => {
  let browser: Browser;
  let site: Site;
  let page: Page;
  let opened: OpenPage;

  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  beforeEach(async () => {
    site = await startSite({ stepMs: 60 });
    await open();
  });
  afterEach(async () => {
    try {
      await closePage(opened);
    } finally {
      await site.close();
    }
  });

  async function open(locale?: string) {
    opened = await openPage(browser, site.url, locale);
    page = opened.page;
  }

  const generateButton = () => page.getByRole("button", { name: /^Generate/ });
  const pricedButton = () => page.getByRole("button", { name: /^Generate .*token/ });
  const prompt = () => page.getByRole("textbox", { name: "What should happen" });

  async function addSample() {
    await page.getByRole("button", { name: "Try the sample photo" }).click();
    await page.locator(".well.filled img").waitFor();
  }

  it("turns a dropped photo and a line into a playing video, and finds it after a reload", async () => {
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.getByText("Add a photo to start.").waitFor();
    await dropFiles(page, [{ name: "lake.jpg", mimeType: "image/jpeg", buffer: await readFile(PHOTO) }]);
    await page.locator(".well.filled img").waitFor();
    await page.getByText("Still missing: What should happen or Template.").waitFor();
    expect(await generateButton().getAttribute("aria-disabled")).toBe("true");

    await prompt().fill("wait");
    await page.getByRole("button", { name: "Generate about 4.5 tokens" }).waitFor();
    await page
      .getByText("Estimate: what the service charged for the same choices before · 1,000 tokens left")
      .waitFor();
    await pricedButton().click();

    const bar = page.getByRole("progressbar");
    await bar.waitFor();
    await page.getByText("Waiting: 2 jobs ahead").first().waitFor();
    site.core.release();
    const video = page.locator("video");
    await video.waitFor();
    expect(await bar.count()).toBe(0);
    await untilPlaying(video);
    await page.getByText("4.5 tokens · 995.5 tokens left", { exact: false }).waitFor();
    // The answer to the press may come after the film.
    await expect.poll(() => prompt().inputValue()).toBe("");
    expect(site.core.heard.at(-1)).toMatchObject({
      name: "video",
      values: { prompt: "wait", image: { name: "lake.jpg" } },
    });

    await page.reload();
    await video.waitFor();
    await page.getByText("wait", { exact: true }).waitFor();
    await video.evaluate((found: { muted: boolean; play(): Promise<void> }) => {
      found.muted = true;
      return found.play();
    });
    await untilPlaying(video);
    await video.evaluate((found: { currentTime: number }) => (found.currentTime = 2));
    await expect
      .poll(() => video.evaluate((found: { currentTime: number }) => found.currentTime))
      .toBeGreaterThan(1.9);

    const [download] = await Promise.all([page.waitForEvent("download"), page.getByText("Download").click()]);
    expect(download.suggestedFilename()).toBe("reelay.mp4");
  });

  it("takes a picked file and a template with a variant, and asks for the options' price", async () => {
    await page.locator("input[type=file]").first().setInputFiles(PHOTO.pathname);
    await page.locator(".well.filled img").waitFor();
    await page.getByRole("button", { name: "Template" }).click();
    const gallery = page.getByRole("dialog", { name: "Template" });
    await gallery.getByRole("button", { name: "Weather" }).click();
    expect(await gallery.locator(".template").count()).toBe(3);
    await gallery.getByRole("searchbox").fill("rain");
    await gallery.getByRole("button", { name: /Gentle rain/ }).click();
    await page.getByRole("radio", { name: "Dreamy" }).check();
    await page.getByRole("button", { name: "Generate about 4.5 tokens" }).waitFor();

    await page.getByRole("button", { name: "Options" }).click();
    await page.getByRole("slider", { name: "Length in seconds" }).fill("4");
    await page.getByRole("button", { name: "Generate about 3 tokens" }).waitFor();
    await page.getByRole("switch", { name: "Upscale when done" }).check();
    await page.getByText("The price is known once the service accepts the job").waitFor();
    await page.getByRole("spinbutton", { name: "Seed" }).fill("-7");
    await page.locator("[data-field=seed]").getByRole("alert").waitFor();
    await page.getByRole("spinbutton", { name: "Seed" }).fill("7");
    expect(await page.getByText("Last frame").count()).toBe(0);
    await page.getByRole("group", { name: "Model" }).getByRole("radio", { name: "New" }).check();
    await page.getByText("Last frame").first().waitFor();

    await generateButton().click();
    await page.locator("video").waitFor();
    expect(site.core.heard.at(-1)?.values).toMatchObject({
      template: "gentle-rain",
      sub_template: "dreamy",
      duration: 4,
      auto_upscale: true,
      seed: 7,
      video_quality: "new",
    });
  });

  it("makes one order of several presses in one tick, of each button", async () => {
    const sent: string[] = [];
    page.on("request", (request) => {
      if (/\/web\/(command|act)/.test(request.url())) sent.push(new URL(request.url()).pathname);
    });
    await addSample();
    await prompt().fill("one line");
    await page.getByRole("button", { name: /^Generate about/ }).waitFor();
    await fiveTimes(generateButton());
    await page.locator("video").waitFor();
    await fiveTimes(page.getByRole("button", { name: "Again" }).last());
    await expect.poll(() => page.locator("video").count()).toBe(2);
    expect(sent).toEqual(["/web/command/video", "/web/act"]);
  });

  it("keeps what was begun before the answer to a press came", async () => {
    const answers: (() => void)[] = [];
    await page.route("**/web/command/video", async (route) => {
      const response = await route.fetch();
      await new Promise<void>((resolve) => answers.push(resolve));
      await route.fulfill({ response });
    });
    await addSample();
    await prompt().fill("first line");
    await pricedButton().click();
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByText("Changing an earlier request.").waitFor();
    await prompt().fill("second line");
    await expect.poll(() => answers.length).toBe(1);
    answers.shift()?.();
    await expect.poll(() => generateButton().locator(".spinner").count()).toBe(0);
    await page.getByText("Changing an earlier request.").waitFor();
    expect(await prompt().inputValue()).toBe("second line");
    await page.getByRole("button", { name: "Cancel" }).click();

    await addSample();
    await prompt().fill("third line");
    await pricedButton().click();
    await expect.poll(() => page.locator("video").count()).toBe(2);
    await prompt().fill("fourth line");
    await expect.poll(() => answers.length).toBe(1);
    answers.shift()?.();
    await expect.poll(() => generateButton().locator(".spinner").count()).toBe(0);
    expect(await prompt().inputValue()).toBe("fourth line");
    await page.unroute("**/web/command/video");
    await pricedButton().click();
    await expect.poll(() => site.core.heard.at(-1)?.values["prompt"]).toBe("fourth line");
  });

  it("goes on with a result: again, change, delete", async () => {
    await addSample();
    await prompt().fill("first line");
    await pricedButton().click();
    await page.getByRole("button", { name: "Change" }).click();
    await page.getByText("Changing an earlier request.").waitFor();
    expect(await prompt().inputValue()).toBe("first line");
    await prompt().fill("second line");
    await pricedButton().click();
    await expect.poll(() => page.locator("video").count()).toBe(2);
    await expect.poll(() => page.getByText("Changing an earlier request.").count()).toBe(0);
    // Once no third film came: whether the press was lost, or the film, is to be seen.
    const pressed = page.waitForRequest(/\/web\/act$/);
    await page.getByRole("button", { name: "Again", exact: true }).last().click();
    expect((await (await pressed).response())?.ok()).toBe(true);
    await expect.poll(() => page.locator("video").count()).toBe(3);
    await page.clock.install();
    await page.getByRole("button", { name: "Delete", exact: true }).last().click();
    await page.getByRole("button", { name: "Delete for good" }).click();
    await page.clock.fastForward("00:08");
    await page.getByRole("main").getByText("Deleted.").waitFor();
    // It is said where it was pressed before the conversation tells of it.
    await expect.poll(() => page.locator("video").count()).toBe(2);
  });

  it("says what went wrong, what it cost, and lets the person try again", async () => {
    await addSample();
    await prompt().fill("fail");
    // A press before the price is there begins nothing.
    await pricedButton().waitFor();
    await page.keyboard.press("Control+Enter");
    await page.getByText("The service could not make this: the worker gave up").first().waitFor();
    await page.getByText("Nothing was charged.").waitFor();
    await page.getByRole("button", { name: "Use again" }).click();
    expect(await prompt().inputValue()).toBe("fail");
  });

  it("asks for the login token, and takes it from a link out of the address bar", async () => {
    await page.context().close();
    await site.close();
    // Not the address that the browser uses: it only switches the login on.
    site = await startSite({ env: { REELAY_PUBLIC_URL: "http://reelay.example" } });
    const { hash } = new URL(await loginLink(site.config));
    await open();
    await page.getByText("Log in first.", { exact: false }).waitFor();
    await page.getByLabel("Login token").fill("wrong");
    await page.getByRole("button", { name: "Log in" }).click();
    await page.getByText("This token is wrong.", { exact: false }).waitFor();
    // The browser reports refused requests as errors; here they are what is asked for.
    opened.complaints = opened.complaints.filter((text) => !/status of 40[13]/.test(text));

    await page.goto(`${site.url}/${hash}`);
    await page.locator(".composer").waitFor();
    expect(page.url()).toBe(`${site.url}/`);
    await addSample();
    await page.reload();
    await page.locator(".well.filled img").waitFor();
  });

  it("works by keyboard alone", async () => {
    await page.locator(".composer").waitFor();
    await tabTo(page, "Try the sample photo");
    await page.keyboard.press("Enter");
    await page.locator(".well.filled img").waitFor();
    await tabTo(page, "Template");
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    await page.keyboard.press("Enter");
    await page.getByRole("dialog").waitFor();
    await page.keyboard.type("orbit");
    await tabTo(page, "Orbit");
    await page.keyboard.press("Enter");
    await pricedButton().waitFor();
    await tabTo(page, "Generate");
    await page.keyboard.press("Enter");
    await page.locator("video").waitFor();
  });

  it("speaks another language at once, also in what was said before", async () => {
    await addSample();
    await prompt().fill("slow zoom");
    await pricedButton().click();
    await page.locator("video").waitFor();
    await page.getByLabel("Language").selectOption("pl");
    await page.getByText(/^4,5 tokena · /).waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("pl");
    await page.getByLabel("Język").selectOption("de");
    await page.getByRole("button", { name: "Herunterladen" }).or(page.getByText("Herunterladen")).waitFor();
    await page.reload();
    await page.getByText("Herunterladen").waitFor();
    await page.getByRole("button", { name: "Menü" }).click();
    await page.getByRole("link", { name: /^Konto/ }).click();
    await expect
      .poll(() => site.core.heard.at(-1))
      .toMatchObject({ name: "balance", origin: { locale: "de" } });
  });

  it("speaks the operator's language to those whose own it does not know", async () => {
    await page.context().close();
    await site.close();
    site = await startSite({ env: { REELAY_LOCALE: "de" } });
    await open("it-IT");
    await page.getByText("Füge zuerst ein Foto hinzu.").waitFor();
    expect(await page.locator("html").getAttribute("lang")).toBe("de");
  });

  it("asks for a key without keeping it, and for the price under it", async () => {
    await addSample();
    await prompt().fill("slow zoom");
    await page.getByText("1,000 tokens left", { exact: false }).waitFor();
    site.core.balance = 2000;
    await page.getByRole("button", { name: "Menu" }).click();
    await page.getByRole("link", { name: /^Account/ }).click();
    const dialog = page.getByRole("dialog", { name: "Account" });
    await dialog.getByRole("button", { name: /Connect a key/ }).click();
    const key = dialog.getByLabel("API key");
    expect(await key.getAttribute("type")).toBe("password");
    await dialog.getByRole("button", { name: "Send" }).click();
    await dialog.getByRole("alert").waitFor();
    await key.fill("sk-secret-secret");
    await dialog.getByRole("button", { name: "Send" }).click();
    await expect.poll(() => key.count()).toBe(0);
    expect(site.core.heard).toContainEqual(
      expect.objectContaining({ name: "connect", values: { key: "sk-secret-secret" } }),
    );
    await page.keyboard.press("Escape");
    await expect.poll(() => page.locator("dialog").count()).toBe(0);
    expect(await page.content()).not.toContain("sk-secret");
    await page.getByText("2,000 tokens left", { exact: false }).waitFor();
  });

  it("keeps its colours and its draft over a reload", async () => {
    await addSample();
    await prompt().fill("a draft");
    // What looks for keys in words is loaded once there are some.
    await expect.poll(() => page.evaluate<string>("JSON.stringify(sessionStorage)")).toContain("a draft");
    await page.getByRole("button", { name: "Colours: same as your system" }).click();
    await page.getByRole("button", { name: "Colours: light" }).click();
    await page.reload();
    await page.getByRole("button", { name: "Colours: dark" }).waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("dark");
    expect(await prompt().inputValue()).toBe("a draft");
    await page.locator(".well.filled img").waitFor();
  });

  it("has the colours that a button says as soon as it says so, with effects half a second late", async () => {
    await page.addInitScript(
      `const { setTimeout: now } = window; window.setTimeout = (work, ms = 0) => now(work, ms + 500);
       window.requestAnimationFrame = (work) => now(() => work(performance.now()), 500);`,
    );
    await page.reload();
    await page.getByRole("button", { name: "Colours: same as your system" }).click();
    await page.getByRole("button", { name: "Colours: light" }).waitFor();
    expect(await page.locator("html").getAttribute("data-theme")).toBe("light");
  });

  it("says that it reconnects, and catches up", async () => {
    await addSample();
    await prompt().fill("hold");
    await pricedButton().click();
    await page.getByText("Being made…").first().waitFor();
    const { data, url } = site;
    await site.stop();
    opened.complaints = [];
    await page.getByText("Reconnecting…").waitFor();
    // What the browser says of a server that is away is what this test is about.
    await expect.poll(() => opened.complaints.every((text) => text.includes("ERR_"))).toBe(true);
    site = await startSite({ data, port: Number(new URL(url).port) });
    await page.locator("video").waitFor();
    await expect.poll(() => page.getByText("Reconnecting…").count()).toBe(0);
    opened.complaints = [];
  });
});
