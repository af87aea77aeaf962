import { readFile } from "node:fs/promises";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { mediaIn } from "../../../src/seam/values.ts";
import { withoutBrowser } from "../../support/browser.ts";
import { PHOTO } from "./support/client.ts";
import { choose, dropFiles, focused, forEachTest, picture, tabTo, type GivenFile } from "./support/page.ts";

/** Silence, as 8-bit mono at 8 kHz. */
function silence(name: string, seconds: number): GivenFile {
  const samples = Buffer.alloc(8000 * seconds, 128);
  const head = Buffer.alloc(44);
  head.write("RIFF", 0);
  head.writeUInt32LE(36 + samples.length, 4);
  head.write("WAVEfmt ", 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(8000, 24);
  head.writeUInt32LE(8000, 28);
  head.writeUInt16LE(1, 32);
  head.writeUInt16LE(8, 34);
  head.write("data", 36);
  head.writeUInt32LE(samples.length, 40);
  return { name, mimeType: "audio/wav", buffer: Buffer.concat([head, samples]) };
}

describe.skipIf(withoutBrowser())("every operation on the page", () => {
  const on = forEachTest();
  const prompt = () => on.page.locator(".prompt textarea");
  const generate = () => on.page.getByRole("button", { name: /^Generate .*token/ }).click();
  const heard = () => on.site.core.heard.at(-1);
  /** The pictures of the list, by what they are called. */
  const inList = () =>
    on.page.locator(".strip img").evaluateAll((all: { alt: string }[]) => all.map(({ alt }) => alt));

  it("is chosen by keyboard from what comes out, and is there again in a new tab", async () => {
    await tabTo(on.page, "What to make: Photo to video");
    await on.page.keyboard.press("Enter");
    const dialog = on.page.getByRole("dialog", { name: "What to make" });
    await dialog.waitFor();
    expect(await focused(on.page)).toContain("Photo to video");
    const pictures = dialog.getByRole("region", { name: "Pictures" });
    expect(await dialog.getByRole("region", { name: "Videos" }).getByText("Repaint").count()).toBe(0);
    const pro = pictures.getByRole("button").filter({ has: on.page.getByText("Pro", { exact: true }) });
    expect(await pro.count()).toBeGreaterThan(0);

    await on.page.keyboard.press("ArrowUp");
    await on.page.keyboard.press("ArrowUp");
    const above = await focused(on.page);
    await on.page.keyboard.press("ArrowDown");
    const below = await focused(on.page);
    expect(above).not.toBe(below);
    await pictures.getByRole("button", { name: /^Repaint a part/ }).focus();
    await on.page.keyboard.press("Enter");
    await expect.poll(() => focused(on.page)).toBe("What to make: Repaint a part");

    const again = await on.page.context().newPage();
    await again.goto(on.site.url);
    await again.getByRole("button", { name: "What to make: Repaint a part" }).waitFor();
  });

  it("keeps what fits when something else is to be made, and the rest for the way back", async () => {
    await choose(on.page, "Edit pictures");
    await on.page
      .locator(".strip input")
      .setInputFiles([await picture("red.png", "red"), await picture("blue.png", "blue")]);
    await expect.poll(inList).toEqual(["red.png", "blue.png"]);
    await prompt().fill("make it winter");
    await choose(on.page, "Photo to video");
    expect(await on.page.locator(".well.filled img").getAttribute("alt")).toBe("red.png");
    expect(await prompt().inputValue()).toBe("make it winter");
    await choose(on.page, "Face swap");
    expect(await on.page.locator(".well.filled").count()).toBe(2);
    await choose(on.page, "Edit pictures");
    expect(await inList()).toEqual(["red.png", "blue.png"]);
    expect(await prompt().inputValue()).toBe("make it winter");
  });

  it("takes several pictures at once, in an order that can be changed", async () => {
    await choose(on.page, "Video from pictures and sounds");
    const colours = ["red", "green", "blue"];
    await dropFiles(on.page, await Promise.all(colours.map((colour) => picture(`${colour}.png`, colour))));
    await expect.poll(inList).toEqual(["red.png", "green.png", "blue.png"]);
    expect(await on.page.getByRole("status").filter({ hasText: "3 of 5" }).count()).toBe(1);

    await on.page.getByRole("button", { name: "Move picture 1 to the right" }).press("Enter");
    await expect.poll(inList).toEqual(["green.png", "red.png", "blue.png"]);
    await expect.poll(() => focused(on.page)).toBe("Move picture 2 to the right");
    await on.page.keyboard.press("Enter");
    await expect.poll(inList).toEqual(["green.png", "blue.png", "red.png"]);
    // It is the last now: what is left is the way back.
    await expect.poll(() => focused(on.page)).toBe("Move picture 3 to the left");

    await on.page.locator(".strip > li").nth(2).dragTo(on.page.locator(".strip > li").nth(0));
    await expect.poll(inList).toEqual(["red.png", "green.png", "blue.png"]);
    await on.page.getByRole("button", { name: "Remove: picture 2" }).click();
    await expect.poll(inList).toEqual(["red.png", "blue.png"]);

    await prompt().fill("they meet");
    await generate();
    await on.page.locator("video").waitFor();
    expect(mediaIn(heard()?.values["images"]).map(({ name }) => name)).toEqual(["red.png", "blue.png"]);
    expect(await on.page.locator(".given img").count()).toBe(2);
    await on.page.getByRole("button", { name: "Use again" }).click();
    await expect.poll(inList).toEqual(["red.png", "blue.png"]);
  });

  it("asks for no photo where words are enough, and says so of one that is dropped", async () => {
    await choose(on.page, "Picture from words");
    await on.page.getByText("Still missing: What it should show.").waitFor();
    expect(await on.page.getByText("Try the sample photo").count()).toBe(0);
    await dropFiles(on.page, [await picture("red.png", "red")]);
    await on.page.getByText("Not everything fits here.", { exact: false }).waitFor();
    await dropFiles(on.page, [{ name: "a.pdf", mimeType: "application/pdf", buffer: Buffer.from("%PDF") }]);
    await on.page.getByText("Files of the type application/pdf cannot be used.", { exact: false }).waitFor();
  });

  it("fills one well after another, and says what is left out", async () => {
    await choose(on.page, "Face swap");
    await dropFiles(on.page, [
      await picture("red.png", "red"),
      await picture("green.png", "green"),
      await picture("blue.png", "blue"),
    ]);
    await on.page.getByText("Not everything fits here.", { exact: false }).waitFor();
    await expect.poll(() => on.page.locator(".well.filled").count()).toBe(2);
    // Stated each time, by the button that begins.
    await on.page.getByText("Did everybody in these two pictures agree", { exact: false }).waitFor();
    await on.page.getByRole("button", { name: /^They all agreed: swap the faces .*token/ }).click();
    await on.page.getByRole("img", { name: "The finished picture" }).waitFor();
    expect(heard()?.values).toMatchObject({ target: { name: "red.png" }, source: { name: "green.png" } });
    expect(heard()?.origin.agreed).toEqual(["faces"]);
  });

  it("takes sounds within their bounds, and says clearly which are not", async () => {
    await choose(on.page, "Video from pictures and sounds");
    const sounds = on.page.locator(".sounds input");
    const problem = on.page.locator(".sounds").getByRole("alert");
    await sounds.setInputFiles(silence("long.wav", 12));
    await problem.getByText("This sound is too long: 12 seconds, and at most 10").waitFor();
    await sounds.setInputFiles({ name: "film.mp4", mimeType: "video/mp4", buffer: Buffer.from("film") });
    await problem.getByText("Files of the type video/mp4").waitFor();
    expect(await on.page.locator(".sound").count()).toBe(0);

    await sounds.setInputFiles([silence("one.wav", 8), silence("two.wav", 6)]);
    await on.page.getByText("2 of 3").waitFor();
    await expect
      .poll(() =>
        on.page
          .locator("audio")
          .evaluateAll((all: { duration: number }[]) => all.map(({ duration }) => duration)),
      )
      .toEqual([8, 6]);
    await dropFiles(on.page, [silence("three.wav", 2)]);
    await problem.getByText("Together, the sounds are too long: 16 seconds, and at most 15").waitFor();
    await on.page.getByRole("button", { name: "Remove: two.wav" }).click();
    await dropFiles(on.page, [silence("three.wav", 2)]);
    await on.page.getByText("three.wav").waitFor();
    expect(await problem.count()).toBe(0);

    await on.page.locator(".strip input").setInputFiles(await picture("red.png", "red"));
    await prompt().fill("to the beat");
    await generate();
    await on.page.locator("video").waitFor();
    expect(mediaIn(heard()?.values["audios"]).map(({ name }) => name)).toEqual(["one.wav", "three.wav"]);
    expect(await on.page.locator(".message audio").count()).toBe(2);
  });

  it("shows a finished picture large, in its own size, and saves it under its name", async () => {
    await choose(on.page, "Picture from words");
    await prompt().fill("a lighthouse");
    await generate();
    await on.page.getByRole("button", { name: "The finished picture" }).press("Enter");
    const dialog = on.page.getByRole("dialog", { name: "reelay.jpg" });
    await dialog.waitFor();
    const width = async () => (await dialog.getByRole("img").boundingBox())?.width;
    await expect.poll(width).toBeGreaterThan(600);
    await dialog.getByRole("button", { name: "Full size" }).click();
    const own = await sharp(await readFile(PHOTO)).metadata();
    await expect.poll(width).toBe(own.width);
    const [download] = await Promise.all([
      on.page.waitForEvent("download"),
      dialog.getByRole("link", { name: "Download" }).click(),
    ]);
    expect(download.suggestedFilename()).toBe("reelay.jpg");
    await on.page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await expect.poll(() => on.page.evaluate<string>("document.activeElement.className")).toBe("media-open");
  });
});
