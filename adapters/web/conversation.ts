import type { Memory } from "../../src/chat/surface.ts";
import { mediaIn, type Values } from "../../src/chat/values.ts";
import type { Body, ConversationEvents, Message } from "./wire.ts";

/** How many messages are kept; older ones fall off with their files. */
const MAX_MESSAGES = 500;
/** How long an uploaded photo may wait to be used, in milliseconds. */
const UNUSED_MEDIA_MS = 24 * 3_600_000;

/** What is known of a file of the conversation. */
export interface MediaEntry {
  readonly type: string;
  /** When it came, in milliseconds since 1970. */
  readonly at: number;
}

/** Hears each change, in order. */
export type Listener = <E extends keyof ConversationEvents>(event: E, data: ConversationEvents[E]) => void;

interface Index {
  readonly messages: string[];
  readonly media: Record<string, MediaEntry>;
}

/**
 * The one conversation of the page: messages in their order and the files that they show, kept in the
 * adapter's memory. Changes happen one after the other, so that two of them cannot overwrite each other's index.
 */
export class Conversation {
  readonly #memory: Memory;
  readonly #removeFile: (id: string) => Promise<void>;
  readonly #listeners = new Set<Listener>();
  readonly #messages = new Map<string, Message>();
  #media: Record<string, MediaEntry> = {};
  #last: Promise<unknown> = Promise.resolve();

  /** @param removeFile forgets a file that no message shows any more */
  constructor(memory: Memory, removeFile: (id: string) => Promise<void>) {
    this.#memory = memory;
    this.#removeFile = removeFile;
  }

  /** Reads what was kept; to be called once, before anything else. */
  async load(): Promise<void> {
    await this.#inTurn(async () => {
      const index = await this.#memory.get<Index>(INDEX_KEY);
      this.#media = index?.media ?? {};
      for (const id of index?.messages ?? []) {
        const message = await this.#memory.get<Message>(messageKey(id));
        if (message) this.#messages.set(id, message);
      }
    });
  }

  /** All messages, oldest first. */
  async all(): Promise<readonly Message[]> {
    return this.#inTurn(async () => [...this.#messages.values()]);
  }

  /** A file of this conversation; undefined for every other file. */
  async media(id: string): Promise<MediaEntry | undefined> {
    return this.#inTurn(async () => (Object.hasOwn(this.#media, id) ? this.#media[id] : undefined));
  }

  /** Makes a file one of this conversation's. It goes again when nothing has shown it for a day. */
  async addMedia(id: string, type: string): Promise<void> {
    await this.#inTurn(async () => {
      this.#media[id] = { type, at: Date.now() };
      await this.#save();
    });
  }

  /** One message. */
  async get(id: string): Promise<Message | undefined> {
    return this.#inTurn(async () => this.#messages.get(id));
  }

  /**
   * Posts a message, or replaces the one with this id in its place. A result that is posted once more comes
   * last again: somebody asked to see it, or a crash left unknown whether they had.
   */
  async put(id: string, from: Message["from"], body: Body): Promise<void> {
    await this.#inTurn(async () => {
      const old = this.#messages.get(id);
      const anew = old?.body.kind === "result" && body.kind === "result";
      if (anew) this.#messages.delete(id);
      const message: Message = { id, from, at: old && !anew ? old.at : Date.now(), body };
      this.#messages.set(id, message);
      await this.#memory.set(messageKey(id), message);
      for (const oldest of [...this.#messages.keys()].slice(0, -MAX_MESSAGES)) await this.#forget(oldest);
      await this.#save(old && mediaOf(old.body));
      this.#tell("message", message);
    });
  }

  /** Takes a message back. */
  async remove(id: string): Promise<void> {
    await this.#inTurn(async () => {
      const old = this.#messages.get(id);
      if (!old) return;
      await this.#forget(id);
      await this.#save();
      this.#tell("removed", { id });
    });
  }

  /** Takes every message back, with its files. */
  clear(): Promise<void> {
    return this.#removeAll(() => true);
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
      listener("history", [...this.#messages.values()]);
      this.#listeners.add(listener);
    });
    return () => this.#listeners.delete(listener);
  }

  async #removeAll(goes: (message: Message) => boolean): Promise<void> {
    await this.#inTurn(async () => {
      const going = [...this.#messages.values()].filter(goes);
      for (const { id } of going) {
        await this.#forget(id);
        this.#tell("removed", { id });
      }
      await this.#save(going.flatMap(({ body }) => mediaOf(body)));
    });
  }

  async #forget(id: string): Promise<void> {
    this.#messages.delete(id);
    await this.#memory.delete(messageKey(id));
  }

  /** Writes the index, and drops files that no message shows: at once if one just did, else after a day. */
  async #save(justReplaced: readonly string[] = []): Promise<void> {
    const shown = new Set([...this.#messages.values()].flatMap(({ body }) => mediaOf(body)));
    const gone = Object.entries(this.#media)
      .filter(
        ([id, { at }]) => !shown.has(id) && (justReplaced.includes(id) || at < Date.now() - UNUSED_MEDIA_MS),
      )
      .map(([id]) => id);
    for (const id of gone) delete this.#media[id];
    await this.#memory.set(INDEX_KEY, {
      messages: [...this.#messages.keys()],
      media: this.#media,
    } satisfies Index);
    for (const id of gone) await this.#removeFile(id);
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

const INDEX_KEY = "conversation";
const messageKey = (id: string) => `message:${id}`;

/** The files that a message shows. */
function mediaOf(body: Body): string[] {
  const given = Object.values(valuesOf(body) ?? {})
    .flatMap(mediaIn)
    .map(({ id }) => id);
  if (body.kind === "result") return [...given, ...body.media.map(({ id }) => id)];
  return body.kind === "file" ? [body.file.id] : given;
}

function valuesOf(body: Body): Values | undefined {
  if (body.kind === "request") return body.values;
  if (body.kind === "form") return body.form.values;
  return "job" in body ? body.job?.values : undefined;
}
