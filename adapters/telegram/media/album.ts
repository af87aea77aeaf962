import type { AlbumKey } from "../context/albums.ts";
import type { Memory } from "../../../src/common/memory.ts";
import type { Origin } from "../../../src/seam/origin.ts";
import type { MediaRef, UserId } from "../../../src/seam/values.ts";
import { currentTime } from "../../../src/common/time.ts";

/** The parts of an album come as messages of their own, within this time of each other, in milliseconds. */
export const ALBUM_PAUSE_MS = 1_200;

/** How long the parts of an album are known, in milliseconds: none comes later. */
const ALBUM_MS = 24 * 3_600_000;

/** The parts of an album that have come so far. */
export interface Album extends AlbumKey {
  readonly origin: Origin;
  readonly parts: readonly { readonly message: number; readonly picture: MediaRef }[];
  /** The caption, which only one part has. */
  readonly words: string;
  /** Set when it was shown: the draft, or null where none was needed or wanted. */
  readonly shown?: string | null;
  /** Since when it is so, in milliseconds since 1970. */
  readonly at?: number;
}

const ALBUMS = "album-parts:";
const albumKey = ({ chat, group }: AlbumKey) => `${ALBUMS}${chat}:${group}`;

/** The album as it is now, if any of it has come. */
export function findAlbum(memory: Memory, place: AlbumKey): Promise<Album | undefined> {
  return memory.get<Album>(albumKey(place));
}

/** The albums that wait for more parts, such as those from before a restart. @param chat where; everywhere unless given */
export async function waitingAlbums(memory: Memory, chat?: number): Promise<readonly Album[]> {
  const entries = await memory.entries<Album>(chat === undefined ? ALBUMS : `${ALBUMS}${chat}:`);
  return entries.flatMap(([key, album]) =>
    key.startsWith(ALBUMS) && album.shown === undefined ? [album] : [],
  );
}

/** Adds a part in its place, once however often it comes. */
export async function addPart(memory: Memory, part: Album): Promise<Album> {
  const before = await findAlbum(memory, part);
  const added = part.parts.filter(({ message }) => !before?.parts.some((known) => known.message === message));
  const parts = [...(before?.parts ?? []), ...added].toSorted((a, b) => a.message - b.message);
  const album = { ...(before ?? part), parts, words: before?.words || part.words };
  await keepAlbum(memory, album);
  return album;
}

/** Albums as what is kept of people. */
export const albumsIn = (memory: Memory) => ({
  forget: (owner: UserId) => eraseIf(memory, ({ origin }) => origin.user === owner),
  expire: (before: number) => eraseIf(memory, ({ at = 0 }) => at < before),
});

async function eraseIf(memory: Memory, isDue: (album: Album) => boolean): Promise<void> {
  for (const [key, album] of await memory.entries<Album>())
    if (key.startsWith(ALBUMS) && isDue(album)) await memory.delete(key);
}

/** Keeps what is known of an album. */
export async function keepAlbum(memory: Memory, album: Album): Promise<void> {
  await memory.set(albumKey(album), { ...album, at: currentTime() }, ALBUM_MS);
}
