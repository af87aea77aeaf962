import type { Page } from "playwright-core";
import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { dropFiles, forEachTest, picture } from "./support/page.ts";

/** What others answer in Reelay's place: a network that wants its terms accepted, or a gateway that waited for too long. */
const NETWORKS_OWN = { status: 200, contentType: "text/html", body: "<h1>Welcome to our WLAN</h1>" };
const GATEWAYS_OWN = [
  { status: 502, contentType: "text/html", body: "<h1>Bad Gateway</h1>" },
  { status: 504, contentType: "application/json", body: '{"message":"Endpoint request timed out"}' },
];

describe.skipIf(withoutBrowser())("where Reelay does not answer", () => {
  const on = forEachTest();
  const form = () => on.page.getByRole("form", { name: "New request" });
  const words = () => on.page.getByRole("textbox", { name: "What should happen" });
  const unknown = (page: Page = on.page) =>
    page.getByText("When it is back, the conversation shows whether your request arrived.");
  const lost = () => on.page.getByRole("alert").filter({ hasText: "so the file did not arrive" });
  const heard = () => on.site.core.heard.filter(({ name }) => name === "video").length;
  const photo = () => on.page.locator(".well.filled img");

  /** The conversation was read: whatever is said of an earlier failure goes then. */
  const isRead = () => on.page.locator(".welcome").waitFor();

  async function fill() {
    await isRead();
    await on.page.getByRole("button", { name: "Try the sample photo" }).click();
    await photo().waitFor();
    await words().fill("slow zoom");
    await on.page.locator(".generate-button .cost:not(.stale)").waitFor();
  }
  const generate = () => on.page.getByRole("button", { name: /^Generate .*token/ }).click();
  /** Asks for a film: Reelay hears so, and whoever asked hears nothing. */
  async function pressUnheard() {
    await fill();
    await on.page.route("**/web/command/video", async (route) => {
      await route.fetch();
      await route.abort();
    });
    await generate();
    await unknown().waitFor();
  }
  const choosePhoto = async () =>
    on.page.getByLabel("Photo", { exact: true }).setInputFiles(await picture("lake.png", "teal"));

  it("keeps what a network's own page answers instead, and says so", async () => {
    await fill();
    await on.page.route("**/web/command/video", (route) => route.fulfill(NETWORKS_OWN));
    await generate();
    await unknown().waitFor();
    expect(await words().inputValue()).toBe("slow zoom");
    expect(await photo().count()).toBe(1);
    await on.page.unroute("**/web/command/video");
    await generate();
    await on.page.locator("video").waitFor();
    expect(await unknown().count()).toBe(0);
    expect(heard()).toBe(1);
  });

  it("says so of every other request that a network's own page answers", async () => {
    await form().waitFor();
    await isRead();
    await on.page.route("**/web/**", (route) => route.fulfill(NETWORKS_OWN));
    await choosePhoto();
    await lost().waitFor();
    await on.page.getByRole("button", { name: "Menu" }).click();
    await on.page.getByRole("link", { name: /^Privacy/ }).click();
    await on.page.getByRole("dialog").getByText("Reelay is not answering").waitFor();
    await on.page.reload();
    await on.page.getByText("Reelay is not answering").waitFor();
    expect(on.site.core.heard).toEqual([]);
    on.forgive(/MIME type/);
  });

  it.each(GATEWAYS_OWN)("promises nothing about money where a gateway answers $status", async (own) => {
    await fill();
    await on.page.route("**/web/command/video", async (route) => {
      await route.fetch();
      await route.fulfill(own);
    });
    await generate();
    await unknown().waitFor();
    expect(await form().getByText("Nothing was charged").count()).toBe(0);
    expect(heard()).toBe(1);
    on.forgive(/status of 50[24]/);
  });

  /** The tab keeps what is in the form: what looks for keys in words is loaded once there are some. */
  async function isKept(text: string) {
    await expect.poll(() => on.page.evaluate<string>("JSON.stringify(sessionStorage)")).toContain(text);
  }

  it.each(["is back", "is reloaded"])(
    "empties the form of what arrived all the same once the page %s",
    async (how) => {
      await pressUnheard();
      expect(await words().inputValue()).toBe("slow zoom");
      await isKept("slow zoom");
      if (how === "is reloaded") await on.page.reload();
      else {
        await on.page.context().setOffline(true);
        await on.page.context().setOffline(false);
      }
      await unknown().waitFor({ state: "detached" });
      await expect.poll(() => words().inputValue()).toBe("");
      expect(await photo().count()).toBe(0);
      expect(heard()).toBe(1);
      on.forgive(/ERR_(?:FAILED|INTERNET_DISCONNECTED)/);
    },
  );

  it("keeps what was changed after a request that arrived all the same", async () => {
    await pressUnheard();
    await words().fill("fast zoom");
    await isKept("fast zoom");
    await on.page.reload();
    await photo().waitFor();
    await on.page.locator("article video").waitFor();
    expect(await words().inputValue()).toBe("fast zoom");
    expect(heard()).toBe(1);
    on.forgive(/ERR_FAILED/);
  });

  it("says at once that nothing answers to whoever is offline, until the conversation was read again", async () => {
    await fill();
    await on.page.context().setOffline(true);
    await generate();
    await unknown().waitFor();
    expect(await words().inputValue()).toBe("slow zoom");
    await on.page.context().setOffline(false);
    await unknown().waitFor({ state: "detached" });
    await generate();
    await on.page.locator("video").waitFor();
    expect(heard()).toBe(1);
    on.forgive(/ERR_INTERNET_DISCONNECTED/);
  });

  it("says of a photo only that it did not arrive, until one did or Reelay is back", async () => {
    await isRead();
    await on.page.route("**/web/media", (route) => route.abort());
    await choosePhoto();
    await lost().waitFor();
    expect(await unknown().count()).toBe(0);
    await dropFiles(on.page, [await picture("lake.png", "teal")]);
    await expect.poll(() => lost().count()).toBe(2);

    await on.page.unroute("**/web/media");
    await dropFiles(on.page, [await picture("lake.png", "teal")]);
    await photo().waitFor();
    expect(await lost().count()).toBe(0);

    await on.page.context().setOffline(true);
    await choosePhoto();
    await lost().waitFor();
    await on.page.context().setOffline(false);
    await lost().waitFor({ state: "detached" });
    on.forgive(/ERR_(?:FAILED|INTERNET_DISCONNECTED)/);
  });
});
