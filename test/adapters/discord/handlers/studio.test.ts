import { expect, it } from "vitest";
import { signInLinks } from "../../../../src/seam/surface/sign-in.ts";
import { memory } from "../../../../src/infrastructure/storage/key-value.ts";
import { makingHarness } from "../making-harness.ts";

const settings = { REELAY_PUBLIC_URL: "https://studio.example" };

it("leads to the page by a link for whoever asks, which nobody else sees", async () => {
  await using at = await makingHarness({ settings });
  const { on, ann, channel } = at;
  await ann.uses("/studio", {}, { in: channel });
  const told = await ann.sees("This is your own page");
  expect(told.ephemeral).toBe(true);
  const shown = JSON.stringify(told.controls);
  const ticket = /https:\/\/studio\.example\/app#in=([\w.-]+)/.exec(shown)?.[1] ?? "";
  const links = signInLinks({ memory: (surface) => memory(on.database, surface) });
  expect((await links.read(ticket))?.user).toBe(`discord:${ann.user.id}`);
});

it("is offered first where a key is to be connected, and a form for it second", async () => {
  await using at = await makingHarness({ settings, paid: false, newcomers: true });
  const { on, ann } = at;
  await ann.uses("/connect");
  const told = await ann.sees("there it passes through no chat");
  expect(told.buttons.flat()).toEqual(["Open the page", "Enter it here"]);
  await ann.presses("Enter it here");
  await ann.submitsModal({ "API key": on.sandbox.keys.pro });
  await ann.sees("Your key works");
});

it("is no command where there is no such page", async () => {
  await using at = await makingHarness();
  expect(JSON.stringify(at.on.discord.calls())).not.toContain("studio");
});
