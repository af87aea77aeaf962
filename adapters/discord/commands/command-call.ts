import {
  type APIAttachment,
  ApplicationCommandOptionType as Kind,
  ApplicationCommandType,
  type APIApplicationCommandInteractionDataBasicOption as Given,
  InteractionType,
} from "discord.js";
import type { AnyInteraction } from "../context/interaction.ts";

/** A slash command as somebody called it. */
export interface CommandCall {
  readonly name: string;
  /** The subcommand, where it has some. */
  readonly step: string | undefined;
  /** The option that somebody is typing into, which is none of the others. */
  readonly typed: { readonly name: string; readonly words: string } | undefined;
  /** Values by the options' names; what is attached by its id. */
  readonly options: ReadonlyMap<string, Given["value"]>;
  /** By their ids. */
  readonly attachments: Readonly<Record<string, APIAttachment>>;
}

/** The slash command of an interaction, also while it is typed; undefined for everything else. */
export function callOf({ type, data }: AnyInteraction): CommandCall | undefined {
  const isCommand =
    type === InteractionType.ApplicationCommand || type === InteractionType.ApplicationCommandAutocomplete;
  if (!isCommand || data.type !== ApplicationCommandType.ChatInput) return undefined;
  const { name, options = [] } = data;
  const step = options.find((option) => option.type === Kind.Subcommand);
  const given = step ? (step.options ?? []) : options;
  const valued = given.filter((option) => "value" in option);
  const typed = valued.find((option) => "focused" in option && option.focused);
  const others = valued.filter((option) => option !== typed);
  const { attachments = {} } = data.resolved ?? {};
  return {
    name,
    step: step?.name,
    typed: typed && { name: typed.name, words: String(typed.value) },
    options: new Map(others.map((option) => [option.name, option.value])),
    attachments,
  };
}
