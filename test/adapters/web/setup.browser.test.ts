import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type Entered,
  type Remark,
  type Setup,
  SETUP_STEPS,
  type SetupState,
} from "../../../src/seam/surface/setup.ts";
import { LOCALES } from "../../../src/common/i18n.ts";
import { launchBrowser, withoutBrowser } from "../../support/browser.ts";
import { closePage, openPage } from "./support/page.ts";
import { startSite } from "./support/site.ts";

const CAP = "REELAY_DAILY_CAP";

/** Keeps what is entered. */
class KeepingSetup implements Setup {
  readonly entered: Entered["values"][] = [];
  /** What is wrong with whatever is entered. */
  wrong: Remark | undefined;

  async state(): Promise<SetupState> {
    const value = this.entered.at(-1)?.[CAP] ?? "";
    const field = { name: CAP, kind: "number", fallback: "20", value, isSet: true, isLocked: false } as const;
    const steps = Object.fromEntries(SETUP_STEPS.map((step) => [step, step === "people" ? [field] : []]));
    const revision = this.entered.length;
    return { revision, inForce: "all", steps: steps as unknown as SetupState["steps"], env: "", unused: [] };
  }

  look = async () => [];
  tryOut = async () => ({ key: "setup.discord.posted" }) as const;
  echo = () => undefined;

  async save(_step: string, { values }: Entered) {
    if (this.wrong)
      return { outcome: "refused", wrong: { [CAP]: this.wrong }, findings: [], mayAnyway: false } as const;
    this.entered.push(values);
    return { outcome: "saved", wrong: {}, findings: [], mayAnyway: false } as const;
  }
}

describe.skipIf(withoutBrowser())("the page that sets Reelay up, where an answer is cut off", () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());

  /** Opens its step of people, and cuts off the next answer of a kind. */
  async function opened(path: string, method: string) {
    const setup = new KeepingSetup();
    const site = await startSite({ setup });
    const { page, complaints } = await openPage(browser, `${site.url}/setup`);
    await page.getByRole("button", { name: "People" }).click();
    await page.getByLabel("Jobs a day").fill("3");
    let isDue = true;
    await page.route(`${site.url}/web/${path}`, async (route) => {
      if (!isDue || route.request().method() !== method) return route.continue();
      isDue = false;
      if (method === "POST") await route.fetch();
      return route.abort("connectionreset");
    });
    await page.getByRole("button", { name: "Check and save" }).click();
    return {
      page,
      setup,
      async [Symbol.asyncDispose]() {
        // Of what is cut off, and of what is refused.
        const others = complaints.filter((line) => !/ERR_CONNECTION_RESET|status of 422/.test(line));
        await closePage({ page, complaints: others });
        await site.close();
      },
    };
  }

  it("asks again what is in force after something was saved", async () => {
    await using at = await opened("setup", "GET");
    await at.page.getByText("Saved, and in force.").waitFor();
    expect(await at.page.getByLabel("Jobs a day").inputValue()).toBe("3");
  });

  it("says that no answer came to what was entered, and shows what is set by now", async () => {
    await using at = await opened("setup/people", "POST");
    await at.page.getByText("No answer came.").waitFor();
    expect(await at.page.getByLabel("Jobs a day").inputValue()).toBe("3");
    expect(at.setup.entered).toHaveLength(1);
    await at.page.getByRole("button", { name: "Check and save" }).click();
    await at.page.getByText("Saved, and in force.").waitFor();
    expect(await at.page.getByText("No answer came.").count()).toBe(0);
  });

  it("keeps the product's name in one piece on a small phone, in every language", async () => {
    await using at = await opened("setup", "GET");
    await at.page.setViewportSize({ width: 320, height: 700 });
    for (const locale of LOCALES) {
      await at.page.locator("select.language").selectOption(locale);
      await expect.poll(() => at.page.locator("html").getAttribute("lang")).toBe(locale);
      // The logo is higher than a line, and lower than two.
      const name = await at.page.locator(".brand").boundingBox();
      expect({ locale, height: name?.height }).toEqual({ locale, height: 32 });
      expect(await at.page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(320);
    }
  });

  it("says what is wanted instead of something that is no key", async () => {
    await using at = await opened("setup", "GET");
    await at.page.getByText("Saved, and in force.").waitFor();
    for (const [wanted, said] of [
      ["wanted.key_alone", "the key alone, without anything before or after it, such as “Bearer”."],
      ["wanted.key_unquoted", "the key without the quotes around it."],
    ] as const) {
      at.setup.wrong = { key: "setup.wrong.needed", params: { setting: CAP, wanted } };
      await at.page.getByLabel("Jobs a day").fill("4");
      await at.page.getByRole("button", { name: "Check and save" }).click();
      await at.page.getByText(`${CAP} wants ${said}`).waitFor();
    }
    expect(at.setup.entered).toHaveLength(1);
  });
});
