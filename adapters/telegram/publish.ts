import type { CommandSpec } from "../../src/seam/fields.ts";
import { studioAddress } from "../../src/seam/surface/sign-in.ts";
import { languageOf, type Locale, LOCALES, translator } from "../../src/common/i18n.ts";
import { CHAT_COMMANDS, isPrivate, typedName } from "../kit/handlers/command-names.ts";
import { publishOnce } from "../kit/pipeline/publish.ts";
import type { Services } from "./context/context.ts";
import { takesMiniApp, TELEGRAM } from "./api/limits.ts";

/** Publishes the commands' menu and what the bot says of itself, in each language. */
export async function publish({ host, sender, memory, intake, username }: Services): Promise<void> {
  const { commands: specs } = intake;
  const address = studioAddress(host.config);
  const isApp = address !== undefined && takesMiniApp(address);
  const profiles = [
    profileIn(host.config, specs),
    ...LOCALES.map((locale) => profileIn({ ...host.config, locale }, specs)),
  ];
  const say = translator(host.config.locale);
  // It knows no languages: it is in the operator's.
  const button = isApp
    ? ({ type: "web_app", text: say("chat.studio.open"), web_app: { url: address } } as const)
    : ({ type: "commands" } as const);
  await publishOnce(memory, [username, profiles, button], async () => {
    await sender.call("setChatMenuButton", { menu_button: button });
    for (const [nth, { locale, commands, open, description, short }] of profiles.entries()) {
      // The first without a language code: for people whose language there is none of, in the operator's.
      const language = nth === 0 ? {} : { language_code: languageOf(locale) };
      await sender.call("setMyCommands", { commands, ...language });
      await sender.call("setMyCommands", { commands: open, scope: { type: "all_group_chats" }, ...language });
      await sender.call("setMyDescription", { description, ...language });
      await sender.call("setMyShortDescription", { short_description: short, ...language });
    }
  });
}

function profileIn(
  config: { readonly locale: Locale; readonly publicUrl: string | undefined },
  specs: readonly CommandSpec[],
) {
  const { locale } = config;
  const typed = CHAT_COMMANDS.filter(({ name }) => name !== "studio" || studioAddress(config) !== undefined);
  const say = translator(locale);
  const { count, description: length } = TELEGRAM.commands;
  const listed = (some: readonly Pick<CommandSpec, "name" | "description">[]) =>
    some.slice(0, count).map(({ name, description }) => ({
      command: typedName(name),
      description: say(description).slice(0, length),
    }));
  return {
    locale,
    commands: listed([...typed, ...specs]),
    /** Those that are answered in groups. */
    open: listed([...typed, ...specs.filter((spec) => !isPrivate(spec))]),
    description: say("telegram.profile.description"),
    short: say("telegram.profile.short"),
  };
}
