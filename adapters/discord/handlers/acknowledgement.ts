import { ApplicationCommandType, InteractionType } from "discord.js";
import { parseToken } from "../../../src/seam/text/actions.ts";
import { BROWSE } from "../../../src/seam/browse/place.ts";
import { leadsOut } from "../../../src/seam/browse/press.ts";
import { missingFields } from "../../../src/seam/forms/filling.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import { translator } from "../../../src/common/i18n.ts";
import { callOf } from "../commands/command-call.ts";
import { makeCallOf } from "../commands/make-call.ts";
import { menuCallOf } from "../commands/menus.ts";
import { SERVER } from "../commands/server-command.ts";
import { FORM, type Interaction } from "../context/interaction.ts";
import { idOf } from "../context/context.ts";
import { coreTokenOf } from "../messages/components.ts";
import { PICK } from "../drafts/offers.ts";

const english = translator("en");

/**
 * Whether an interaction may be answered with a modal, which must be its first answer: everything else is deferred as
 * soon as it is on disk. Told from the interaction alone, at once.
 */
export function mayOpenModal(interaction: Interaction, { commands, buttons }: Intake): boolean {
  if (interaction.type === InteractionType.ModalSubmit) return false;
  if (interaction.type === InteractionType.MessageComponent) {
    const { command } = parseToken(coreTokenOf(interaction) ?? "");
    const isForm = [FORM, PICK].some((handler) => idOf({ interaction }, handler) !== undefined);
    return (
      isForm || leadsOut(idOf({ interaction }, BROWSE) ?? "") || buttons.get(command)?.asks !== undefined
    );
  }
  if (interaction.data.type !== ApplicationCommandType.ChatInput)
    return (menuCallOf(interaction)?.menu ?? "make") !== "make";
  const make = makeCallOf(interaction, commands, english);
  if (make) return missingFields(make.spec.fields, make.values).length > 0;
  const call = callOf(interaction);
  if (call?.name === SERVER.name) return call.step === "key";
  return commands.some(({ name, asks }) => name === call?.name && asks !== undefined);
}
