import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { deliverResults, focused, forEachTest, picture } from "./support/page.ts";

const widthOf = ({ naturalWidth }: { readonly naturalWidth: number }) => naturalWidth;

describe.skipIf(withoutBrowser())("deleting on the page", () => {
  const on = forEachTest();
  const videos = () => on.page.locator("video").count();
  const card = () => on.page.getByRole("article").first();
  const remove = () => card().getByRole("button", { name: "Delete", exact: true });
  const forGood = () => card().getByRole("button", { name: "Delete for good" });
  const composer = () => on.page.getByRole("form", { name: "New request" });
  const generate = () => on.page.getByRole("button", { name: /^Generate .*token/ });
  const inForm = () => composer().getByRole("button", { name: "Remove", exact: false });
  const heard = () => on.site.core.heard.map(({ name }) => name);

  /** Three results, and time that passes only where a test lets it. */
  async function come() {
    await deliverResults(on.site, 3);
    await on.page.clock.install();
    await on.page.reload();
    await expect.poll(videos).toBe(3);
    await on.page.clock.pauseAt(Date.now() + 3_600_000);
  }
  const pass = (ms: number) => on.page.clock.runFor(ms);
  /** Until the page has done what it was pressed for: it draws by the clock, too. */
  async function drawn() {
    await pass(20);
    return focused(on.page);
  }
  async function untilFocused(name: RegExp) {
    await expect.poll(drawn).toMatch(name);
  }

  it("asks right where it is, says what goes, and leaves the focus there", async () => {
    await come();
    await remove().press("Enter");
    await untilFocused(/^Keep it$/);
    const question = on.page.getByRole("group", { name: "number 1" });
    await question
      .getByText("Delete this for good, here and, where that can be done, at the service?")
      .waitFor();
    const { y = -1, height = 0 } = (await question.boundingBox()) ?? {};
    expect(y).toBeGreaterThanOrEqual(0);
    expect(y + height).toBeLessThanOrEqual(800);
    await on.page.keyboard.press("Enter");
    await untilFocused(/^Delete$/);
    expect(await on.page.getByRole("article").count()).toBe(3);
    expect(heard()).toEqual([]);
  });

  it("destroys nothing while it can be undone, and then what was meant, with the focus on what is left", async () => {
    await come();
    await remove().press("Enter");
    await untilFocused(/^Keep it$/);
    await forGood().press("Enter");
    await untilFocused(/^Undo$/);
    await pass(7000);
    await on.page.keyboard.press("Enter");
    await untilFocused(/^Delete$/);
    await pass(60_000);
    expect(heard()).toEqual([]);

    await on.page.keyboard.press("Enter");
    await untilFocused(/^Keep it$/);
    await forGood().press("Enter");
    await untilFocused(/^Undo$/);
    await pass(8000);
    await untilFocused(/^Reelay, /);
    await card().getByText("Deleted.").waitFor();
    const told = on.page.getByRole("status").filter({ hasText: "Deleted, here and at the service." });
    await told.getByText("Still shown in the chat").waitFor();
    expect(heard()).toEqual(["delete-now"]);
    expect(await videos()).toBe(2);
    // Nothing is said at the end of the conversation, where nobody looks.
    expect(await on.page.getByRole("article").count()).toBe(3);
  });

  it("deletes nothing when the page is left before", async () => {
    await come();
    await remove().press("Enter");
    await untilFocused(/^Keep it$/);
    await forGood().press("Enter");
    await untilFocused(/^Undo$/);
    await card().getByText("If you close or leave this page before then, it stays.").waitFor();
    await on.page.goto("about:blank");
    await on.page.clock.resume();
    await on.page.goto(on.site.url);
    await on.page.clock.fastForward(60_000);
    await expect.poll(videos).toBe(3);
    expect(heard()).toEqual([]);
  });

  it("says why something cannot be deleted, and keeps it", async () => {
    await come();
    on.site.core.refuses = "job_busy";
    await remove().press("Enter");
    await untilFocused(/^Keep it$/);
    await forGood().press("Enter");
    await untilFocused(/^Undo$/);
    await pass(8000);
    await untilFocused(/^Reelay, /);
    await on.page.getByRole("alert").getByText("This is still in progress.").waitFor();
    await remove().waitFor();
    expect(await videos()).toBe(3);
  });

  it("keeps what only its key deletes at the service, and lets it be deleted here alone", async () => {
    await come();
    on.site.core.keyless = true;
    await remove().press("Enter");
    await untilFocused(/^Keep it$/);
    await forGood().press("Enter");
    await untilFocused(/^Undo$/);
    await pass(8000);
    const told = on.page.getByRole("status").filter({ hasText: "Nothing was deleted" });
    await told.getByRole("button", { name: "Connect a key" }).waitFor();
    expect(await card().getByText("Deleted.").count()).toBe(0);
    await remove().waitFor();
    await told.getByRole("button", { name: "Delete here only" }).click();
    await on.page.getByText("Deleted here. It stays in the account at the service.").waitFor();
    expect(await told.count()).toBe(0);
    await expect.poll(videos).toBe(2);
  });

  /** Makes something of a photo, and takes the same for another, with a clock that can be put forward. */
  async function useAgain() {
    await on.page.clock.install();
    await on.page.reload();
    await composer()
      .locator("input[type=file]")
      .first()
      .setInputFiles([await picture("lake.png", "teal")]);
    await on.page.getByRole("textbox", { name: "What should happen" }).fill("first");
    await generate().click();
    await expect.poll(videos).toBe(1);
    await on.page.getByRole("button", { name: "Use again" }).click();
    // The button shows the price of the first meanwhile; by asking for its own, the form says what it holds.
    const priced = on.page.waitForResponse((response) =>
      Boolean(response.request().postData()?.includes("second") && response.url().includes("/quote/")),
    );
    await on.page.getByRole("textbox", { name: "What should happen" }).fill("second");
    await inForm().first().waitFor();
    expect((await priced).ok()).toBe(true);
    await on.page.getByRole("button", { name: "Generate about 4.5 tokens" }).waitFor();
  }

  it("leaves its photo to a form that holds it again: nobody deleted that", async () => {
    await useAgain();
    await on.page.getByRole("button", { name: "Delete", exact: true }).click();
    await on.page.getByRole("button", { name: "Delete for good" }).click();
    await on.page.getByText("If you close or leave this page before then, it stays.").waitFor();
    await on.page.clock.fastForward(8000);
    await on.page.getByRole("status").getByText("Deleted, here and at the service.").waitFor();
    await expect.poll(() => on.page.getByText("first", { exact: true }).count()).toBe(0);
    // Its price is asked for anew after each deletion.
    await on.page.clock.fastForward(1000);
    expect(await on.page.getByRole("alert").count()).toBe(0);
    await generate().click();
    await expect.poll(videos).toBe(1);
    const photo = on.page.locator('[data-kind="request"] img');
    await expect.poll(() => photo.evaluate(widthOf)).toBe(60);
  });
});
