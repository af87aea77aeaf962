import {
  type APIButtonComponent,
  type APIEmbed,
  type APIMessage,
  type APISelectMenuComponent,
  ComponentType,
  MessageFlags,
} from "discord.js";
import type { StoredFile } from "./cdn.ts";
import { type MediaItem, shownIn } from "./media-items.ts";
import { type Post, wireMessage } from "./post.ts";
import type { World } from "./world.ts";

/** What can be pressed or picked from. */
export type Control = APIButtonComponent | APISelectMenuComponent;

/** A file in a message. */
interface SeenFile {
  readonly id: string;
  readonly name: string;
  /** Empty in a lean fake. */
  readonly bytes: Buffer;
  readonly size: number;
  readonly contentType: string;
  readonly description: string | undefined;
  /** Whether it is covered until somebody presses it. */
  readonly covered: boolean;
  /** A link that works for a day from now. */
  readonly url: string;
}

/** What a message shows at one time. */
interface SeenContent {
  /** The words, also those in components. */
  readonly text: string;
  readonly embeds: readonly APIEmbed[];
  /** The labels of buttons and the placeholders of menus, row by row. */
  readonly buttons: readonly (readonly string[])[];
  readonly files: readonly SeenFile[];
  /** The small pictures beside the words. */
  readonly thumbnails: readonly SeenFile[];
}

/** A message as a person sees it. */
export interface SeenMessage extends SeenContent {
  readonly id: string;
  readonly channelId: string;
  readonly from: "bot" | "person";
  readonly sender: string;
  /** Whether only this person sees it. */
  readonly ephemeral: boolean;
  /** Whether it says that the bot is thinking. */
  readonly thinking: boolean;
  readonly controls: readonly (readonly Control[])[];
  /** The id of the message that it replies to. */
  readonly replyTo: string | undefined;
  /** What it showed before each edit, oldest first. */
  readonly history: readonly SeenContent[];
  /** As it is on the wire. */
  readonly message: APIMessage;
}

/** How a person sees a message now; later edits make another. */
export function seen(world: World, post: Post): SeenMessage {
  return {
    ...content(world, post.shown),
    id: post.id,
    channelId: post.channel.id,
    from: post.author === world.bot ? "bot" : "person",
    sender: post.author.global_name ?? post.author.username,
    ephemeral: post.visibleTo !== undefined,
    thinking: (post.shown.flags & MessageFlags.Loading) !== 0,
    controls: controlsIn(post.shown.components),
    replyTo: post.replyTo?.id,
    history: post.history.map((before) => content(world, before)),
    message: wireMessage(world, post),
  };
}

function content(world: World, shown: Post["shown"]): SeenContent {
  const isV2 = (shown.flags & MessageFlags.IsComponentsV2) !== 0;
  const { items, thumbnails } = shownIn(shown.components);
  const fileOf = (file: StoredFile, description: string | undefined, covered: boolean) => ({
    id: file.id,
    name: file.name,
    bytes: file.bytes,
    size: file.size,
    contentType: file.contentType,
    description,
    covered,
    url: world.cdn.link(file),
  });
  const filesOf = (shownFiles: readonly MediaItem[]) =>
    shownFiles.flatMap(({ media, description, spoiler = false }) =>
      shown.files
        .filter(({ file }) => file.id === media.attachment_id)
        .map(({ file }) => fileOf(file, description ?? undefined, spoiler)),
    );
  return {
    text: [shown.content, ...wordsIn(shown.components)].filter((words) => words !== "").join("\n"),
    embeds: shown.embeds,
    buttons: controlsIn(shown.components).map((row) => row.map(labelOf)),
    files: isV2
      ? filesOf(items)
      : shown.files.map(({ file, description }) =>
          // Clients cover a picture or a video whose name begins so.
          fileOf(file, description, file.name.startsWith("SPOILER_")),
        ),
    thumbnails: filesOf(thumbnails),
  };
}

/** The label that a button shows, or what a menu says before something is picked. */
export function labelOf(control: Control): string {
  if (control.type !== ComponentType.Button) return control.placeholder ?? control.custom_id;
  const label = "label" in control ? control.label : undefined;
  const emoji = "emoji" in control ? control.emoji?.name : undefined;
  return label ?? emoji ?? "";
}

/** Components as far as they hold others; each kind fills its own. */
interface Holder {
  readonly type: ComponentType;
  readonly content?: string;
  readonly components?: readonly Holder[];
  readonly accessory?: Holder;
}

const partsOf = ({ components = [], accessory }: Holder) => [
  ...components,
  ...(accessory ? [accessory] : []),
];

function controlsIn(components: readonly object[]): Control[][] {
  return (components as readonly Holder[]).flatMap((one) => {
    if (one.type === ComponentType.ActionRow) return [one.components as unknown as Control[]];
    if (one.accessory?.type === ComponentType.Button) return [[one.accessory as unknown as Control]];
    return controlsIn(partsOf(one));
  });
}

const wordsIn = (components: readonly object[]): string[] =>
  (components as readonly Holder[]).flatMap((one) =>
    one.type === ComponentType.TextDisplay ? [one.content ?? ""] : wordsIn(partsOf(one)),
  );
