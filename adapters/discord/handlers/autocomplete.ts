import {
  type APIApplicationCommandAutocompleteInteraction as Typing,
  type APIApplicationCommandOptionChoice as Choice,
  ApplicationCommandOptionType as Kind,
  InteractionResponseType,
} from "discord.js";
import { titleOf } from "../../../src/seam/browse/catalogues.ts";
import type { CommandSpec, FieldSpec } from "../../../src/seam/fields.ts";
import { type Translate, translator } from "../../../src/common/i18n.ts";
import { atMost } from "../../../src/common/time.ts";
import { shortOf, withEntriesMeant } from "../drafts/choices.ts";
import { fit } from "../messages/components.ts";
import type { Services } from "../context/context.ts";
import { DISCORD } from "../api/limits.ts";
import type { DiscordOrigin } from "../context/origin.ts";
import { MAKE, slotsOf } from "../commands/slots.ts";
import { givenWith } from "../commands/values.ts";

/** How long a catalogue may take, in milliseconds: what comes later is there for the next letter. */
const PATIENCE_MS = DISCORD.firstAnswerMs / 2;

/** What somebody types into: an option of `/make`, and what is filled in already. */
interface Entry {
  readonly spec: CommandSpec;
  readonly field: FieldSpec;
  readonly words: string;
  readonly options: ReadonlyMap<string, string | number | boolean>;
}

/** Offers what fits what somebody types; nothing where that is not known in time. */
export async function suggest(
  { intake, api, host }: Pick<Services, "intake" | "api" | "host">,
  typing: Typing,
  origin: DiscordOrigin,
): Promise<void> {
  const entry = entryOf(typing, intake.commands);
  const found = (entry ? choicesFor({ intake, origin }, entry) : Promise.resolve([])).catch(
    (err: unknown) => {
      host.log.debug({ err }, "Nothing could be suggested");
      return [];
    },
  );
  const choices = (await atMost(PATIENCE_MS, found)) ? await found : [];
  await api.answer(typing, {
    type: InteractionResponseType.ApplicationCommandAutocompleteResult,
    data: { choices },
  });
}

function entryOf({ data }: Typing, commands: readonly CommandSpec[]): Entry | undefined {
  const [step] = data.options;
  if (data.name !== MAKE || step?.type !== Kind.Subcommand) return undefined;
  const spec = commands.find(({ name, kind }) => name === step.name && kind === "operation");
  const given = step.options ?? [];
  const focused = given.find((option) => "focused" in option && option.focused);
  const slot = spec && slotsOf(spec.fields).find(({ name }) => name === focused?.name);
  if (!spec || !slot || !focused) return undefined;
  const others = given.filter((option) => option !== focused && "value" in option);
  return {
    spec,
    field: slot.field,
    words: String(focused.value),
    options: new Map(others.map(({ name, value }) => [name, value])),
  };
}

async function choicesFor(
  asker: { intake: Services["intake"]; origin: DiscordOrigin },
  entry: Entry,
): Promise<Choice[]> {
  const { spec, field, words, options } = entry;
  const say = translator(asker.origin.address.locale);
  if (field.choices) return matching(say, field.choices, words);
  const { values } = givenWith({ options, attachments: {} }, spec.fields, say);
  const meant = await withEntriesMeant(asker, spec, values);
  const entries = await asker.intake.suggest(asker.origin, spec.name, field.name, words, meant);
  return entries.slice(0, DISCORD.command.choices).map((one) => ({
    name: fit([titleOf(one), one.category].filter(Boolean).join(" · "), DISCORD.command.choice),
    value: shortOf(one),
  }));
}

function matching(say: Translate, choices: NonNullable<FieldSpec["choices"]>, words: string): Choice[] {
  const typed = words.trim().toLowerCase();
  return choices
    .map(({ value, label }) => ({ name: label ? say(label) : String(value), value: String(value) }))
    .filter(({ name, value }) => `${name} ${value}`.toLowerCase().includes(typed))
    .slice(0, DISCORD.command.choices);
}
