import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { z } from "zod";
import type { ConversationEvents, PageMessage } from "../../../../adapters/web/wire.ts";
import type { MediaRef } from "../../../../src/seam/values.ts";

/** The built-in sample, as a person's photo. */
export const PHOTO = new URL("../../../../adapters/web/page/sample/sample.jpg", import.meta.url);

/** Posts as the page does: JSON, from its own origin. */
export function post(url: string, path: string, body: unknown, headers: Record<string, string> = {}) {
  return fetch(url + path, {
    method: "POST",
    headers: { "content-type": "application/json", origin: url, ...headers },
    body: JSON.stringify(body),
  });
}

/** What the page asked for was answered with a problem, which is the message. */
export class Refused extends Error {
  override readonly name = "Refused";
}

const uploaded = z.object({
  media: z.object({ surface: z.literal("web"), id: z.string(), name: z.string(), bytes: z.number() }),
});

/** Uploads a file as the page does. */
export async function uploadFile(
  url: string,
  name: string,
  type: string,
  body: Uint8Array<ArrayBuffer>,
): Promise<MediaRef> {
  const response = await fetch(`${url}/web/media`, {
    method: "POST",
    headers: { "content-type": type, "x-file-name": encodeURIComponent(name), origin: url },
    body,
  });
  if (!response.ok) throw new Refused(await response.text());
  return uploaded.parse(await response.json()).media;
}

/** Uploads the built-in sample. */
export async function uploadPhoto(url: string): Promise<MediaRef> {
  return uploadFile(url, "lake.jpg", "image/jpeg", await readFile(PHOTO));
}

/** The code of a refusal. */
export async function codeOf(response: Response): Promise<string> {
  return z.object({ code: z.string() }).parse(await response.json()).code;
}

/** Asks with headers that fetch would not let through, such as Host, and without a body. Resolves with the status. */
export function statusWith(
  url: string,
  path: string,
  headers: Record<string, string>,
  method = "GET",
): Promise<number> {
  return new Promise((resolve, reject) => {
    const asking = request(url + path, { headers, method }, (response) => {
      resolve(response.statusCode ?? 0);
      asking.destroy();
    });
    asking.on("error", reject);
    if (method === "GET") asking.end();
    else asking.flushHeaders();
  });
}

/** The conversation, as the event stream begins with it. */
export async function history(
  url: string,
  headers: Record<string, string> = {},
  page = "",
): Promise<readonly PageMessage[]> {
  for await (const { event, data } of events(url, headers, page)) {
    if (event === "history") return data as ConversationEvents["history"];
  }
  throw new Error("The stream ended without a history.");
}

/** Waits until the conversation has a message of a kind that is posted after this call, and returns it. */
export async function untilMessage(url: string, kind: PageMessage["body"]["kind"]): Promise<PageMessage> {
  for await (const { event, data } of events(url)) {
    const messages = (
      event === "history" ? data : event === "message" ? [data] : []
    ) as readonly PageMessage[];
    const found = messages.find(({ body }) => body.kind === kind);
    if (found) return found;
  }
  throw new Error(`The stream ended without a ${kind}.`);
}

/** The events of the stream; leaving the loop closes it. */
async function* events(url: string, headers: Record<string, string> = {}, page = "") {
  const leave = new AbortController();
  try {
    const { body } = await fetch(`${url}${page}/web/events`, { headers, signal: leave.signal });
    let rest = "";
    for await (const chunk of body?.pipeThrough(new TextDecoderStream()) ?? []) {
      const parts = (rest + chunk).split("\n\n");
      rest = parts.pop() ?? "";
      for (const part of parts) {
        const [, event = "", data = "null"] = /^event: (.*)\ndata: (.*)$/m.exec(part) ?? [];
        yield { event, data: JSON.parse(data) as unknown };
      }
    }
  } finally {
    leave.abort();
  }
}
