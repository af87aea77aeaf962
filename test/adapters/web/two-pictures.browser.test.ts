import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../support/browser.ts";
import { choose, focused, forEachTest, picture } from "./support/page.ts";

describe.skipIf(withoutBrowser())("two pictures for different things", () => {
  const on = forEachTest();

  it("keep their labels when they are filled, and change places by a button", async () => {
    await choose(on.page, "Face swap");
    const well = (name: string) => on.page.locator(".well", { hasText: name });
    await well("Picture that gets the face")
      .locator("input")
      .setInputFiles(await picture("red.png", "red"));
    await well("Picture of the face")
      .locator("input")
      .setInputFiles(await picture("blue.png", "blue"));
    const inWell = (name: string) => well(name).locator("img").getAttribute("alt");
    await expect.poll(() => inWell("Picture that gets the face")).toBe("red.png");
    await expect.poll(() => inWell("Picture of the face")).toBe("blue.png");

    await on.page.getByRole("button", { name: "Swap the two pictures" }).press("Enter");
    await expect.poll(() => inWell("Picture that gets the face")).toBe("blue.png");
    expect(await inWell("Picture of the face")).toBe("red.png");
    expect(await focused(on.page)).toBe("Swap the two pictures");

    await on.page.getByRole("button", { name: /^They all agreed: swap the faces .*token/ }).click();
    const given = on.page.locator(".given li");
    await expect.poll(() => given.count()).toBe(2);
    expect(await given.allInnerTexts()).toEqual(["Picture that gets the face", "Picture of the face"]);
    expect(on.site.core.heard.at(-1)?.values).toMatchObject({ target: { name: "blue.png" } });
  });
});
