import type { APISelectMenuOption } from "discord.js";
import type { PersonsFile } from "./attachment.ts";
import type { Channel } from "./channel.ts";
import type { Resolved } from "./resolved.ts";
import type { Role } from "./role.ts";

/** What can be picked from a menu: an option by its label, a channel, a role, a person, in a modal a file. */
export type Pick = string | PersonsFile | Channel | Role | { readonly user: { readonly id: string } };

/** A menu, in a message or in a modal. */
export interface Menu {
  readonly label: string;
  readonly least: number;
  readonly most: number;
  /** Empty where Discord itself knows what there is. */
  readonly options: readonly APISelectMenuOption[];
}

/**
 * The values of what is picked.
 * @throws Error for what the menu does not offer, and for too many or few
 */
export async function picked(menu: Menu, picks: readonly Pick[], resolved: Resolved): Promise<string[]> {
  if (picks.length < menu.least || picks.length > menu.most) {
    throw new Error(`The menu "${menu.label}" takes ${menu.least} to ${menu.most} picks.`);
  }
  return Promise.all(
    picks.map(async (pick) => {
      const value =
        typeof pick === "string"
          ? menu.options.find(({ label }) => label === pick)?.value
          : await resolved.pick(pick);
      if (value !== undefined) return value;
      const labels = menu.options.map(({ label }) => label).join(", ");
      throw new Error(`The menu "${menu.label}" does not offer that, but: ${labels}`);
    }),
  );
}
