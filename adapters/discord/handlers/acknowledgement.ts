import { ApplicationCommandOptionType, ApplicationCommandType, InteractionType } from "discord.js";
import { parseToken } from "../../../src/chat/actions.ts";
import type { CommandSpec } from "../../../src/chat/fields.ts";
import { asksInModal } from "./browse.ts";
import { tokenOf } from "../messages/components.ts";
import type { Interaction } from "../context/context.ts";
import { opensModal } from "./modal-due.ts";

/** Commands of the core that ask with a form when they are called without anything. */
const ASKING_COMMANDS: ReadonlySet<string> = new Set(["connect", "settings"]);

/** Buttons of the core that ask with a form. */
const ASKING_BUTTONS: ReadonlySet<string> = new Set(["change", "instead"]);

/**
 * Whether an interaction may be answered with a modal, which must be its first answer: everything else is deferred as
 * soon as it is on disk.
 */
export function mayOpenModal(interaction: Interaction, commands: readonly CommandSpec[]): boolean {
  if (interaction.type === InteractionType.ModalSubmit) return false;
  if (opensModal(interaction, commands) || asksInModal(interaction)) return true;
  if (interaction.type === InteractionType.MessageComponent)
    return ASKING_BUTTONS.has(parseToken(tokenOf(interaction) ?? "").command);
  const { data } = interaction;
  if (data.type !== ApplicationCommandType.ChatInput) return false;
  const asksForKey = data.options?.some(
    ({ type, name }) =>
      type === ApplicationCommandOptionType.Subcommand && data.name === "server" && name === "key",
  );
  return asksForKey === true || ASKING_COMMANDS.has(data.name);
}
