import { type APIMessage, ComponentType } from "discord.js";
import { invalidField } from "./form-error.ts";
import type { PostedFile } from "./post.ts";
import type { World } from "./world.ts";

type Components = NonNullable<APIMessage["components"]>;

/** What a component shows, as a body writes it and as Discord tells it. */
export interface MediaItem {
  readonly media: { readonly url: string; readonly attachment_id?: string };
  readonly description?: string | null;
  readonly spoiler?: boolean;
}

/** A component as far as it shows files. */
interface Shower {
  readonly type: ComponentType;
  readonly media?: MediaItem["media"];
  readonly file?: MediaItem["media"];
  readonly items?: readonly MediaItem[];
  readonly components?: readonly Shower[];
  readonly accessory?: Shower;
}

/** Components with the files of their message where a body names those: components/reference, "Unfurled Media Item". */
export function withMedia(world: World, components: Components, files: readonly PostedFile[]): Components {
  const found = ({ url }: MediaItem["media"]) => {
    const name = url.startsWith("attachment://") ? url.slice("attachment://".length) : undefined;
    const file = files.find((one) => one.file.name === name)?.file;
    if (name !== undefined && !file)
      throw invalidField(["components"], "UNFURLED_MEDIA_ITEM_REFERENCED_ATTACHMENT_NOT_FOUND", name);
    const link = file ? world.cdn.link(file) : url;
    const told = { id: world.id(), url: link, proxy_url: link };
    return file ? { ...told, content_type: file.contentType, attachment_id: file.id } : told;
  };
  const item = <T extends Partial<MediaItem>>(one: T, media: MediaItem["media"]) => ({
    ...one,
    media: found(media),
    description: one.description ?? null,
    spoiler: one.spoiler ?? false,
  });
  const fill = (one: Shower): Shower => ({
    ...one,
    ...(one.type === ComponentType.Thumbnail && one.media && item(one, one.media)),
    ...(one.file && { file: found(one.file), name: null, size: null, spoiler: false }),
    ...(one.items && { items: one.items.map((each) => item(each, each.media)) }),
    ...(one.components && { components: one.components.map(fill) }),
    ...(one.accessory && { accessory: fill(one.accessory) }),
  });
  return (components as readonly Shower[]).map(fill) as Components;
}

/** Where each file of a message is shown: those that no component shows, nobody sees. */
export function shownIn(components: readonly object[]): {
  readonly items: readonly MediaItem[];
  readonly thumbnails: readonly MediaItem[];
} {
  const all = (components as readonly Shower[]).flatMap(withChildren);
  return {
    items: all.flatMap(({ items = [], file }) => (file ? [{ media: file }] : items)),
    thumbnails: all.flatMap((one) => (one.media ? [one as MediaItem] : [])),
  };
}

const withChildren = (one: Shower): Shower[] => [
  one,
  ...(one.components ?? []).flatMap(withChildren),
  ...(one.accessory ? withChildren(one.accessory) : []),
];
