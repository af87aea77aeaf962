import { ApplicationCommandOptionType, ApplicationCommandType, InteractionType } from "discord.js";
import { parseToken } from "../../../src/chat/actions.ts";
import type { Intake } from "../../../src/chat/surface.ts";
import { asksInModal } from "./browse.ts";
import { coreTokenOf } from "../messages/components.ts";
import type { Interaction } from "../context/context.ts";
import { opensModal } from "./modal-due.ts";

/**
 * Whether an interaction may be answered with a modal, which must be its first answer: everything else is deferred as
 * soon as it is on disk.
 */
export function mayOpenModal(interaction: Interaction, { commands, buttons }: Intake): boolean {
  if (interaction.type === InteractionType.ModalSubmit) return false;
  if (opensModal(interaction, commands) || asksInModal(interaction)) return true;
  if (interaction.type === InteractionType.MessageComponent)
    return buttons.get(parseToken(coreTokenOf(interaction) ?? "").command)?.asks !== undefined;
  const { data } = interaction;
  if (data.type !== ApplicationCommandType.ChatInput) return false;
  const asksForKey = data.options?.some(
    ({ type, name }) =>
      type === ApplicationCommandOptionType.Subcommand && data.name === "server" && name === "key",
  );
  return asksForKey === true || commands.some(({ name, asks }) => name === data.name && asks !== undefined);
}
