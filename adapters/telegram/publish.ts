import type { CommandSpec } from "../../src/seam/fields.ts";
import { languageOf, type Locale, LOCALES, translator } from "../../src/common/i18n.ts";
import { CHAT_COMMANDS, isPrivate, typedName } from "../kit/handlers/command-names.ts";
import { publishOnce } from "../kit/pipeline/publish.ts";
import type { Services } from "./context/context.ts";
import { TELEGRAM } from "./api/limits.ts";

/** Publishes the commands' menu and what the bot says of itself, in each language. */
export async function publish({ host, sender, memory, intake, username }: Services): Promise<void> {
  const { commands: specs } = intake;
  const profiles = [
    profileIn(host.config.locale, specs),
    ...LOCALES.map((locale) => profileIn(locale, specs)),
  ];
  await publishOnce(memory, [username, profiles], async () => {
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

function profileIn(locale: Locale, specs: readonly CommandSpec[]) {
  const say = translator(locale);
  const { count, description: length } = TELEGRAM.commands;
  const listed = (some: readonly Pick<CommandSpec, "name" | "description">[]) =>
    some.slice(0, count).map(({ name, description }) => ({
      command: typedName(name),
      description: say(description).slice(0, length),
    }));
  return {
    locale,
    commands: listed([...CHAT_COMMANDS, ...specs]),
    /** Those that are answered in groups. */
    open: listed([...CHAT_COMMANDS, ...specs.filter((spec) => !isPrivate(spec))]),
    description: say("telegram.profile.description"),
    short: say("telegram.profile.short"),
  };
}
