import { badRequest } from "./refusal.ts";
import type { MessageEntity } from "./wire.ts";

/** API, "HTML style": which tag makes which entity. */
const TAGS: Readonly<Record<string, string>> = {
  b: "bold",
  strong: "bold",
  i: "italic",
  em: "italic",
  u: "underline",
  ins: "underline",
  s: "strikethrough",
  strike: "strikethrough",
  del: "strikethrough",
  span: "spoiler",
  "tg-spoiler": "spoiler",
  a: "text_link",
  code: "code",
  pre: "pre",
  blockquote: "blockquote",
  "tg-emoji": "custom_emoji",
};

const CHARACTERS: Readonly<Record<string, string>> = { lt: "<", gt: ">", amp: "&", quot: '"' };

interface OpenTag {
  readonly name: string;
  readonly offset: number;
  readonly href: string | undefined;
}

/** A text and what is marked in it. Offsets are UTF-16 code units, as in the Bot API. */
export interface MarkedText {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

/** How long a text is as Telegram counts. */
export const codePoints = (text: string): number => Array.from(text).length;

/**
 * Parses a text with parse_mode HTML.
 * @throws Refusal "can't parse entities" for tags that are unknown, left open or closed in the wrong order
 */
export function parseHtml(html: string): MarkedText {
  const open: OpenTag[] = [];
  const entities: MessageEntity[] = [];
  let text = "";
  for (const { 0: token, index } of html.matchAll(/<[^>]*>?|&(?:#x?[\da-f]+|[a-z]+);|[^<&]+|&/gi)) {
    const at = Buffer.byteLength(html.slice(0, index));
    if (token.startsWith("</")) {
      const entity = closed(open.pop(), token, text.length, at);
      if (entity.length > 0) entities.push(entity);
    } else if (token.startsWith("<")) open.push(opened(token, text.length, at));
    else text += token.startsWith("&") ? character(token) : token;
  }
  const unclosed = open.at(-1);
  if (unclosed) throw refused(`Can't find end tag corresponding to start tag "${unclosed.name}"`);
  return { text, entities: entities.toSorted((a, b) => a.offset - b.offset || b.length - a.length) };
}

const refused = (what: string) => badRequest(`can't parse entities: ${what}`);

function opened(token: string, offset: number, at: number): OpenTag {
  if (!token.endsWith(">")) throw refused(`Unclosed start tag at byte offset ${at}`);
  const name = (/^<([^\s>]*)/.exec(token)?.[1] ?? "").toLowerCase();
  if (!(name in TAGS)) throw refused(`Unsupported start tag "${name}" at byte offset ${at}`);
  if (name === "span" && !/class=["']?tg-spoiler/.test(token)) {
    throw refused(`Tag "span" must have class "tg-spoiler" at byte offset ${at}`);
  }
  return { name, offset, href: /href=["']([^"']*)["']/.exec(token)?.[1] };
}

function closed(tag: OpenTag | undefined, token: string, end: number, at: number): MessageEntity {
  if (!tag) throw refused(`Unexpected end tag at byte offset ${at}`);
  const name = token.slice(2, -1).trim().toLowerCase();
  if (name !== tag.name) {
    throw refused(`Unmatched end tag at byte offset ${at}, expected "</${tag.name}>", found "</${name}>"`);
  }
  return {
    type: TAGS[name] ?? name,
    offset: tag.offset,
    length: end - tag.offset,
    ...(tag.href !== undefined && { url: parseHtml(tag.href).text }),
  };
}

function character(token: string): string {
  const name = token.slice(1, -1).toLowerCase();
  const code = /^#(?:x([\da-f]+)|(\d+))$/.exec(name);
  if (!code) return CHARACTERS[name] ?? token;
  return String.fromCodePoint(code[1] ? Number.parseInt(code[1], 16) : Number(code[2]));
}
