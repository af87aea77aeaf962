import { isDeepStrictEqual } from "node:util";
import type { Memory } from "../../src/common/memory.ts";
import { mediaIn, type Values } from "../../src/seam/values.ts";
import type { PageMessageBody, ConversationEvents, PageMessage } from "./wire.ts";
import { currentTime } from "../../src/common/time.ts";

/** How many messages are kept; older ones fall off with their files. */
const MAX_MESSAGES = 500;
/** The same for all of their words, in characters: each window is sent them at once. */
const MAX_CHARACTERS = 4 * 2 ** 20;
/** How long an uploaded photo may wait to be used, in milliseconds. */
const UNUSED_MEDIA_MS = 24 * 3_600_000;
/** Of uploads that may wait to be used at once: older ones go first. */
const MOST_UNUSED = { files: 50, bytes: 512 * 2 ** 20 };
/** The most time between two looks for such photos while something is said, in milliseconds. */
const TIDY_MS = 3_600_000;

/** What is known of a file of the conversation. */
export interface MediaEntry {
  readonly type: string;
  /** The size of what was uploaded. */
  readonly uploaded?: number;
  /** When it came, or was in a form again, in milliseconds since 1970. */
  readonly at: number;
  /** Whether it has been in a form since it was last asked for with it: it stays then where what it was made for goes. */
  readonly inForm?: boolean;
}

/** Hears each change, in order. */
export type Listener = <E extends keyof ConversationEvents>(event: E, data: ConversationEvents[E]) => void;

/** Where a conversation's files are. */
interface ConversationFiles {
  /** Notes a file as one of this conversation's. */
  add(id: string): Promise<void>;
  /** Forgets a file that no message here shows any more. */
  remove(id: string): Promise<void>;
}

/**
 * Somebody's conversation on the page: messages in their order and the files that they show, kept in the adapter's memory.
 * Each is an entry of its own, read where it is asked for: a second process on the same data neither hides nor overwrites
 * what this one was told. Changes happen one after the other, so that windows hear of them in that order.
 */
export class Conversation {
  readonly #memory: Memory;
  readonly #files: ConversationFiles;
  readonly #ring: (id: string) => void;
  readonly #listeners = new Set<Listener>();
  /** How many messages there were at the last look, and have come since. */
  #count = 0;
  /** How long they were then, and what has come since. */
  #characters = 0;
  #tidiedAt = 0;
  #lastAt = 0;
  #last: Promise<unknown> = Promise.resolve();

  /** @param ring has other processes that show this conversation look at a message */
  constructor(memory: Memory, files: ConversationFiles, ring: (id: string) => void = () => {}) {
    this.#memory = memory;
    this.#files = files;
    this.#ring = ring;
  }

