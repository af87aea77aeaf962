import { describe, expect, it } from "vitest";
import { onDiscord } from "./discord.ts";
import { chapter, page } from "./page.ts";
import { played, scenesOn } from "./scenes.ts";
import { onTelegram } from "./telegram.ts";
import { onWhatsApp } from "./whatsapp.ts";

const PLATFORMS = [
  { name: "Telegram", open: onTelegram, file: "../../docs/conversations-telegram.md" },
  { name: "Discord", open: onDiscord, file: "../../docs/conversations-discord.md" },
  { name: "WhatsApp", open: onWhatsApp, file: "../../docs/conversations-whatsapp.md" },
] as const;

const chapters = new Map<string, string>();

describe.concurrent.each(PLATFORMS)("on $name", ({ name, open }) => {
  it.each(scenesOn(name))("$title", async (scene) => {
    const told = chapter(scene, await played(scene, open));
    // Nobody reads a key, nor what a sentence left open.
    expect(told).not.toMatch(/rk_|\{\{|undefined/);
    chapters.set(`${name} ${scene.title}`, told);
  });
});

it.each(PLATFORMS)("is told on a page: $name", async ({ name, file }) => {
  const told = scenesOn(name).map(({ title }) => chapters.get(`${name} ${title}`) ?? "");
  await expect(page(name, told)).toMatchFileSnapshot(file);
});
