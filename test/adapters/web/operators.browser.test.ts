import type { Browser } from "playwright-core";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { TERMINAL_OWNER, operatorAddress } from "../../../src/seam/access/operators.ts";
import type { OperatorRole } from "../../../src/seam/access/operators.ts";
import { launchBrowser, withoutBrowser } from "../../support/browser.ts";
import { closePage, openPage, type OpenPage } from "./support/page.ts";
import { type Site, startSite } from "./support/site.ts";
import { PUBLIC } from "./support/visitor.ts";

/** Leaves out what a browser says of an answer that is no success. */
function forgive(one: OpenPage): void {
  one.complaints = one.complaints.filter((text) => !/Failed to load resource|origin-keyed/.test(text));
}

describe.skipIf(withoutBrowser())("a link for somebody who runs Reelay, in Chromium", () => {
  let browser: Browser;
  let site: Site;
  let opened: OpenPage[];
  beforeAll(async () => {
    browser = await launchBrowser();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    site = await startSite({ env: PUBLIC });
    opened = [];
  });
  afterEach(async () => {
    try {
      for (const one of opened) await closePage(one);
    } finally {
      await site.close();
    }
  });

  /** Follows a link, in a browser of its own. */
  async function follow(address: string): Promise<OpenPage> {
    const one = await openPage(browser, address);
    opened.push(one);
    // This site has no console: what it is has tests of its own.
    const console = { contentType: "text/html", body: '<link rel="icon" href="data:,"><h1>The console</h1>' };
    await one.page.route("**/console", (route) => route.fulfill(console));
    return one;
  }

  async function invited(role: OperatorRole) {
    const made = await site.operators.invite(role, TERMINAL_OWNER);
    return { id: made.operator.id, address: operatorAddress(site.url, made) };
  }

  it("asks for a name, again where it is taken, and leads to the page with nothing left in the address", async () => {
    const { token } = await site.operators.invite("viewer", TERMINAL_OWNER);
    await site.operators.enter(token, "Ann");
    const { id, address } = await invited("operator");
    const one = await follow(address);
    const { page } = one;
    await page.getByText("Somebody invites you to run this Reelay").waitFor();
    expect(page.url()).toBe(`${site.url}/`);
    const name = page.getByRole("textbox", { name: "Your name" });
    await name.fill("ann");
    await page.getByRole("button", { name: "Come in" }).click();
    await page.getByRole("alert").getByText("is called “ann” already").waitFor();
    await name.fill("Bob");
    await page.getByRole("button", { name: "Come in" }).click();
    await page.getByRole("textbox", { name: "What should happen" }).waitFor();
    expect(await site.operators.find(id)).toMatchObject({ name: "Bob" });
    forgive(one);

    const late = await follow(address);
    await late.page.getByRole("alert").getByText("This link opens nothing any more").waitFor();
    expect(await late.page.getByRole("textbox").count()).toBe(0);
    forgive(late);

    // While they are there: everything is taken away at once.
    await site.operators.setRole(id, { from: "operator", to: "viewer" }, TERMINAL_OWNER);
    await page.reload();
    await page.waitForURL(/\/console$/);
    forgive(one);
  });

  it("takes a viewer to the console", async () => {
    const { address } = await invited("viewer");
    const one = await follow(address);
    await one.page.getByRole("textbox", { name: "Your name" }).fill("Zoe");
    await one.page.getByRole("button", { name: "Come in" }).click();
    await one.page.waitForURL(/\/console$/);
    await one.page.getByRole("heading", { name: "The console" }).waitFor();
    expect(one.page.url()).toBe(`${site.url}/console`);
    forgive(one);
  });

  it("asks whoever was here before whether the link is theirs", async () => {
    const { token, operator } = await site.operators.invite("owner", TERMINAL_OWNER);
    await site.operators.enter(token, "Ann");
    const made = await site.operators.link(operator.id, operator.id);
    const one = await follow(operatorAddress(site.url, made));
    const over = await follow(operatorAddress(site.url, { ...made, token }));
    await over.page.getByRole("alert").getByText("This link opens nothing any more").waitFor();
    expect(await over.page.getByRole("button", { name: "Come in" }).count()).toBe(0);
    forgive(over);
    await one.page.getByText("Come in only if you asked for this link").waitFor();
    expect(await one.page.getByRole("textbox").count()).toBe(0);
    await one.page.getByRole("button", { name: "Come in" }).click();
    await one.page.getByRole("textbox", { name: "What should happen" }).waitFor();
    forgive(one);
  });
});
