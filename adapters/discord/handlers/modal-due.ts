import { InteractionType } from "discord.js";
import type { CommandSpec } from "../../../src/chat/fields.ts";
import { missingFields } from "../../../src/chat/filling.ts";
import { translator } from "../../../src/i18n.ts";
import { type Interaction, idOf } from "../context/context.ts";
import { FORM } from "../drafts/view.ts";
import { makeCallOf } from "../commands/make-call.ts";
import { PICK } from "./menus.ts";
import { menuCallOf } from "../commands/menus.ts";

const english = translator("en");

/** Whether something that is to be made is asked for with a modal: told from the interaction alone, at once. */
export function opensModal(interaction: Interaction, commands: readonly CommandSpec[]): boolean {
  if (interaction.type === InteractionType.MessageComponent)
    return [FORM, PICK].some((handler) => idOf({ interaction }, handler) !== undefined);
  const menu = menuCallOf(interaction)?.menu;
  if (menu) return menu !== "make";
  const make = makeCallOf(interaction, commands, english);
  return make !== undefined && missingFields(make.spec.fields, make.values).length > 0;
}
