import { MessageFlags } from "discord.js";
import { cut } from "../../../src/seam/text/cut.ts";
import type { View } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { type MessageLimits, messageOf } from "../../kit/messages/message.ts";
import type { MessageBody } from "../api/api.ts";
import { componentsOf, menuRows } from "./components.ts";
import { DISCORD } from "../api/limits.ts";

/**
 * What Discord would take as formatting or as a mention. An address works only as it is; a channel is shown by its
 * name, and nobody is called by it.
 */
const FORMATTING = /(https?:\/\/\S+|<#\d+>)|[\\*_~`|[\]<]|^\s*[#>-]/gm;

/** Text that Discord shows as it is (reference, "Message Formatting"). */
export function escapeMarkdown(text: string): string {
  return text.replaceAll(FORMATTING, (found: string, kept: string | undefined) =>
    kept === undefined ? `${found.slice(0, -1)}\\${found.slice(-1)}` : found,
  );
}

/**
 * Text that Discord shows as it is, cut where it would refuse it.
 * @param limit in characters of what is sent
 */
export function plain(text: string, limit: number = DISCORD.content): string {
  return escapeMarkdown(cut(text, limit, (part) => escapeMarkdown(part).length));
}

/**
 * A message that says something and nothing else: nobody is called, and no address in it is looked up.
 * @param content as Discord formats it
 */
export function said(content: string): MessageBody {
  return { content, components: [], allowed_mentions: { parse: [] }, flags: MessageFlags.SuppressEmbeds };
}

/** The ids of channels as Discord shows their names. */
function namingRooms(say: Translate): Translate {
  return (key, { rooms, ...params } = {}) =>
    say(key, { ...params, ...(rooms !== undefined && { rooms: String(rooms).replaceAll(/\d+/g, "<#$&>") }) });
}

/** What Discord takes of a message: formatting that is taken away counts. */
const MESSAGE: MessageLimits = {
  text: DISCORD.content,
  caption: DISCORD.content,
  length: (text) => escapeMarkdown(text).length,
  perRow: DISCORD.rowButtons,
  primaryAlone: false,
};

/** A view in the person's language; a result is what is said with its file. */
export function bodyOf(say: Translate, view: View): MessageBody {
  const { text, rows } = messageOf(namingRooms(say), view, MESSAGE);
  const components = view.kind === "menu" ? menuRows(say, view.items, view.actions) : componentsOf(rows);
  return { ...said(escapeMarkdown(text)), components };
}
