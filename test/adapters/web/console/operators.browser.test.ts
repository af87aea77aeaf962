import { describe, expect, it } from "vitest";
import { withoutBrowser } from "../../../support/browser.ts";
import { post } from "../support/client.ts";
import { forEachSeat, onPhone, shot } from "../support/seats.ts";
import { cookieOf, PUBLIC } from "../support/visitor.ts";

const origin = PUBLIC.REELAY_PUBLIC_URL;

describe.skipIf(withoutBrowser())("the console's operators in Chromium", () => {
  const seats = forEachSeat();

  it("are invited, given a role, logged out and removed by an owner, who is asked first", async () => {
    const { operators, url } = seats.site;
    const page = await seats.sit("owner", "operators");
    await page.getByRole("article", { name: "owner" }).getByText("(you)").waitFor();
    await page.getByRole("combobox", { name: "Role" }).first().selectOption({ label: "viewer" });
    await page.locator("form").getByRole("button", { name: "Make a link" }).click();
    await page.getByText("This link is shown only now.").waitFor();
    const link = await page.locator("code.secret").innerText();
    expect(link).toMatch(new RegExp(`^${origin}/#join=op-`));
    await shot(page, "operators-desktop");
    expect(await onPhone(page, "operators-phone")).toBe(false);

    const token = link.slice(link.indexOf("=") + 1);
    const cookie = cookieOf(await post(url, "/web/enter", { token, name: "Zoe" }, { origin }));
    const look = async () =>
      (await fetch(`${url}/console/web/partners`, { headers: { origin, cookie } })).status;
    expect(await look()).toBe(200);
    await page.reload();
    expect(await page.locator("code.secret").count()).toBe(0);
    const zoe = page.getByRole("article", { name: "Zoe" });
    await zoe.getByRole("combobox", { name: "Role" }).selectOption({ label: "moderator" });
    await zoe.getByRole("button", { name: "Change the role" }).click();
    await zoe.getByText("Zoe has another role from now on, on every device: moderator.").waitFor();
    expect(await look()).toBe(200);
    await zoe.getByRole("button", { name: "Yes, do it" }).click();
    await zoe.getByRole("status").getByText("written into the audit").waitFor();
    expect(await look()).toBe(403);

    await zoe.getByRole("button", { name: "Log out everywhere" }).click();
    await zoe.getByRole("button", { name: "Yes, do it" }).click();
    await zoe.getByRole("status").getByText("Logged out everywhere.").waitFor();
    expect(await look()).toBe(401);
    await zoe.getByRole("button", { name: "Make a link" }).click();
    await zoe.getByText("This link is shown only now.").waitFor();
    expect(await zoe.locator("code.secret").innerText()).toMatch(/#enter=op-/);
    await zoe.getByRole("button", { name: "Remove" }).click();
    await zoe.getByText("Remove Zoe?").waitFor();
    await shot(page, "operators-remove-desktop");
    await zoe.getByRole("button", { name: "Yes, do it" }).click();
    // The list is read anew after it was said.
    await zoe.getByRole("button").first().waitFor({ state: "detached" });
    await expect(operators.named("Zoe")).rejects.toMatchObject({ code: "operator_unknown" });
  });

  it("come in by the login token at the console's own address, where it does not stay", async () => {
    const page = await seats.sit("viewer", "now");
    await page.context().clearCookies();
    await page.goto("about:blank");
    await page.goto(`${seats.site.url}/console#login=zzz`);
    await page.getByText("This token is wrong.", { exact: false }).waitFor();
    expect(page.url()).toBe(`${seats.site.url}/console`);
  });

  it("hear where somebody else changed a role meanwhile", async () => {
    const { operators } = seats.site;
    const page = await seats.sit("owner", "operators");
    const { operator } = await operators.invite("viewer", "web:me");
    await page.reload();
    const guest = page.getByRole("article", { name: "not here yet" });
    await guest.getByRole("combobox", { name: "Role" }).selectOption({ label: "owner" });
    await operators.setRole(operator.id, { from: "viewer", to: "moderator" }, "web:me");
    await guest.getByRole("button", { name: "Change the role" }).click();
    await guest.getByRole("button", { name: "Yes, do it" }).click();
    await guest.getByRole("alert").getByText("Somebody else changed this meanwhile").waitFor();
    await guest.getByText("· moderator ·").waitFor();
    expect(await operators.list()).toContainEqual(
      expect.objectContaining({ id: operator.id, role: "moderator" }),
    );
  });

  it.each(["operator", "moderator", "viewer"] as const)(
    "have a link for their own next device, and nothing else there: a %s",
    async (role) => {
      const page = await seats.sit(role, "operators");
      await page.getByRole("button", { name: "Make a link" }).click();
      await page.getByText("This link is shown only now.").waitFor();
      expect(await page.locator("code.secret").innerText()).toMatch(new RegExp(`^${origin}/#enter=op-`));
      expect(await page.getByRole("combobox", { name: "Role" }).count()).toBe(0);
      expect(await page.getByRole("main").getByRole("article").count()).toBe(0);
      if (role === "viewer") await shot(page, "own-device-desktop");
    },
  );
});
