import { sheetOf } from "../../../src/seam/forms/sheet.ts";
import { translator } from "../../../src/common/i18n.ts";
import { addressOf } from "../context/address.ts";
import { withoutMention } from "../context/addressed.ts";
import {
  addPart,
  ALBUM_PAUSE_MS,
  type Album,
  beginWait,
  findAlbum,
  isNewestWait,
  keepAlbum,
  type AlbumKey,
  waitingAlbums,
} from "../media/album.ts";
import { messageOf, textOf } from "../context/command-line.ts";
import type { Handler, Services } from "../context/context.ts";
import { checkPicture } from "../../kit/drafts/sent.ts";
import { startWith } from "../../kit/drafts/start.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import type { TelegramContext } from "../context/chat-context.ts";
import { drafts } from "../drafts/messages.ts";
import { pictureIn } from "../media/files.ts";

/** A part of an album: it waits for the others. Nothing is held meanwhile, and a restart loses none of them. */
export const albumHandler: Handler = async (context) => {
  const message = messageOf(context);
  const picture = message && pictureIn(message);
  const group = message && "media_group_id" in message ? message.media_group_id : undefined;
  if (!picture || group === undefined) return false;
  await checkPicture(context, picture);
  const { memory, origin, username } = context;
  const part = { message: message.message_id, picture };
  const words = withoutMention(textOf(message), username);
  const album = await addPart(memory, { chat: message.chat.id, group, origin, parts: [part], words });
  if (album.shown !== undefined) return join(context, album);
  await waitFor(context, album);
  return true;
};

/** Goes on waiting for the albums of which parts had come before a restart. */
export async function resumeAlbums(services: Services): Promise<void> {
  for (const album of await waitingAlbums(services.memory)) await waitFor(services, album);
}

/** Shows an album when nothing of it came for a while: of several waits for it, the newest counts. */
async function waitFor(services: Services, { chat, group }: AlbumKey): Promise<void> {
  const place = { chat, group };
  const wait = await beginWait(services.memory, place);
  setTimeout(() => {
    show(services, place, wait).catch((error: unknown) => {
      services.host.log.error({ err: error }, "An album could not be shown");
    });
  }, ALBUM_PAUSE_MS).unref();
}

async function show(services: Services, place: AlbumKey, wait: string): Promise<void> {
  const { memory } = services;
  const album = await findAlbum(memory, place);
  if (!album || !(await isNewestWait(memory, place, wait))) return;
  const { origin, parts, words } = album;
  const context = {
    ...services,
    origin: { ...origin, address: { ...origin.address, ...(parts[0] && { replyTo: parts[0].message }) } },
    say: translator(addressOf(origin.address).locale),
  };
  const given = { pictures: picturesOf(album), sounds: [], ...(words && { words }) };
  const draft = await startWith(drafts, context, given);
  const shown = { ...((await findAlbum(memory, place)) ?? album), shown: draft?.id ?? null };
  await keepAlbum(memory, shown);
  if (shown.parts.length > parts.length) await join(context, shown);
}

/**
 * A part that came after its album was shown joins it, as long as nothing was chosen.
 * @returns whether it could
 */
async function join(context: TelegramContext, album: Album): Promise<boolean> {
  const { shown } = album;
  const draft = typeof shown === "string" ? await new DraftStore(context.memory).find(shown) : undefined;
  if (!draft || sheetOf(draft, context.intake.commands)) return false;
  await drafts.show(context, { ...draft, given: { ...draft.given, pictures: picturesOf(album) } });
  return true;
}

const picturesOf = ({ parts }: Album) => parts.map(({ picture }) => picture);
