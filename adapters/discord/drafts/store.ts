import { forgetFiles } from "../../../src/chat/kept-files.ts";
import type { Sheet } from "../../../src/chat/sheet.ts";
import type { Memory, Origin } from "../../../src/chat/surface.ts";
import { mediaIn, type UserId } from "../../../src/chat/values.ts";
import { ReelayError } from "../../../src/errors.ts";
import type { MediaFiles } from "../../../src/media/files.ts";
import type { Draft, Offered, ChatContext } from "./draft.ts";
import { isOlder } from "../api/snowflake.ts";

/** How long a draft waits, in milliseconds. */
const DRAFT_MS = 7 * 24 * 3_600_000;

/** For how long it is remembered that a draft has begun: whoever presses once more is told so, in milliseconds. */
const BEGUN_MS = 10 * 60_000;

const DRAFTS = "draft:";
const OFFERED = "offered:";
const BEGUN = "begun:";

/** Who goes on with it. */
type Asker = Pick<ChatContext, "memory"> & { readonly origin: Pick<Origin, "user"> };

/** What is kept for somebody between two things that they do. */
type Kept = Draft | Offered;

/** Keeps a draft for its buttons and modals. @returns it, without what is secret: that is never kept */
export async function keepDraft(memory: Memory, draft: Draft, { fields }: Sheet): Promise<Draft> {
  const secrets = new Set(fields.filter(({ control }) => control === "secret").map(({ name }) => name));
  const values = Object.fromEntries(Object.entries(draft.values).filter(([name]) => !secrets.has(name)));
  const kept = { ...draft, values };
  await memory.set(DRAFTS + draft.id, kept, DRAFT_MS);
  return kept;
}

/** Keeps pictures for the menu of everything that can be made of them. */
export async function keepOffered(memory: Memory, offered: Offered): Promise<void> {
  await memory.set(OFFERED + offered.id, offered, DRAFT_MS);
}

/**
 * The draft that somebody goes on with.
 * @throws ReelayError `already_begun` when what it was for has begun lately, `stale_button` when it is gone, `not_yours` for
 * everybody but its owner
 */
export async function ownDraft(context: Asker, id: string): Promise<Draft> {
  if ((await context.memory.get<UserId>(BEGUN + id)) === context.origin.user)
    throw new ReelayError("already_begun");
  return own<Draft>(context, DRAFTS + id);
}

/** The pictures that somebody was offered something for. Errors as for {@link ownDraft}. */
export const ownOffered = (context: Asker, id: string): Promise<Offered> =>
  own<Offered>(context, OFFERED + id);

async function own<K extends Kept>({ memory, origin }: Asker, key: string): Promise<K> {
  const kept = await memory.get<K>(key);
  if (!kept) throw new ReelayError("stale_button");
  if (kept.owner !== origin.user) throw new ReelayError("not_yours");
  return kept;
}

/** Forgets a draft because what it was for has begun. */
export async function finishDraft(memory: Memory, draft: Draft): Promise<void> {
  await memory.set(BEGUN + draft.id, draft.owner, BEGUN_MS);
  await dropDraft(memory, draft);
}

/** Forgets a draft: its buttons are stale from now on. */
export async function dropDraft(memory: Memory, { id }: Draft): Promise<void> {
  await memory.delete(DRAFTS + id);
}

/** The ids of all files that somebody's drafts are about. */
export async function filesInDrafts(memory: Memory, owner: UserId): Promise<readonly string[]> {
  const drafts = (await keptIn(memory)).flatMap(([, kept]) => ("values" in kept ? [kept] : []));
  return drafts
    .filter((draft) => draft.owner === owner)
    .flatMap(({ values }) => Object.values(values).flatMap(mediaIn))
    .map(({ id }) => id);
}

/** Erases what was begun before a time, in milliseconds since 1970. */
export async function expireDrafts(memory: Memory, before: number): Promise<void> {
  for (const [key, { id }] of await keptIn(memory)) if (isOlder(id, before)) await memory.delete(key);
}

/** Erases every draft of a person, and the files that they gave. */
export async function forgetDrafts(memory: Memory, files: MediaFiles, owner: UserId): Promise<void> {
  for (const [key, kept] of await keptIn(memory)) if (kept.owner === owner) await memory.delete(key);
  await forgetFiles(memory, files, owner);
}

async function keptIn(memory: Memory): Promise<[key: string, kept: Kept][]> {
  const entries = await memory.entries<Kept>();
  return entries.filter(([key]) => key.startsWith(DRAFTS) || key.startsWith(OFFERED));
}