  /** Brings what was kept up to date; to be called once, before anything else. */
  async load(): Promise<void> {
    await this.#inTurn(async () => {
      const old = await this.#memory.get<OldIndex>(OLD_INDEX_KEY);
      for (const [id, entry] of Object.entries(old?.media ?? {})) await this.#memory.set(mediaKey(id), entry);
      if (old) await this.#memory.delete(OLD_INDEX_KEY);
      // Before there were several conversations, nobody noted whose a file is.
      for (const [key] of await this.#memory.entries())
        if (key.startsWith(MEDIA)) await this.#files.add(key.slice(MEDIA.length));
      await this.#tidy();
    });
  }

  /** All messages, oldest first. */
  async all(): Promise<readonly PageMessage[]> {
    return this.#inTurn(() => this.#messages());
  }

  /** A file of this conversation; undefined for every other file. */
  async media(id: string): Promise<MediaEntry | undefined> {
    return this.#inTurn(() => this.#memory.get<MediaEntry>(mediaKey(id)));
  }

  /**
   * Makes a file one of this conversation's. It goes again when nothing has shown it for a day; an upload earlier, where many
   * more came since.
   * @param uploaded the size of what was uploaded, in bytes
   */
  async addMedia(id: string, type: string, uploaded?: number): Promise<void> {
    await this.#inTurn(async () => {
      await this.#files.add(id);
      const old = await this.#memory.get<MediaEntry>(mediaKey(id));
      const given = uploaded === undefined ? old?.inForm && { inForm: true } : { uploaded, inForm: true };
      const entry: MediaEntry = { type, at: this.#now(), ...given };
      await this.#memory.set(mediaKey(id), entry);
      await this.#tidy();
    });
  }

  /** Notes that a form holds files of this conversation, as far as they are there, which somebody still fills in. */
  async inForm(ids: readonly string[]): Promise<void> {
    await this.#inTurn(() => this.#noteForm(ids, true));
  }

  /** Keeps a file that comes from being erased as somebody else's, until it is one of this conversation's or discarded. */
  async hold(id: string): Promise<void> {
    await this.#inTurn(() => this.#files.add(id));
  }

  /** Lets a file go that was held, and did not become one of this conversation's. */
  async discard(id: string): Promise<void> {
    await this.#inTurn(async () => {
      if (!(await this.#memory.get(mediaKey(id)))) await this.#files.remove(id);
    });
  }

  /** One message. */
  async get(id: string): Promise<PageMessage | undefined> {
    return this.#inTurn(() => this.#memory.get<PageMessage>(messageKey(id)));
  }

  /**
   * Posts a message, or replaces the one with this id in its place. A result that is posted once more comes
   * last again: somebody asked to see it, or a crash left unknown whether they had.
   */
  async put(id: string, from: PageMessage["from"], body: PageMessageBody): Promise<void> {
    await this.#inTurn(() => this.#post(id, from, body));
  }

  /** Posts a message, unless there is one with this id. Returns whether there was none. */
  async putNew(id: string, from: PageMessage["from"], body: PageMessageBody): Promise<boolean> {
    return this.#inTurn(async () => {
      if (await this.#memory.get(messageKey(id))) return false;
      await this.#post(id, from, body);
      return true;
    });
  }

  /** Posts a message, unless the last one says the same. Returns the id of the one that does. */
  async putOnce(id: string, from: PageMessage["from"], body: PageMessageBody): Promise<string> {
    return this.#inTurn(async () => {
      const last = (await this.#messages()).at(-1);
      if (last?.from === from && isDeepStrictEqual(last.body, body)) return last.id;
      await this.#post(id, from, body);
      return id;
    });
  }

  /** Takes a message back. */
  async remove(id: string): Promise<void> {
    await this.#inTurn(async () => {
      if (!(await this.#memory.get(messageKey(id)))) return;
      await this.#memory.delete(messageKey(id));
      await this.#tidy();
      this.#tell("removed", { id });
      this.#ring(id);
    });
  }

  /**
   * Goes through all messages.
   * @param left what is left of one: the same, something else in its place, or nothing; it goes with its files then
   */
  async rewrite(left: (message: PageMessage) => PageMessageBody | undefined): Promise<void> {
    await this.#inTurn(async () => {
      for (const message of await this.#messages()) {
        const { id, from, body } = message;
        const news = left(message);
        if (news === undefined) await this.#takeBack(message);
        else if (news !== body) await this.#post(id, from, news);
      }
    });
  }

  /** Takes every message back, and every file, also those that wait to be used. */
  async clear(): Promise<void> {
    await this.#removeAll(() => true);
    await this.#inTurn(async () => {
      const entries = await this.#memory.entries();
      await this.#noteForm(filesIn(entries), false);
      await this.#tidy(filesIn(entries));
    });
  }

  /**
   * Takes back what came before a time, with its files; a job that is going on stays.
   * @param before milliseconds since 1970
   */
  expire(before: number): Promise<void> {
    return this.#removeAll(({ at, body }) => at < before && body.kind !== "progress");
  }

  /** Hears the history first, then every change, with none lost or repeated between the two. */
  async follow(listener: Listener): Promise<() => void> {
    await this.#inTurn(async () => {
      listener("history", await this.#messages());
      this.#listeners.add(listener);
    });
    return () => this.#listeners.delete(listener);
  }

  /** To be called when another process has changed a message, or taken it back; undefined: any of them. */
  async changed(id: string | undefined): Promise<void> {
    if (this.#listeners.size === 0) return;
    await this.#inTurn(async () => {
      if (id === undefined) return this.#tell("history", await this.#messages());
      const message = await this.#memory.get<PageMessage>(messageKey(id));
      if (message) this.#tell("message", message);
      else this.#tell("removed", { id });
    });
  }

  async #post(id: string, from: PageMessage["from"], body: PageMessageBody): Promise<void> {
    const old = await this.#memory.get<PageMessage>(messageKey(id));
    const anew = old?.body.kind === "result" && body.kind === "result";
    const message: PageMessage = { id, from, at: old && !anew ? old.at : this.#now(), body };
    await this.#memory.set(messageKey(id), message);
    const shown = mediaOf(body);
    if (body.kind === "request") await this.#noteForm(shown, false);
    const kept = new Set(shown);
    const replaced = old ? mediaOf(old.body).filter((file) => !kept.has(file)) : [];
    this.#count += old ? 0 : 1;
    this.#characters += lengthOf(message);
    const isDue = Math.abs(currentTime() - this.#tidiedAt) > TIDY_MS;
    const isTooMuch = this.#count > MAX_MESSAGES || this.#characters > MAX_CHARACTERS;
    if (isDue || replaced.length > 0 || isTooMuch) await this.#tidy(replaced);
    this.#tell("message", message);
    this.#ring(id);
  }

  async #noteForm(ids: readonly string[], inForm: boolean): Promise<void> {
    for (const id of ids) {
      const found = await this.#memory.get<MediaEntry>(mediaKey(id));
      if (!found) continue;
      const { inForm: before = false, ...entry } = found;
      const isOld = inForm && Math.abs(currentTime() - entry.at) > TIDY_MS;
      if (before === inForm && !isOld) continue;
      await this.#memory.set(mediaKey(id), inForm ? { ...entry, at: this.#now(), inForm } : entry);
    }
  }

  async #takeBack({ id, body }: PageMessage): Promise<void> {
    await this.#memory.delete(messageKey(id));
    await this.#tidy(mediaOf(body));
    this.#tell("removed", { id });
    this.#ring(id);
  }

  async #removeAll(goes: (message: PageMessage) => boolean): Promise<void> {
    await this.#inTurn(async () => {
      const going = (await this.#messages()).filter(goes);
      for (const { id } of going) {
        await this.#memory.delete(messageKey(id));
        this.#tell("removed", { id });
        this.#ring(id);
      }
      await this.#tidy(going.flatMap(({ body }) => mediaOf(body)));
    });
  }

  async #messages(): Promise<PageMessage[]> {
    return messagesOf(await this.#memory.entries<unknown>());
  }

  /**
   * Drops the oldest messages beyond what is kept, and files that none shows: at once if one just did and no form has them, else after
   * a day.
   */
  async #tidy(justReplaced: readonly string[] = []): Promise<void> {
    const entries = await this.#memory.entries<unknown>();
    const messages = messagesOf(entries);
    // What comes is the last, also where the clock was set back before this process began.
    this.#lastAt = Math.max(this.#lastAt, messages.at(-1)?.at ?? 0);
    const kept: PageMessage[] = [];
    this.#characters = 0;
    for (const message of messages.toReversed()) {
      const characters = this.#characters + lengthOf(message);
      if (kept.length === MAX_MESSAGES || characters > MAX_CHARACTERS) break;
      kept.push(message);
      this.#characters = characters;
    }
    for (const { id } of messages.slice(0, messages.length - kept.length))
      await this.#memory.delete(messageKey(id));
    this.#count = kept.length;
    this.#tidiedAt = currentTime();
    const shown = new Set(kept.flatMap(({ body }) => mediaOf(body)));
    const unused = entries
      .flatMap(([key, value]) =>
        key.startsWith(MEDIA) ? [{ id: key.slice(MEDIA.length), ...(value as MediaEntry) }] : [],
      )
      .filter(({ id }) => !shown.has(id))
      .toSorted((a, b) => b.at - a.at);
    let [files, bytes] = [0, 0];
    for (const { id, at, uploaded, inForm } of unused) {
      files += uploaded === undefined ? 0 : 1;
      bytes += uploaded ?? 0;
      const isOver = uploaded !== undefined && (files > MOST_UNUSED.files || bytes > MOST_UNUSED.bytes);
      const isReplaced = !inForm && justReplaced.includes(id);
      if (!isOver && !isReplaced && at >= currentTime() - UNUSED_MEDIA_MS) continue;
      // Killed in between, the next look finds it once more.
      await this.#files.remove(id);
      await this.#memory.delete(mediaKey(id));
    }
  }

  /** Never the same twice: it is what messages are ordered by. */
  #now(): number {
    this.#lastAt = Math.max(currentTime(), this.#lastAt + 1);
    return this.#lastAt;
  }

  #tell: Listener = (event, data) => {
    for (const listener of this.#listeners) listener(event, data);
  };

  #inTurn<T>(task: () => Promise<T>): Promise<T> {
    const turn = this.#last.then(task);
    this.#last = turn.catch(() => undefined);
    return turn;
  }
}

