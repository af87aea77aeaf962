import type { Memory, Origin } from "../../src/chat/surface.ts";
import type { MediaRef } from "../../src/chat/values.ts";

/** How long an album that was never shown is kept, in milliseconds. */
const ALBUM_MS = 24 * 3_600_000;

/** The parts of an album that have come so far. */
export interface Album {
  readonly chat: number;
  /** What Telegram calls it. */
  readonly group: string;
  /** Whose it is, from where. */
  readonly origin: Origin;
  readonly parts: readonly { readonly message: number; readonly picture: MediaRef }[];
  /** The caption, which only one part has. */
  readonly words: string;
}

const PARTS = "album-parts:";
const albumKey = ({ chat, group }: Pick<Album, "chat" | "group">) => `${PARTS}${chat}:${group}`;

/** The album as it is now, if any of it has come and was not shown yet. */
export function findAlbum(memory: Memory, place: Pick<Album, "chat" | "group">): Promise<Album | undefined> {
  return memory.get<Album>(albumKey(place));
}

/** The albums that wait for more parts, such as those from before a restart. */
export async function waitingAlbums(memory: Memory): Promise<readonly Album[]> {
  const entries = await memory.entries<Album>();
  return entries.flatMap(([key, album]) => (key.startsWith(PARTS) ? [album] : []));
}

/** Adds a part in its place, once however often it comes. */
export async function addPart(memory: Memory, part: Album): Promise<Album> {
  const before = await findAlbum(memory, part);
  const added = part.parts.filter(({ message }) => !before?.parts.some((known) => known.message === message));
  const parts = [...(before?.parts ?? []), ...added].toSorted((a, b) => a.message - b.message);
  const album = { ...(before ?? part), parts, words: before?.words || part.words };
  await memory.set(albumKey(album), album, ALBUM_MS);
  return album;
}

/** Forgets an album that was shown. */
export async function dropAlbum(memory: Memory, album: Album): Promise<void> {
  await memory.delete(albumKey(album));
}
