import { describe, expect, it } from "vitest";
import { BLANK, type NewDraft } from "../../../adapters/kit/drafts/draft.ts";
import { saidCommand } from "../../../adapters/kit/handlers/said-command.ts";
import type { ChatContext } from "../../../adapters/kit/pipeline/context.ts";
import { type Locale, LOCALES, type MessageKey, translator } from "../../../src/common/i18n.ts";
import { COMMAND_SPECS } from "../../../src/domain/dispatch/registry.ts";

const USER = "whatsapp:5";

/** The name of the command that somebody means by words. @param draft what they work on */
async function said(words: string, locale: Locale = "en", draft?: NewDraft): Promise<string | undefined> {
  const kept: Record<string, unknown> = {
    [`draft-current:${USER}:${USER}`]: "d",
    ...(draft && { "draft:d": { ...draft, owner: USER, address: {} } }),
  };
  const context = {
    memory: { get: async (key: string) => kept[key] },
    origin: { user: USER, audience: "private", locale },
    intake: { commands: COMMAND_SPECS },
    say: translator(locale),
  };
  return (await saidCommand(context as unknown as ChatContext, words))?.name;
}

/** What buttons call what there is. */
const CALLED: readonly [name: string, label: MessageKey][] = [
  ["help", "command.help"],
  ["jobs", "command.jobs"],
  ["balance", "command.balance"],
  ["settings", "command.settings"],
  ["language", "command.language"],
  ["privacy", "command.privacy"],
  ["export", "command.export"],
  ["forget", "command.forget"],
  ["connect", "command.connect"],
  ["cancel", "action.cancel"],
  ["templates", "chat.start.templates"],
];

describe("a message that is nothing but what a command is called", () => {
  it.each(LOCALES.flatMap((locale) => CALLED.map(([name, label]) => [locale, name, label] as const)))(
    "%s, %s: is that command, in small letters and capitals",
    async (locale, name, label) => {
      const words = translator(locale)(label);
      const ways = [
        words,
        words.toLocaleLowerCase(locale),
        `${words.toLocaleUpperCase(locale)}!`,
        ` ${words}. `,
      ];
      for (const way of ways) expect(await said(way, locale), way).toBe(name);
    },
  );

  it.each(LOCALES.flatMap((locale) => CALLED.map(([name, label]) => [locale, name, label] as const)))(
    "%s, %s: is that command in every other language, too",
    async (locale, name, label) => {
      const words = translator(locale)(label).toLocaleLowerCase(locale);
      for (const other of LOCALES) expect(await said(words, other), other).toBe(name);
    },
  );

  it.each([
    ["hilfe", "help"],
    ["AYUDA", "help"],
    ["aide !", "help"],
    ["Допомога", "help"],
    ["Stopp", "cancel"],
    ["alto", "cancel"],
    ["ARRÊT", "cancel"],
    ["arrete", "cancel"],
    ["pare", "cancel"],
    ["Стоп", "cancel"],
    ["dur", "cancel"],
    ["help", "help"],
    ["Menu", "help"],
    ["STOP", "cancel"],
    ["stop!", "cancel"],
    ["my jobs", "jobs"],
    ["Help?", "help"],
    ["jobs", "jobs"],
    ["Forget me", "forget"],
    ["edit", "start"],
    ["Make!", "start"],
    ["bearbeiten", "start"],
    ["crear", "start"],
    ["créer", "start"],
    ["stworz", "start"],
    ["criar", "start"],
    ["oluştur", "start"],
    ["створити", "start"],
  ])("%s is understood in every language: %s", async (words, name) => {
    for (const locale of LOCALES) expect(await said(words, locale), locale).toBe(name);
  });

  it.each(["Moje zlecenia", "jezyk", "Podlacz klucz"])(
    "%s: is understood without its marks, too",
    async (words) => {
      expect(await said(words, "pl")).toBeDefined();
    },
  );
});

describe("words for a picture", () => {
  it.each([
    "help the cat down from the tree",
    "stop the car",
    "make it snow",
    "edit out the lamp",
    "a dog, stop",
    "my jobs are boring",
    "balance on one leg",
    "the settings sun",
    "Hilfe für die Katze",
    "video",
    "disconnect",
    "withdraw",
    "18 and over",
    "Forget my key",
    "…",
    "🎬",
    "",
    "b.a.l.a.n.c.e",
    "for get",
  ])("%s: are no command", async (words) => {
    expect(await said(words)).toBeUndefined();
  });

  it.each(["help", "Stop", "Balance"])(
    "%s: are words where a draft asks for some, and a command where it asks for none",
    async (words) => {
      const video = { ...BLANK, operation: "video" };
      const photo = { surface: "whatsapp", id: "1" } as const;
      const open = {
        ...video,
        values: { image: photo, prompt: "x" },
        screen: { show: "field", field: "prompt" },
      } as const;
      expect(await said(words, "en", { ...video, values: { image: photo } })).toBeUndefined();
      expect(await said(words, "en", open)).toBeUndefined();
      expect(await said(words, "en", { ...video, values: { image: photo, prompt: "x" } })).toBeDefined();
      expect(await said(words, "en", { ...BLANK, given: { pictures: [photo], sounds: [] } })).toBeDefined();
      expect(await said(words, "en", video)).toBeDefined();
    },
  );
});
