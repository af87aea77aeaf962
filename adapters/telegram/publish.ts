import type { CommandSpec } from "../../src/seam/fields.ts";
import { studioAddress } from "../../src/seam/surface/sign-in.ts";
import { languageOf, type Locale, LOCALES, translator } from "../../src/common/i18n.ts";
import { CHAT_COMMANDS, typedName } from "../kit/handlers/command-names.ts";
import { publishOnce } from "../kit/pipeline/publish.ts";
import type { Services } from "./context/context.ts";
import { takesMiniApp, TELEGRAM } from "./api/limits.ts";
import { beginning } from "../../src/seam/text/cut.ts";

/** The commands that the menus list, in their order, as far as they are offered; `/help` names all of them. */
const LISTED = {
  /** @param hasPage whether people have a page, which is where they connect keys */
  private: (hasPage: boolean) =>
    ["templates", "jobs", "balance", hasPage ? "studio" : "connect", "settings", "help"] as const,
  groups: ["video", "templates", "help"],
} as const;

/** What those who manage a group have besides. */
const MANAGING = { name: "group", description: "command.group.description" } as const;

interface Offered {
  readonly specs: readonly CommandSpec[];
  readonly hasPage: boolean;
}

/** What the bot says of itself in one language. */
interface Profile extends ReturnType<typeof profileIn> {
  /** Left out for people whose language there is none of. */
  readonly language?: { readonly language_code: string };
  readonly name?: string;
}

/** Publishes the commands' menu and what the bot says of itself, in each language. */
export async function publish({ host, sender, memory, intake, username }: Services): Promise<void> {
  const { locale: own } = host.config;
  const address = studioAddress(host.config);
  const isApp = address !== undefined && takesMiniApp(address);
  const { name } = await sender.call("getMyName", {});
  const offered = { specs: intake.commands, hasPage: address !== undefined };
  const profiles = [profileIn(own, offered), ...LOCALES.map((locale) => translated(name, locale, offered))];
  // It knows no languages: it is in the operator's.
  const text = translator(own)("chat.studio.open");
  const button = isApp
    ? ({ type: "web_app", text, web_app: { url: address } } as const)
    : ({ type: "commands" } as const);
  await publishOnce(memory, [username, profiles, button], async () => {
    await sender.call("setChatMenuButton", { menu_button: button });
    for (const profile of profiles) await describe(sender, profile);
    // Last: Telegram takes few names a day, and what waits for that is to hold up nothing else.
    for (const profile of profiles) await rename(sender, profile);
  });
}

/** In the operator's language for everybody else. */
function profileIn(locale: Locale, { specs, hasPage }: Offered) {
  const say = translator(locale);
  const commands = [...CHAT_COMMANDS, MANAGING, ...specs];
  const listed = (names: readonly string[]) =>
    names
      .flatMap((name) => commands.find((one) => one.name === name) ?? [])
      .map(({ name: command, description }) => ({
        command: typedName(command),
        description: beginning(say(description), TELEGRAM.commands.description),
      }));
  return {
    commands: listed(LISTED.private(hasPage)),
    // In groups, and there for those who manage them.
    open: listed(LISTED.groups),
    managing: listed([...LISTED.groups, MANAGING.name]),
    description: say("telegram.profile.description"),
    short: say("telegram.profile.short"),
  };
}

/** @param given the name that the operator chose: it stays, with what the bot does behind it where there is room for that */
function translated(given: string, locale: Locale, offered: Offered): Profile {
  const name = translator(locale)("telegram.profile.name", { name: given });
  return {
    ...profileIn(locale, offered),
    language: { language_code: languageOf(locale) },
    ...(name.length <= TELEGRAM.botName && { name }),
  };
}

async function describe(
  sender: Services["sender"],
  { language, commands, open, managing, description, short }: Profile,
): Promise<void> {
  await sender.call("setMyCommands", { commands, ...language });
  await sender.call("setMyCommands", { commands: open, scope: { type: "all_group_chats" }, ...language });
  const scope = { type: "all_chat_administrators" } as const;
  await sender.call("setMyCommands", { commands: managing, scope, ...language });
  const before = await sender.call("getMyDescription", { ...language });
  if (before.description !== description) await sender.call("setMyDescription", { description, ...language });
  const { short_description: shortBefore } = await sender.call("getMyShortDescription", { ...language });
  if (shortBefore !== short)
    await sender.call("setMyShortDescription", { short_description: short, ...language });
}

async function rename(sender: Services["sender"], { language, name }: Profile): Promise<void> {
  if (name === undefined) return;
  const { name: before } = await sender.call("getMyName", { ...language });
  if (before !== name) await sender.call("setMyName", { name, ...language });
}