/** What earlier versions kept beside the messages: two processes overwrote each other's. */
interface OldIndex {
  readonly media: Readonly<Record<string, MediaEntry>>;
}
const OLD_INDEX_KEY = "conversation";

const MESSAGE = "message:";
const MEDIA = "media:";
const messageKey = (id: string) => MESSAGE + id;
const mediaKey = (id: string) => MEDIA + id;

const filesIn = (entries: readonly (readonly [string, unknown])[]) =>
  entries.flatMap(([key]) => (key.startsWith(MEDIA) ? [key.slice(MEDIA.length)] : []));

const lengthOf = (message: PageMessage) => JSON.stringify(message).length;

/** Oldest first. */
function messagesOf(entries: readonly (readonly [string, unknown])[]): PageMessage[] {
  return entries
    .flatMap(([key, value]) => (key.startsWith(MESSAGE) ? [value as PageMessage] : []))
    .toSorted((a, b) => a.at - b.at);
}

/** The files that a message shows. */
function mediaOf(body: PageMessageBody): string[] {
  const given = Object.values(valuesOf(body) ?? {})
    .flatMap(mediaIn)
    .map(({ id }) => id);
  if (body.kind === "result")
    return [
      ...given,
      ...body.media.flatMap(({ id, poster }) => (poster === undefined ? [id] : [id, poster])),
    ];
  return body.kind === "file" ? [body.file.id] : given;
}

function valuesOf(body: PageMessageBody): Values | undefined {
  if (body.kind === "request") return body.values;
  if (body.kind === "form") return body.form.values;
  return "job" in body ? body.job?.values : undefined;
}
