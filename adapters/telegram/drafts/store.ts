import { forgetFiles } from "../../../src/chat/kept-files.ts";
import type { Memory } from "../../../src/chat/surface.ts";
import type { UserId } from "../../../src/chat/values.ts";
import { forgetAlbums } from "../media/album.ts";
import type { Services } from "../context/context.ts";
import type { Draft } from "./draft.ts";

/** How long a draft stands after its last change, in milliseconds. */
const DRAFT_MS = 7 * 24 * 3_600_000;

/** For how long it is remembered that a draft has begun: whoever presses once more is told so, in milliseconds. */
const BEGUN_MS = 10 * 60_000;

/** Where a draft is kept. */
interface Place {
  readonly chat: number;
  readonly message: number;
}

/** How the entries begin that say since when they are so. */
export const DRAFTS = "draft:";
export const USED = "draft-used:";

const draftKey = ({ chat, message }: Place) => `${DRAFTS}${chat}:${message}`;
/** The draft that a person's next words in a chat go to. */
const currentKey = (owner: UserId, chat: number) => `draft-current:${owner}:${chat}`;
const begunKey = ({ chat, message }: Place) => `draft-begun:${chat}:${message}`;
const usedKey = (owner: UserId) => USED + owner;

/** The draft that a message shows, whoever's it is. */
export function findDraft(memory: Memory, place: Place): Promise<Draft | undefined> {
  return memory.get<Draft>(draftKey(place));
}

/** The draft that somebody worked on last in a chat. */
export async function currentDraft(memory: Memory, owner: UserId, chat: number): Promise<Draft | undefined> {
  const message = await memory.get<number>(currentKey(owner, chat));
  return message === undefined ? undefined : findDraft(memory, { chat, message });
}

/** Keeps a draft, as the one that its owner works on. */
export async function keepDraft(memory: Memory, draft: Draft): Promise<void> {
  const { owner, receipt } = draft;
  const { chat, message } = receipt;
  await memory.set(draftKey(receipt), { ...draft, at: Date.now() }, DRAFT_MS);
  await memory.set(currentKey(owner, chat), message, DRAFT_MS);
}

/** Forgets a draft: its buttons are stale from now on. */
export async function dropDraft(memory: Memory, { owner, receipt }: Draft): Promise<void> {
  const { chat } = receipt;
  await memory.delete(draftKey(receipt));
  if ((await memory.get(currentKey(owner, chat))) === receipt.message)
    await memory.delete(currentKey(owner, chat));
}

/** Remembers that what a draft was for has begun. */
export async function noteBegun(memory: Memory, { receipt }: Draft): Promise<void> {
  await memory.set(begunKey(receipt), true, BEGUN_MS);
}

/** Whether what the draft of a message was for has begun lately. */
export async function hasBegun(memory: Memory, place: Place): Promise<boolean> {
  return (await memory.get<boolean>(begunKey(place))) ?? false;
}

/** The operation that somebody used last. */
export async function lastUsed(memory: Memory, owner: UserId): Promise<string | undefined> {
  const used = await memory.get<{ readonly operation: string }>(usedKey(owner));
  return used?.operation;
}

/** Remembers the operation that somebody used. */
export async function noteUsed(memory: Memory, owner: UserId, operation: string): Promise<void> {
  await memory.set(usedKey(owner), { operation, at: Date.now() });
}

/** Every draft of a person. */
export async function draftsOf(memory: Memory, owner: UserId): Promise<readonly Draft[]> {
  const entries = await memory.entries<Draft>();
  return entries.flatMap(([key, draft]) => (key.startsWith(DRAFTS) && draft.owner === owner ? [draft] : []));
}

/** Erases every draft of a person, what was made for them, and what is remembered of them. */
export async function forgetDrafts(
  services: Pick<Services, "host" | "memory">,
  owner: UserId,
): Promise<void> {
  const { memory } = services;
  for (const draft of await draftsOf(memory, owner)) await dropDraft(memory, draft);
  await memory.delete(usedKey(owner));
  await forgetAlbums(memory, owner);
  await forgetFiles(memory, services.host.files, owner);
}
