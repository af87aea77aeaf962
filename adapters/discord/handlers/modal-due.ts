import { InteractionType } from "discord.js";
import type { CommandSpec } from "../../../src/chat/fields.ts";
import { missingFields } from "../../../src/chat/filling.ts";
import { translator } from "../../../src/i18n.ts";
import { type Deed, idOf } from "../context/context.ts";
import { FORM } from "../drafts/view.ts";
import { makeCallOf } from "../commands/make-call.ts";
import { PICK } from "./menus.ts";
import { menuCallOf } from "../commands/menus.ts";

const english = translator("en");

/** Whether something that is to be made is asked for with a modal: told from the deed alone, at once. */
export function opensModal(deed: Deed, commands: readonly CommandSpec[]): boolean {
  if (deed.type === InteractionType.MessageComponent)
    return [FORM, PICK].some((clerk) => idOf({ deed }, clerk) !== undefined);
  const menu = menuCallOf(deed)?.menu;
  if (menu) return menu !== "make";
  const make = makeCallOf(deed, commands, english);
  return make !== undefined && missingFields(make.spec.fields, make.values).length > 0;
}
