import {
  type APIMediaGalleryItem,
  type APIMessageTopLevelComponent,
  ComponentType,
  MessageFlags,
  type RawFile,
} from "discord.js";
import { cut } from "../../../src/seam/text/cut.ts";
import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { View } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { type MessageLimits, messageOf } from "../../kit/messages/message.ts";
import type { MessageBody } from "../api/api.ts";
import { componentsOf, menuRows, type Row } from "./components.ts";
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

/** Text that Discord shows as it is, cut where it would refuse it. */
export function plain(text: string): string {
  return escapeMarkdown(cut(text, DISCORD.text, (part) => escapeMarkdown(part).length));
}

/**
 * A message of these components, which calls nobody. All messages are of components v2, so that each may become a card:
 * the flag stays for good (components/using-message-components).
 */
export const bodyWith = (components: APIMessageTopLevelComponent[]): MessageBody => ({
  components,
  allowed_mentions: { parse: [] },
  flags: MessageFlags.IsComponentsV2,
});

/** @param content as Discord formats it; no address in it is looked up */
export const textOf = (content: string) => ({ type: ComponentType.TextDisplay as const, content });

/** A file of the message's own. */
export const mediaOf = (name: string) => ({ url: `attachment://${name}` });

/** Pictures and videos side by side; nothing where there are none. */
export const galleryOf = (items: APIMediaGalleryItem[]) =>
  items.length > 0 ? [{ type: ComponentType.MediaGallery as const, items }] : [];

/** A message that says something, with rows below it. @param content as Discord formats it */
export const said = (content: string, rows: readonly Row[] = []) => bodyWith([textOf(content), ...rows]);

/** Around the id of somebody or of a role, which is no formatting; nobody writes these signs. */
const [OPEN, CLOSE] = ["\u{F0000}", "\u{F0001}"];
const NAMED = new RegExp(`${OPEN}(&?\\d+)${CLOSE}`, "gu");

/** The ids of channels, people and roles as Discord shows their names. */
function naming(say: Translate): Translate {
  return (key, params = {}) =>
    say(key, Object.fromEntries(Object.entries(params).map(([name, value]) => [name, named(name, value)])));
}

function named(name: string, value: string | number): string | number {
  if (name === "rooms" || name === "log") return String(value).replaceAll(/\d+/g, "<#$&>");
  if (name === "role") return `${OPEN}&${value}${CLOSE}`;
  const isPerson = name === "person" || name === "user";
  return isPerson ? String(value).replace(/^discord:(\d+)$/, `${OPEN}$1${CLOSE}`) : value;
}

/** Text that Discord shows as it is, with the names of people in it; nobody is called by them. */
const shown = (text: string) => escapeMarkdown(text).replaceAll(NAMED, "<@$1>");

/** What Discord takes of a message: formatting that is taken away counts. */
const MESSAGE: MessageLimits = {
  text: DISCORD.text,
  caption: DISCORD.text,
  length: (text) => escapeMarkdown(text).length,
  perRow: DISCORD.rowButtons,
  primaryAlone: false,
};

/** A picture that is shown with what is said. */
export interface ShownPicture extends Pick<RawFile, "name" | "data"> {
  /** What it is, for those who do not see it. */
  readonly label: FieldSpec["label"];
}

/** A view in the person's language, with pictures below what it says. */
export function bodyOf(say: Translate, view: View, pictures: readonly ShownPicture[] = []): MessageBody {
  const { text, rows } = messageOf(naming(say), view, MESSAGE);
  const below = view.kind === "menu" ? menuRows(say, view.items, view.actions) : componentsOf(rows);
  const gallery = galleryOf(
    pictures.map(({ name, label }) => ({ media: mediaOf(name), description: say(label) })),
  );
  const files = pictures.length > 0 ? { files: pictures.map(({ name, data }) => ({ name, data })) } : {};
  return { ...bodyWith([textOf(shown(text)), ...gallery, ...below]), ...files };
}
