import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { PHOTO } from "./support/client.ts";
import { choose, dropAddress, dropFiles, focused, forEachTest, picture } from "./support/page.ts";

describe.skipIf(withoutBrowser())("what the page is given", () => {
  let elsewhere: Server;
  let host: string;
  beforeAll(async () => {
    const photo = await readFile(PHOTO);
    elsewhere = createServer(({ url }, response) => {
      const shown = url === "/lake.jpg";
      response.writeHead(200, { "content-type": shown ? "image/jpeg" : "text/html" });
      response.end(shown ? photo : "<p>words</p>");
    });
    await new Promise<void>((resolve) => elsewhere.listen(0, "127.0.0.1", resolve));
    host = `127.0.0.1:${(elsewhere.address() as AddressInfo).port}`;
  });
  afterAll(() => elsewhere.close());
  const on = forEachTest(() => ({ env: { REELAY_PRIVATE_HOSTS: host } }));
  const problem = () => on.page.getByRole("alert");
  const inWell = () => on.page.locator(".well.filled img").getAttribute("alt");

  it("takes a picture by its address, also out of a link to something else", async () => {
    await dropAddress(on.page, `http://${host}/lake.jpg`);
    expect(await inWell()).toBe("lake.jpg");
    await on.page.getByRole("button", { name: "Remove: Photo" }).click();
    await dropAddress(
      on.page,
      `http://${host}/page`,
      `<a href="/page"><img src="http://${host}/lake.jpg"></a>`,
    );
    expect(await inWell()).toBe("lake.jpg");
    await on.page.getByRole("textbox", { name: "What should happen" }).fill("slow zoom");
    await on.page.getByRole("button", { name: /^Generate .*token/ }).click();
    await on.page.locator("video").waitFor();
    expect(on.site.core.heard.at(-1)?.values).toMatchObject({ image: { surface: "web", name: "lake.jpg" } });
  });

  it.each([
    ["a page", () => `http://${host}/page`, "Files of the type text/html cannot be used."],
    [
      "a private place",
      () => "http://127.0.0.1:9/lake.jpg",
      "Files are only fetched from public https addresses.",
    ],
    [
      "no place at all",
      () => "data:image/png;base64,AAAA",
      "Files are only fetched from public https addresses.",
    ],
  ])("says why the address of %s is not taken", async (_what, address, sentence) => {
    await dropAddress(on.page, address());
    await problem().getByText(sentence, { exact: false }).waitFor();
    expect(await on.page.locator(".well.filled").count()).toBe(0);
    on.forgive(/status of 400/);
  });

  it("takes what is shown here already from here", async () => {
    await choose(on.page, "Picture from words");
    await on.page.getByRole("textbox").first().fill("a lighthouse");
    await on.page.getByRole("button", { name: /^Generate .*token/ }).click();
    const made = on.page.getByRole("img", { name: "The finished picture" });
    const address = new URL((await made.getAttribute("src")) ?? "", on.site.url).href;
    await choose(on.page, "Photo to video");
    await dropAddress(on.page, address);
    await expect
      .poll(
        async () =>
          new URL((await on.page.locator(".well.filled img").getAttribute("src")) ?? "", address).href,
      )
      .toBe(address);
  });

  it("brings words along with the sample, in the page's language, so that one press makes the film", async () => {
    await on.page.getByLabel("Language").selectOption("de");
    await on.page.getByRole("button", { name: "Beispielfoto ausprobieren" }).press("Enter");
    await on.page.locator(".well.filled img").waitFor();
    const words = on.page.getByRole("textbox", { name: "Was passieren soll" });
    await expect.poll(() => words.inputValue()).toMatch(/See/);
    expect(await words.isEditable()).toBe(true);
    const generate = on.page.getByRole("button", { name: /^Erstellen/ });
    await expect.poll(() => focused(on.page)).toMatch(/^Erstellen/);
    expect(await generate.getAttribute("aria-disabled")).toBe("false");
    // A press before the price is there begins nothing.
    await on.page.getByRole("button", { name: /^Erstellen .*Token/ }).waitFor();
    const written = await words.inputValue();
    await on.page.keyboard.press("Enter");
    await on.page.locator("video").waitFor();
    expect(on.site.core.heard.at(-1)).toMatchObject({ name: "video", values: { prompt: written } });
  });

  it("keeps words, and a template, that were there before the sample", async () => {
    const sample = on.page.getByRole("button", { name: "Try the sample photo" });
    const words = on.page.getByRole("textbox", { name: "What should happen" });
    await words.fill("my own");
    await sample.click();
    await on.page.locator(".well.filled img").waitFor();
    expect(await words.inputValue()).toBe("my own");

    await on.page.getByRole("button", { name: "Remove: Photo" }).click();
    await words.fill("");
    await on.page.getByRole("button", { name: "Template" }).click();
    await on.page.getByRole("button", { name: /Gentle rain/ }).click();
    await sample.click();
    await on.page.locator(".well.filled img").waitFor();
    expect(await words.inputValue()).toBe("");
  });

  it("spends nothing when the key that took the sample is still held down", async () => {
    await on.page.getByRole("button", { name: "Try the sample photo" }).focus();
    await on.page.keyboard.down("Enter");
    await expect.poll(() => focused(on.page)).toMatch(/^Generate/);
    await on.page.keyboard.down("Enter");
    await on.page.keyboard.up("Enter");
    await on.page.getByRole("textbox", { name: "What should happen" }).fill("mine");
    await on.page.getByRole("button", { name: /^Generate .*token/ }).waitFor();
    await on.page.keyboard.press("Control+Enter");
    await on.page.locator("video").waitFor();
    const sent = on.site.core.heard.filter(({ name }) => name === "video");
    expect(sent.map(({ values }) => values["prompt"])).toEqual(["mine"]);
  });

  it("leaves the focus with whoever began to write while the sample came", async () => {
    const { promise: written, resolve: goOn } = Promise.withResolvers<void>();
    await on.page.route("**/web/media", async (route) => {
      await written;
      await route.continue();
    });
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    const words = on.page.getByRole("textbox", { name: "What should happen" });
    await words.focus();
    goOn();
    await on.page.locator(".well.filled img").waitFor();
    await on.page.getByText("Still missing: What should happen or Template.").waitFor();
    await on.page.keyboard.type("slow zoom");
    expect(await words.inputValue()).toBe("slow zoom");
  });

  it("says so when the sample cannot be had", async () => {
    // What is said of it goes where the conversation is read after it.
    await on.page.locator(".welcome").waitFor();
    await on.page.route("**/web/media", (route) => route.abort());
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await problem().getByText("Reelay is not answering", { exact: false }).waitFor();
    await problem().getByRole("button", { name: "Close" }).click();
    await on.page.route("**/assets/sample*", (route) => route.abort());
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await problem().getByText("Reelay is not answering", { exact: false }).waitFor();
    expect(await on.page.locator(".well.filled").count()).toBe(0);
    on.forgive(/ERR_FAILED/);
  });

  it("forgets what found no place when it finds one, or more is taken", async () => {
    await choose(on.page, "Face swap");
    const three = await Promise.all(["red", "green", "blue"].map((name) => picture(`${name}.png`, name)));
    const note = on.page.getByText("Not everything fits here.", { exact: false });
    await dropFiles(on.page, three);
    await expect.poll(() => on.page.locator(".well.filled").count()).toBe(2);
    await note.waitFor();
    await on.page.getByRole("button", { name: "Remove: Picture of the face" }).click();
    await expect.poll(() => note.count()).toBe(0);

    await dropFiles(on.page, three);
    await note.waitFor();
    await choose(on.page, "Video from pictures and sounds");
    await expect.poll(() => note.count()).toBe(0);
  });

  it("finds a template whose name is not quite right", async () => {
    await on.page.getByRole("button", { name: "Template" }).click();
    const gallery = on.page.getByRole("dialog", { name: "Template" });
    await gallery.getByRole("searchbox").fill("zom");
    await expect.poll(() => gallery.locator(".template b").allInnerTexts()).toEqual(["Slow zoom"]);
    // Hardly anybody errs in the first letter: who looks for "main" does not mean "rain".
    await gallery.getByRole("searchbox").fill("dwift");
    await expect.poll(() => gallery.locator(".template b").allInnerTexts()).toEqual(["Drift left"]);
    await gallery.getByRole("searchbox").fill("main");
    await gallery.getByText("Nothing found.", { exact: false }).waitFor();
    await gallery.getByRole("searchbox").fill("xyzzy");
    await gallery.getByText("Nothing found.", { exact: false }).waitFor();
  });
});
