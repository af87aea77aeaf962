import { type APISelectMenuComponent, ChannelType, ComponentType } from "discord.js";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { MessageKey, Translate } from "../../../src/common/i18n.ts";
import type { MessageBody } from "../api/api.ts";
import { buttonRows, fit } from "../messages/components.ts";
import { ownId } from "../context/context.ts";
import { DISCORD } from "../api/limits.ts";
import { said } from "../messages/render.ts";

/** The mark of the menus here. */
export const SERVER_MARK = "s";

/** What is set by a menu. */
export type MenuRule = "channels" | "operations";

/** Pressed instead of picking: takes the restriction back. */
export const EVERY = "every.";

/** Where people talk; a thread is its channel's. */
const CHANNELS = [
  ChannelType.GuildText,
  ChannelType.GuildAnnouncement,
  ChannelType.GuildVoice,
  ChannelType.GuildForum,
];

/** Asks for the channels in which something may be made. */
export function channelMenu(say: Translate): MessageBody {
  return menu(say, "channels", {
    type: ComponentType.ChannelSelect,
    custom_id: ownId(SERVER_MARK, "channels"),
    channel_types: CHANNELS,
    max_values: DISCORD.selectOptions,
  });
}

/** Asks for what may be made. */
export function operationMenu(say: Translate, specs: readonly CommandSpec[]): MessageBody {
  const options = specs
    .filter(({ kind }) => kind === "operation")
    .slice(0, DISCORD.selectOptions)
    .map(({ name, label }) => ({ label: fit(say(label), DISCORD.selectText), value: name }));
  const select = {
    type: ComponentType.StringSelect,
    custom_id: ownId(SERVER_MARK, "operations"),
    options,
    max_values: options.length,
  } as const;
  // Where the operator switched everything off there is nothing to pick, and Discord takes no empty menu.
  return menu(say, "operations", options.length > 0 ? select : undefined);
}

function menu(say: Translate, rule: MenuRule, select: APISelectMenuComponent | undefined): MessageBody {
  const label: MessageKey = `discord.server.${rule}.all`;
  const placeholder = fit(say(`discord.server.${rule}.pick`), DISCORD.placeholder);
  const every = {
    token: ownId(SERVER_MARK, EVERY + rule),
    label: { key: label },
    style: "secondary",
  } as const;
  return {
    ...said(say(`discord.server.${rule}`)),
    components: [
      ...(select
        ? [{ type: ComponentType.ActionRow as const, components: [{ ...select, placeholder }] }]
        : []),
      ...buttonRows(say, [every]),
    ],
  };
}
