import {
  type APIAttachment,
  ApplicationCommandOptionType as Kind,
  ApplicationCommandType,
  type APIApplicationCommandInteractionDataBasicOption as Given,
  InteractionType,
} from "discord.js";
import type { Deed } from "../context/context.ts";

/** A slash command as somebody called it. */
export interface Call {
  readonly name: string;
  /** The subcommand, where it has some. */
  readonly step: string | undefined;
  /** Values by the options' names; what is attached by its id. */
  readonly options: ReadonlyMap<string, Given["value"]>;
  /** By their ids. */
  readonly attachments: Readonly<Record<string, APIAttachment>>;
}

/** The slash command of a deed; undefined for everything else. */
export function callOf(deed: Deed): Call | undefined {
  if (deed.type !== InteractionType.ApplicationCommand || deed.data.type !== ApplicationCommandType.ChatInput)
    return undefined;
  const { name, options = [] } = deed.data;
  const step = options.find((option) => option.type === Kind.Subcommand);
  const given = step ? (step.options ?? []) : options;
  const values = given.flatMap((option) => ("value" in option ? [[option.name, option.value] as const] : []));
  const { attachments = {} } = deed.data.resolved ?? {};
  return { name, step: step?.name, options: new Map(values), attachments };
}
