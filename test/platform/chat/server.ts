import { EventEmitter, once } from "node:events";
import { Server } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdaptorServer } from "@hono/node-server";
import { Hono } from "hono";
import { HTTPException } from "hono/http-exception";
import { z } from "zod";
import { TOKEN_BYTES } from "../../../src/seam/text/actions.ts";
import { LIMITS, type Update } from "./client.ts";

const button = z.object({
  text: z.string().min(1).max(64),
  token: z.string().refine((token) => Buffer.byteLength(token) <= TOKEN_BYTES),
  style: z.string(),
});

const content = z.strictObject({
  text: z.string(),
  rows: z.array(z.array(button).min(1).max(4)),
  replyTo: z.int().optional(),
});

/** A message of the bot's, as its person sees it. */
export interface SeenMessage extends z.output<typeof content> {
  readonly id: number;
  readonly file?: Buffer | undefined;
}

/** What a person sends. */
interface Sent {
  readonly text?: string;
  readonly file?: Buffer;
  readonly replyTo?: number;
}

/** A chat platform over HTTP where everybody has one chat with one bot. What is not as its limits say, it refuses. */
export class TestChat implements AsyncDisposable {
  readonly #server = createAdaptorServer({ fetch: (request) => this.#app.fetch(request) });
  readonly #app = new Hono();
  readonly #news = new EventEmitter<{ update: []; message: [] }>().setMaxListeners(0);
  readonly #updates: Update[] = [];
  readonly #chats = new Map<string, Map<number, SeenMessage | "theirs">>();
  readonly #files = new Map<string, Buffer>();
  #last = 0;

  /** Starts one on a free port of this machine. */
  static async start(): Promise<TestChat> {
    const chat = new TestChat();
    chat.#mount();
    chat.#server.listen(0, "127.0.0.1");
    await once(chat.#server, "listening");
    return chat;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** A person writes to the bot. @returns the message */
  sends(person: string, { text, file, replyTo }: Sent): number {
    const message = ++this.#last;
    this.#chatOf(person).set(message, "theirs");
    this.#tell({
      person,
      message,
      ...(text !== undefined && { text }),
      ...(file && { file: { id: this.keeps(file), name: "picture.jpg", bytes: file.length } }),
      ...(replyTo !== undefined && { replyTo }),
    });
    return message;
  }

  /** Keeps a file that a person has. @returns its id */
  keeps(file: Buffer): string {
    const id = `f${++this.#last}`;
    this.#files.set(id, file);
    return id;
  }

  /** A person presses the newest button that says something. */
  presses(person: string, label: string): void {
    const buttons = this.seenBy(person).flatMap(({ id, rows }) =>
      rows.flat().map(({ text, token }) => ({ id, text, token })),
    );
    const pressed = buttons.findLast(({ text }) => text.includes(label));
    if (!pressed)
      throw new Error(`${person} sees no "${label}", but ${buttons.map(({ text }) => text).join(", ")}`);
    this.#tell({ person, message: pressed.id, pressed: pressed.token });
  }

  /** The bot's messages to a person. */
  seenBy(person: string): readonly SeenMessage[] {
    return [...this.#chatOf(person).values()].filter((message) => message !== "theirs");
  }

  /** Whether a message is still there. */
  has(person: string, message: number): boolean {
    return this.#chatOf(person).has(message);
  }

  /** Waits until a person sees a message as wanted. */
  async until(person: string, isWanted: (message: SeenMessage) => boolean): Promise<SeenMessage> {
    for (;;) {
      const found = this.seenBy(person).findLast(isWanted);
      if (found) return found;
      await once(this.#news, "message", { signal: AbortSignal.timeout(60_000) }).catch((cause: unknown) => {
        const seen = this.seenBy(person).map(({ text }) => text);
        throw new Error(`${person} sees only ${JSON.stringify(seen)}`, { cause });
      });
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const closed = once(this.#server, "close");
    this.#server.close();
    if (this.#server instanceof Server) this.#server.closeAllConnections();
    await closed;
  }

  #chatOf(person: string): Map<number, SeenMessage | "theirs"> {
    const chat = this.#chats.get(person) ?? new Map<number, SeenMessage | "theirs">();
    this.#chats.set(person, chat);
    return chat;
  }

  #tell(update: Omit<Update, "id">): void {
    this.#updates.push({ id: this.#updates.length + 1, ...update });
    this.#news.emit("update");
  }

  #messageIn(chat: string, id: string): SeenMessage {
    const message = this.#chatOf(chat).get(Number(id));
    if (message === undefined) throw new HTTPException(404, { message: "There is no such message." });
    if (message === "theirs") throw new HTTPException(403, { message: "That is not yours." });
    return message;
  }

  #show(chat: string, said: unknown, { id = ++this.#last, file }: Partial<SeenMessage> = {}): Response {
    const { error, data } = content.safeParse(said);
    const most = file ? LIMITS.caption : LIMITS.text;
    if (error || data.text.length > most || (!file && data.text === ""))
      throw new HTTPException(400, { message: error?.message ?? `1 to ${most} characters are taken.` });
    this.#chatOf(chat).set(id, { ...data, id, file });
    this.#news.emit("message");
    return Response.json({ id });
  }

  #mount(): void {
    const app = this.#app;
    app.get("/updates", async ({ req }) => {
      const fresh = () => this.#updates.filter(({ id }) => id > Number(req.query("after")));
      const signal = AbortSignal.any([req.raw.signal, AbortSignal.timeout(10_000)]);
      if (fresh().length === 0) await once(this.#news, "update", { signal }).catch(() => undefined);
      return Response.json(fresh());
    });
    app.get("/files/:id", ({ req }) => {
      const file = this.#files.get(req.param("id"));
      if (!file) throw new HTTPException(404, { message: "There is no such file." });
      return new Response(new Uint8Array(file));
    });
    app.post("/chats/:chat/messages/", async ({ req }) => {
      const form = await req.formData();
      const [said, file] = [form.get("message"), form.get("file")];
      if (typeof said !== "string") throw new HTTPException(400, { message: "There is no message." });
      if (!(file instanceof File)) return this.#show(req.param("chat"), JSON.parse(said));
      if (file.size === 0 || file.size > LIMITS.upload)
        throw new HTTPException(413, { message: `1 to ${LIMITS.upload} bytes are taken.` });
      const bytes = Buffer.from(await file.arrayBuffer());
      return this.#show(req.param("chat"), JSON.parse(said), { file: bytes });
    });
    app.put("/chats/:chat/messages/:id", async ({ req }) => {
      const { chat, id } = req.param();
      const { file, ...before } = this.#messageIn(chat, id);
      const { text, rows, replyTo } = before;
      return this.#show(
        chat,
        { text, rows, replyTo, ...(await req.json<object>()) },
        { id: before.id, file },
      );
    });
    app.delete("/chats/:chat/messages/:id", ({ req }) => {
      const { chat, id } = req.param();
      if (!this.#chatOf(chat).delete(Number(id)))
        throw new HTTPException(404, { message: "There is no such message." });
      return Response.json({});
    });
  }
}
