import {
  type APIApplicationCommandAutocompleteInteraction as Typing,
  type APIApplicationCommandOptionChoice as Choice,
  InteractionResponseType,
} from "discord.js";
import { titleOf } from "../../../src/seam/browse/catalogues.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import { type Translate, translator } from "../../../src/common/i18n.ts";
import { atMost } from "../../../src/common/time.ts";
import { shortOf, withEntriesMeant } from "../drafts/choices.ts";
import { fit } from "../messages/components.ts";
import type { Services } from "../context/context.ts";
import { DISCORD } from "../api/limits.ts";
import type { DiscordOrigin } from "../context/origin.ts";
import { callOf } from "../commands/command-call.ts";
import { makeCallOf } from "../commands/make-call.ts";
import { slotsOf } from "../commands/slots.ts";

/** How long a catalogue may take, in milliseconds: what comes later is there for the next letter. */
const PATIENCE_MS = DISCORD.firstAnswerMs / 2;

/** Offers what fits what somebody types; nothing where that is not known in time. */
export async function suggest(
  { intake, api, host }: Pick<Services, "intake" | "api" | "host">,
  typing: Typing,
  origin: DiscordOrigin,
): Promise<void> {
  const found = choicesFor({ intake, origin }, typing).catch((err: unknown) => {
    host.log.debug({ err }, "Nothing could be suggested");
    return [];
  });
  const choices = (await atMost(PATIENCE_MS, found)) ? await found : [];
  await api.answer(typing, {
    type: InteractionResponseType.ApplicationCommandAutocompleteResult,
    data: { choices },
  });
}

/** What fits an option of `/make`, given what is filled in already. */
async function choicesFor(
  asker: { readonly intake: Services["intake"]; readonly origin: DiscordOrigin },
  typing: Typing,
): Promise<Choice[]> {
  const say = translator(asker.origin.address.locale);
  const typed = callOf(typing)?.typed;
  const make = makeCallOf(typing, asker.intake.commands, say);
  const slot = make && slotsOf(make.spec.fields).find(({ name }) => name === typed?.name);
  if (!slot || !typed) return [];
  const { spec, values } = make;
  const { field } = slot;
  if (field.choices) return matching(say, field.choices, typed.words);
  const meant = await withEntriesMeant(asker, spec, values);
  const entries = await asker.intake.suggest(asker.origin, spec.name, field.name, typed.words, meant);
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
