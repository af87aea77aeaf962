import { type APIEmbed, type APIMessage, ApplicationCommandType, InteractionType } from "discord.js";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import { isPicture } from "../../../src/seam/forms/filling.ts";
import { offersFor } from "../../../src/seam/forms/offers.ts";
import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { MediaRef } from "../../../src/seam/values.ts";
import { type MessageKey, translator } from "../../../src/common/i18n.ts";
import type { Interaction } from "../context/interaction.ts";
import { attached, isDiscords, isVideo } from "../media/media.ts";

/** What is offered under a message. */
export const MENUS = {
  animate: "discord.menu.animate",
  edit: "discord.menu.edit",
  make: "discord.menu.make",
} as const;

type Menu = keyof typeof MENUS;

/** What somebody chose under which message. */
export interface MenuCall {
  readonly menu: Menu;
  readonly message: APIMessage;
}

const english = translator("en");

/** The entry of a message's menu that was chosen; undefined for everything else that somebody does. */
export function menuCallOf({ type, data }: Interaction): MenuCall | undefined {
  if (type !== InteractionType.ApplicationCommand || data.type !== ApplicationCommandType.Message)
    return undefined;
  const menus = Object.keys(MENUS) as Menu[];
  const menu = menus.find((one) => english(MENUS[one]) === data.name);
  const message = data.resolved.messages[data.target_id];
  return menu && message && { menu, message };
}

/** What is usually meant: the first operation that makes such of a picture, for everybody's account. */
export function usualFor(
  commands: readonly CommandSpec[],
  result: CommandSpec["result"],
): CommandSpec | undefined {
  return commands.find(
    (spec) =>
      spec.result === result &&
      spec.subscription === undefined &&
      spec.fields.some((field) => isPicture(field) && field.required),
  );
}

/** What an entry makes of a picture; the last lets people choose. */
export const RESULTS: Readonly<Record<Exclude<Menu, "make">, CommandSpec["result"]>> = {
  animate: "video",
  edit: "image",
};

/** The labels of the entries that lead to something. */
export function menusFor(commands: readonly CommandSpec[]): readonly MessageKey[] {
  const { animate, edit, make } = MENUS;
  return [
    ...(usualFor(commands, RESULTS.animate) ? [animate] : []),
    ...(usualFor(commands, RESULTS.edit) ? [edit] : []),
    ...(offersFor(commands, { pictures: [], sounds: [] }).length > 0 ? [make] : []),
  ];
}

/** The pictures and videos of a message, and of one that is passed on in it, as far as Discord keeps them. */
export function picturesIn(
  host: Pick<SurfaceHost, "config">,
  message: Pick<APIMessage, "attachments" | "embeds"> & Partial<Pick<APIMessage, "message_snapshots">>,
): MediaRef[] {
  const passedOn = message.message_snapshots?.map((snapshot) => snapshot.message) ?? [];
  return [message, ...passedOn].flatMap(({ attachments, embeds }) => {
    const pictures = attachments.filter(
      ({ content_type: type, filename: name }) => type?.startsWith("image/") || isVideo({ name }),
    );
    return pictures.map(attached).concat(embeds.flatMap((embed) => shownIn(host, embed)));
  });
}

/** An embed names its picture by the address that it comes from, and by one of Discord's own. */
function shownIn(host: Pick<SurfaceHost, "config">, { image, thumbnail }: APIEmbed): MediaRef[] {
  const links = [image, thumbnail].flatMap((picture) => [picture?.url, picture?.proxy_url]);
  const link = links.find((one) => one !== undefined && isDiscords(host, one));
  return link === undefined ? [] : [{ surface: "discord", id: link }];
}
