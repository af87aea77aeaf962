import { describe, expect, it } from "vitest";
import { readInitData } from "../../../../adapters/web/init-data.ts";
import { signInLinks } from "../../../../src/seam/surface/sign-in.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { harness } from "../words-harness.ts";

const settings = { REELAY_PUBLIC_URL: "https://studio.example" };

type Harness = Awaited<ReturnType<typeof harness>>;

/** Whom a link would sign in. */
async function whoseLink(on: Harness, url = ""): Promise<string | undefined> {
  const ticket = /^https:\/\/studio\.example\/app#in=(.+)$/.exec(url)?.[1] ?? "";
  const links = signInLinks({ memory: (surface) => memory(on.database, surface) });
  return (await links.read(ticket))?.user;
}

describe("/studio", () => {
  it("opens the page as a Mini App that Telegram signs for whoever opens it, and by a link of their own", async () => {
    await using on = await harness({ settings });
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/studio");
    const told = await ann.sees("This is your own page");
    expect(told.buttons).toEqual([["Open the page"], ["Open in the browser"]]);
    const shown = new URL(await ann.opensApp("Open the page"));
    expect(shown.origin + shown.pathname).toBe("https://studio.example/app");
    const data = new URLSearchParams(shown.hash.slice(1)).get("tgWebAppData") ?? "";
    expect(readInitData(data, { token: on.telegram.token })?.user).toBe(`telegram:${ann.user.id}`);
    expect(await whoseLink(on, told.keyboard[1]?.[0]?.url)).toBe(`telegram:${ann.user.id}`);
  });

  it("is answered in private only: a link is for one person", async () => {
    await using on = await harness({ settings });
    const ann = on.telegram.person({ name: "Ann" });
    const here = ann.in(on.telegram.group({ title: "Sea" }));
    here.says("/studio@reelay_bot");
    const told = await here.sees("private");
    expect(JSON.stringify(told.keyboard)).not.toContain("studio.example");
    await here.presses(() => true, { on: told });
    expect((await ann.sees("This is your own page")).buttons).toHaveLength(2);
  });

  it("says so where there is no such page, and gives Telegram no address that it would refuse", async () => {
    await using on = await harness();
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/studio");
    await ann.sees("There is no page for everybody here");
    // The menu is published beside what people do.
    await expect
      .poll(() => on.telegram.calls("setChatMenuButton").at(-1)?.params)
      .toEqual({ menu_button: { type: "commands" } });
    const menus = JSON.stringify(on.telegram.calls("setMyCommands").map(({ params }) => params));
    expect(menus).not.toContain("studio");
  });

  it("offers the link alone where the page has no https", async () => {
    await using on = await harness({ settings: { REELAY_PUBLIC_URL: "http://studio.example" } });
    const ann = on.telegram.person({ name: "Ann" });
    ann.says("/studio");
    expect((await ann.sees("This is your own page")).buttons).toEqual([["Open in the browser"]]);
  });
});

it("is behind the button beside the message field, and in the list of commands", async () => {
  await using on = await harness({ settings });
  const ann = on.telegram.person({ name: "Ann" });
  await on.telegram.until(() => on.telegram.calls("setMyShortDescription").length > 0);
  expect(await ann.opensApp()).toContain("https://studio.example/app#tgWebAppData=");
  expect(JSON.stringify(on.telegram.calls("setMyCommands")[0]?.params)).toContain("studio");
});

it("comes first when a key is to be connected, and a key that is pasted is still taken, and deleted", async () => {
  await using on = await harness({ settings, paid: false });
  const ann = on.telegram.person({ name: "Ann" });
  ann.says("/connect");
  const told = await ann.sees("there it passes through no chat");
  const asked = await ann.sees("Send me the API key");
  expect(told.id).toBeLessThan(asked.id);
  await ann.losesSightOf(ann.says(on.sandbox.keys.pro));
  await ann.sees("Your key works");
});
