import { addressOf } from "./address.ts";
import { withoutMention } from "./addressed.ts";
import { addPart, type Album, dropAlbum, findAlbum, waitingAlbums } from "./album.ts";
import { messageOf, textOf } from "./command-line.ts";
import type { Clerk, Office } from "./desk.ts";
import { startWith } from "./draft-start.ts";
import { talkTo } from "./draft-talk.ts";
import { checkPicture, pictureIn } from "./photo.ts";

/** The parts of an album come as messages of their own, within this time of each other, in milliseconds. */
const ALBUM_PAUSE_MS = 1_200;

/** A part of an album: it waits for the others. Nothing is held meanwhile, and a restart loses none of them. */
export const albumClerk: Clerk = async (visit) => {
  const message = messageOf(visit);
  const picture = message && pictureIn(message);
  const group = message && "media_group_id" in message ? message.media_group_id : undefined;
  if (!picture || group === undefined) return false;
  await checkPicture(visit, message, picture);
  const { memory, origin, username } = visit;
  const part = { message: message.message_id, picture };
  const words = withoutMention(textOf(message), username);
  waitFor(visit, await addPart(memory, { chat: message.chat.id, group, origin, parts: [part], words }));
  return true;
};

/** Goes on waiting for the albums of which parts had come before a restart. */
export async function resumeAlbums(office: Office): Promise<void> {
  for (const album of await waitingAlbums(office.memory)) waitFor(office, album);
}

/** Shows the album if nothing of it comes for a while; if something does, its own wait goes on from there. */
function waitFor(office: Office, { chat, group, parts }: Album): void {
  setTimeout(() => {
    show(office, { chat, group }, parts.length).catch((error: unknown) => {
      office.host.log.error({ err: error }, "An album could not be shown");
    });
  }, ALBUM_PAUSE_MS).unref();
}

async function show(office: Office, place: Pick<Album, "chat" | "group">, count: number): Promise<void> {
  const album = await findAlbum(office.memory, place);
  if (album?.parts.length !== count) return;
  const { origin, parts, words } = album;
  const address = { ...addressOf(origin.address), ...(parts[0] && { replyTo: parts[0].message }) };
  const talk = { ...talkTo(office, origin.user, address), origin };
  const pictures = parts.map(({ picture }) => picture);
  await startWith(talk, address, { pictures, sounds: [], ...(words && { words }) });
  await dropAlbum(office.memory, album);
}
