import { Readable } from "node:stream";
import { z } from "zod";

/** What the chat takes: lengths in characters, sizes in bytes, and messages a second. */
export const LIMITS = { text: 2_000, caption: 500, perRow: 2, upload: 5_000_000, perSecond: 50 } as const;

const updateSchema = z.object({
  id: z.int(),
  person: z.string(),
  /** The message that they sent, or whose button they pressed. */
  message: z.int(),
  text: z.string().exactOptional(),
  file: z.object({ id: z.string(), name: z.string(), bytes: z.int() }).exactOptional(),
  replyTo: z.int().exactOptional(),
  pressed: z.string().exactOptional(),
});

/** What a person did. */
export type Update = z.output<typeof updateSchema>;

/** What a message says, with the buttons below it. */
export interface Content {
  readonly text: string;
  readonly rows: readonly (readonly { readonly text: string; readonly token: string }[])[];
  /** The message that it answers. */
  readonly replyTo?: number | undefined;
}

/** The chat refused: nothing was posted. */
export class Refused extends Error {
  override readonly name = "Refused";
}

/** The chat's own library, as telegraf is Telegram's. All methods throw {@link Refused}. */
export class ChatClient {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** What people did after an update; waits until there is something. */
  async updates(after: number, signal: AbortSignal): Promise<readonly Update[]> {
    const answer = await this.#call(`updates?after=${after}`, { signal });
    return z.array(updateSchema).parse(await answer?.json());
  }

  /** Opens a file. @returns undefined where there is no such file any more */
  async open(file: string): Promise<Readable | undefined> {
    const answer = await this.#call(`files/${file}`);
    return answer?.body ? Readable.fromWeb(answer.body) : undefined;
  }

  /** Says something, with a file or without. @returns the message */
  async post(chat: string, content: Content, file?: File): Promise<number> {
    const body = new FormData();
    body.set("message", JSON.stringify(content));
    if (file) body.set("file", file);
    const answer = await this.request(chat, "", { method: "POST", body });
    return z.object({ id: z.int() }).parse(await answer?.json()).id;
  }

  /** Shows something else in a message; what is left out stays. @returns false where that is gone */
  async edit(chat: string, message: number, content: Partial<Content>): Promise<boolean> {
    const body = JSON.stringify(content);
    return (await this.request(chat, message, { method: "PUT", body })) !== undefined;
  }

  /** Takes a message away, if it is still there. */
  async remove(chat: string, message: number): Promise<void> {
    await this.request(chat, message, { method: "DELETE" });
  }

  /** Calls about a message. @returns undefined where that is gone */
  protected request(chat: string, message: number | "", init: RequestInit): Promise<Response | undefined> {
    return this.#call(`chats/${chat}/messages/${message}`, init);
  }

  async #call(path: string, init: RequestInit = {}): Promise<Response | undefined> {
    const answer = await fetch(`${this.#url}/${path}`, init);
    if (answer.ok) return answer;
    const said = await answer.text();
    if (answer.status !== 404) throw new Refused(`${answer.status}: ${said}`);
    return undefined;
  }
}
