/** A part of a JSON text: what is to be parsed, or the contents of a string that is a file, escapes and all. */
export interface Piece {
  /** `end`: the string of a file has ended. Its quotes belong to the text. */
  readonly kind: "text" | "file" | "end";
  readonly bytes: Buffer;
}

/** How much of a string is looked at, in bytes. */
const HEAD_BYTES = 32 * 2 ** 10;
/** The most characters that the text of any field may have (section 8.2). */
const MAX_TEXT = 20_000;

const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/** Base64, also as a data URI and with what JSON may escape of it. */
const BASE64 = /^(?:data:[^,]{0,255},)?(?:[A-Z0-9+/=]|\\[/nrt]|\\u00[0-7][0-9A-F])*$/i;
/** One character of a string, however it is written. */
const ESCAPE = /\\(?:u.{4}|.)/g;
const CUT_ESCAPE = /\\(?:u[0-9A-Fa-f]{0,3})?$/;

const NOTHING = Buffer.alloc(0);

/**
 * Takes the files out of a JSON text as it comes, wherever the chunks are cut: strings whose first 32 KiB are base64
 * and more characters than any text may have. Nothing but the bounds of strings is understood here: the text that is
 * left is for a real parser, to which a file is an empty string.
 */
export async function* splitJson(source: AsyncIterable<Buffer>): AsyncGenerator<Piece> {
  let place: "outside" | "beginning" | "text" | "file" = "outside";
  /** The beginning of a string of which it cannot be told yet what it is. */
  let beginning: Buffer = NOTHING;
  let escaped = false;

  for await (const chunk of source) {
    /** From here on, nothing of the chunk has been handed on. */
    let from = 0;
    let at = 0;
    while (at < chunk.length) {
      if (place === "outside") {
        const quote = chunk.indexOf(QUOTE, at);
        if (quote < 0) break;
        at = quote + 1;
        place = "beginning";
        continue;
      }
      const { end, closed } = endOfString(chunk, at);
      if (place === "beginning") {
        const length = beginning.length + end - at;
        if (length >= HEAD_BYTES || !closed) {
          if (at > from) yield { kind: "text", bytes: chunk.subarray(from, at) };
          beginning = Buffer.concat([beginning, chunk.subarray(at, end)]);
          from = end;
        }
        if (length >= HEAD_BYTES) place = isFile(beginning.subarray(0, HEAD_BYTES)) ? "file" : "text";
        if (beginning.length > 0 && (closed || place !== "beginning")) {
          yield { kind: place === "file" ? "file" : "text", bytes: beginning };
          beginning = NOTHING;
        }
      } else if (place === "file") {
        if (end > at) yield { kind: "file", bytes: chunk.subarray(at, end) };
        from = end;
      }
      at = end;
      if (!closed) break;
      if (place === "file") yield { kind: "end", bytes: NOTHING };
      place = "outside";
      at = end + 1;
    }
    if (from < chunk.length) yield { kind: "text", bytes: chunk.subarray(from) };
  }
  if (beginning.length > 0) yield { kind: "text", bytes: beginning };

  function endOfString(chunk: Buffer, at: number): { end: number; closed: boolean } {
    for (let end = at; end < chunk.length; end++) {
      const byte = chunk[end];
      if (escaped) escaped = false;
      else if (byte === BACKSLASH) escaped = true;
      else if (byte === QUOTE) return { end, closed: true };
    }
    return { end: chunk.length, closed: false };
  }
}

function isFile(head: Buffer): boolean {
  const text = head.toString("latin1").replace(CUT_ESCAPE, "");
  return BASE64.test(text) && text.replaceAll(ESCAPE, "-").length > MAX_TEXT;
}
