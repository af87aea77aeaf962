import {
  type APIAttachment,
  ApplicationCommandOptionType as Kind,
  ApplicationCommandType,
  type APIApplicationCommandInteractionDataBasicOption as Given,
  InteractionType,
} from "discord.js";
import type { Interaction } from "../context/interaction.ts";

/** A slash command as somebody called it. */
export interface CommandCall {
  readonly name: string;
  /** The subcommand, where it has some. */
  readonly step: string | undefined;
  /** Values by the options' names; what is attached by its id. */
  readonly options: ReadonlyMap<string, Given["value"]>;
  /** By their ids. */
  readonly attachments: Readonly<Record<string, APIAttachment>>;
}

/** The slash command of an interaction; undefined for everything else. */
export function callOf(interaction: Interaction): CommandCall | undefined {
  if (
    interaction.type !== InteractionType.ApplicationCommand ||
    interaction.data.type !== ApplicationCommandType.ChatInput
  )
    return undefined;
  const { name, options = [] } = interaction.data;
  const step = options.find((option) => option.type === Kind.Subcommand);
  const given = step ? (step.options ?? []) : options;
  const values = given.flatMap((option) => ("value" in option ? [[option.name, option.value] as const] : []));
  const { attachments = {} } = interaction.data.resolved ?? {};
  return { name, step: step?.name, options: new Map(values), attachments };
}
