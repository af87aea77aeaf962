import { type APIEmbed, type APIMessage, type APIUser, MessageFlags, type MessageType } from "discord.js";
import type { File } from "./cdn.ts";
import type { Channel } from "./channel.ts";
import { completed, numbered } from "./defaults.ts";
import { checkForm, invalidField } from "./form-error.ts";
import type { Content, Post, PostedFile } from "./post.ts";
import { emptyMessage, tooLarge } from "./refusal.ts";
import { withMedia } from "./media-items.ts";
import { message as rules } from "./rules/message.ts";
import type { World } from "./world.ts";

/** What a body says of a message, as far as the fake reads it. */
export interface MessageBody {
  readonly content?: string | null;
  readonly embeds?: readonly APIEmbed[] | null;
  readonly components?: APIMessage["components"] | null;
  readonly attachments?:
    | readonly { readonly id: string | number; readonly filename?: string; readonly description?: string }[]
    | null;
  readonly flags?: number | null;
}

/** A file that came with a request: `files[n]`. */
export interface Upload extends File {
  readonly n: string;
}

const NOTHING: Content = { content: "", embeds: [], components: [], files: [], flags: 0 };

/** Flags that a bot sets; others are Discord's own. */
const SETTABLE =
  MessageFlags.SuppressEmbeds | MessageFlags.SuppressNotifications | MessageFlags.IsComponentsV2;

/**
 * Reads what a new message is to show.
 * @throws Refusal for what it may not show, 50006 for nothing
 */
export function newContent(
  world: World,
  channel: Channel,
  body: MessageBody,
  uploads: readonly Upload[],
): Promise<Content> {
  return revisedContent(world, channel, NOTHING, body, uploads);
}

/**
 * Reads what a message is to show after an edit: what the body leaves out stays.
 * @throws Refusal as for a new one
 */
export async function revisedContent(
  world: World,
  channel: Channel,
  before: Content,
  body: MessageBody,
  uploads: readonly Upload[],
): Promise<Content> {
  const flags = before.flags | ((body.flags ?? 0) & SETTABLE);
  const after = {
    content: body.content === undefined ? before.content : (body.content ?? ""),
    embeds: body.embeds === undefined ? before.embeds : (body.embeds ?? []),
    flags,
  };
  // resources/message, "Edit Message": what it had before must be taken away by whoever sets IS_COMPONENTS_V2.
  checkForm(rules, { ...body, ...after });
  const kept = keptFiles(before.files, body, uploads);
  const isV2 = (flags & MessageFlags.IsComponentsV2) !== 0;
  const shows = after.content.trim() !== "" || after.embeds.length + kept.length + uploads.length > 0;
  const components = body.components === undefined ? before.components : (body.components ?? []);
  if (isV2 ? components.length === 0 : !shows) throw emptyMessage();
  const added = await Promise.all(uploads.map((upload) => store(world, channel, body, upload)));
  const files = [...kept, ...added];
  if (files.length > world.limits.files) {
    throw invalidField(["attachments"], "BASE_TYPE_MAX_LENGTH", "Must be 10 or fewer in length.");
  }
  const embeds = after.embeds.map((embed) => completed(withLinks(world, embed, files)));
  const isNew = body.components !== undefined;
  return {
    ...after,
    embeds,
    files,
    components: isNew ? numbered(withMedia(world, components, files)) : components,
  };
}

/**
 * Whether files are small enough.
 * @param most bytes of one
 * @throws Refusal 40005
 */
export function checkSizes(uploads: readonly Upload[], most: number): void {
  if (uploads.some(({ bytes }) => bytes.length > most)) throw tooLarge();
}

/** resources/message: `attachments` lists those that stay, by id, and the new ones, by their place in `files`. */
function keptFiles(
  before: readonly PostedFile[],
  { attachments }: MessageBody,
  uploads: readonly Upload[],
): readonly PostedFile[] {
  if (!attachments) return attachments === null ? [] : before;
  for (const [index, { id }] of attachments.entries()) {
    const isKnown =
      uploads.some(({ n }) => n === String(id)) || before.some(({ file }) => file.id === String(id));
    if (!isKnown)
      throw invalidField(["attachments", index, "id"], "ATTACHMENT_NOT_FOUND", "Attachment not found");
  }
  return before.filter(({ file }) => attachments.some(({ id }) => String(id) === file.id));
}

async function store(
  world: World,
  channel: Channel,
  { attachments }: MessageBody,
  upload: Upload,
): Promise<PostedFile> {
  const note = attachments?.find(({ id }) => String(id) === upload.n);
  const named = { ...upload, name: note?.filename ?? upload.name };
  const file = await world.cdn.add(world.id(), `attachments/${channel.id}`, named);
  return { file, description: note?.description };
}

/** An embed may show a file of its message: `attachment://name`. */
function withLinks(world: World, embed: APIEmbed, files: readonly PostedFile[]): APIEmbed {
  const linked = (media: { url: string } | undefined, place: string) => {
    if (!media?.url.startsWith("attachment://")) return media;
    const name = media.url.slice("attachment://".length);
    const found = files.find(({ file }) => file.name === name);
    if (!found) throw invalidField(["embeds", place], "ATTACHMENT_NOT_FOUND", `There is no file ${name}`);
    return { ...media, url: world.cdn.link(found.file) };
  };
  const image = linked(embed.image, "image");
  const thumbnail = linked(embed.thumbnail, "thumbnail");
  return { ...embed, ...(image && { image }), ...(thumbnail && { thumbnail }) };
}

/** Posts an answer of the bot's to an interaction: anywhere, whatever it may do there by itself. */
export async function answerWith(
  world: World,
  channel: Channel,
  body: MessageBody,
  uploads: readonly Upload[],
  placement: {
    readonly type: MessageType;
    readonly person: APIUser;
    readonly replyTo?: Post | undefined;
  } & Pick<Post, "interaction">,
  ephemeral = ((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0,
): Promise<Post> {
  const { type, person, replyTo, interaction } = placement;
  const content = await newContent(world, channel, body, uploads);
  return world.add(
    channel,
    ephemeral ? { ...content, flags: content.flags | MessageFlags.Ephemeral } : content,
    {
      author: world.bot,
      type,
      interaction,
      replyTo,
      visibleTo: ephemeral ? person.id : undefined,
    },
  );
}
