import { translator } from "../../../src/common/i18n.ts";
import { addressOf } from "../context/address.ts";
import { withoutMention } from "../context/addressed.ts";
import { addPart, ALBUM_PAUSE_MS, type Album, findAlbum, keepAlbum, waitingAlbums } from "../media/album.ts";
import { type AlbumKey, albumOf } from "../context/albums.ts";
import { messageOf, textOf } from "../context/command-line.ts";
import type { Handler, Services, UpdateContext } from "../context/context.ts";
import { checkPicture } from "../../kit/drafts/sent.ts";
import { joined, startWith } from "../../kit/drafts/start.ts";
import { DraftStore } from "../../kit/drafts/store.ts";
import type { TelegramContext } from "../context/chat-context.ts";
import { drafts } from "../drafts/messages.ts";
import { isRemade, pictureIn } from "../media/files.ts";

/** A part of an album: it waits for the others. Nothing is held meanwhile, and a restart loses none of them. */
export const albumHandler: Handler = async (context) => {
  const message = messageOf(context);
  const picture = message && pictureIn(message);
  const place = albumOf(context.update);
  if (!picture || !place) return false;
  if (!isRemade(message)) await checkPicture(context, picture);
  const { memory, origin, username } = context;
  const part = { message: message.message_id, picture };
  const words = withoutMention(textOf(message), username);
  return context.albums.inTurn(place, async () => {
    const album = await addPart(memory, { ...place, origin, parts: [part], words });
    if (album.shown !== undefined) return join(context, album);
    waitFor(context, album);
    return true;
  });
};

/** Goes on waiting for the albums of which parts had come before a restart. */
export async function resumeAlbums(services: Services): Promise<void> {
  for (const album of await waitingAlbums(services.memory)) waitFor(services, album);
}

/** Lets go of the albums of somebody that are still to be shown in a chat. @returns how many those were */
export async function dropAlbums({ memory, albums, origin }: UpdateContext): Promise<number> {
  const waiting = await waitingAlbums(memory, addressOf(origin.address).chat);
  let count = 0;
  for (const place of waiting.filter((album) => album.origin.user === origin.user))
    await albums.inTurn(place, async () => {
      const album = await findAlbum(memory, place);
      if (!album || album.shown !== undefined) return;
      await keepAlbum(memory, { ...album, shown: null });
      count += 1;
    });
  return count;
}

/** Shows an album when nothing of it came for a while. */
function waitFor(services: Services, { chat, group }: AlbumKey): void {
  const place = { chat, group };
  services.albums.wait(place, ALBUM_PAUSE_MS, () => {
    show(services, place).catch((err: unknown) => {
      services.host.log.error({ err }, "An album could not be shown");
    });
  });
}

async function show(services: Services, place: AlbumKey): Promise<void> {
  const { memory, albums } = services;
  if (albums.has(place)) return waitFor(services, place);
  await albums.inTurn(place, async () => {
    const album = await findAlbum(memory, place);
    if (album && album.shown === undefined) await showWhole(services, album);
  });
}

async function showWhole(services: Services, album: Album): Promise<void> {
  const { memory } = services;
  const { origin, parts, words } = album;
  const context = {
    ...services,
    origin: { ...origin, address: { ...origin.address, ...(parts[0] && { replyTo: parts[0].message }) } },
    say: translator(addressOf(origin.address).locale),
  };
  const given = { pictures: picturesOf(album), sounds: [], ...(words && { words }) };
  const draft = await startWith(drafts, context, given);
  await keepAlbum(memory, { ...album, shown: draft?.id ?? null });
}

/**
 * A part that came after its album was shown joins it, as long as nobody chose or changed anything.
 * @returns whether it could
 */
async function join(context: TelegramContext, album: Album): Promise<boolean> {
  const { shown, words } = album;
  const draft = typeof shown === "string" ? await new DraftStore(context.memory).find(shown) : undefined;
  const given = { ...draft?.given, sounds: [], pictures: picturesOf(album) };
  const whole = draft && (await joined(context, draft, { ...(words && { words }), ...given }));
  if (whole) await drafts.show(context, whole);
  return whole !== undefined;
}

const picturesOf = ({ parts }: Album) => parts.map(({ picture }) => picture);
