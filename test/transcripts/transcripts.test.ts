import { describe, expect, it } from "vitest";
import { onDiscord } from "./discord.ts";
import { chapter, page } from "./page.ts";
import { played, SCENES } from "./scenes.ts";
import { onTelegram } from "./telegram.ts";

const PLATFORMS = [
  { name: "Telegram", open: onTelegram, file: "../../docs/conversations-telegram.md" },
  { name: "Discord", open: onDiscord, file: "../../docs/conversations-discord.md" },
];

const chapters = new Map<string, string>();

describe.concurrent.each(PLATFORMS)("on $name", ({ name, open }) => {
  it.each(SCENES)("$title", async (scene) => {
    const told = chapter(scene, await played(scene, open));
    // Nobody reads a key, nor what a sentence left open.
    expect(told).not.toMatch(/rk_|\{\{|undefined/);
    chapters.set(`${name} ${scene.title}`, told);
  });
});

it.each(PLATFORMS)("is told on a page: $name", async ({ name, file }) => {
  const told = SCENES.map(({ title }) => chapters.get(`${name} ${title}`) ?? "");
  await expect(page(name, told)).toMatchFileSnapshot(file);
});
