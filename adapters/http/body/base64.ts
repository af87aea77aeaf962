import { ReelayError } from "../../../src/common/errors.ts";

/** The beginning of a data URI; what type it claims is not believed. */
const DATA_URI = /^data:[^,]{0,255};base64,/i;
const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;
/** Tools that write base64 break its lines (RFC 2045, section 6.8). Spaces are what badly decoded plus signs become. */
const BREAKS = /[\t\r\n]+/g;
/** What JSON escapes in base64: some writers all of `+`, `/` and `=`. Control characters it does not allow. */
const ESCAPE = /\\(?:u([0-9A-Fa-f]{4})|([^]))|\p{Cc}/gu;
const CUT_ESCAPE = /\\(?:u[0-9A-Fa-f]{0,3})?$/;
const ESCAPED: Readonly<Record<string, string>> = { "/": "/", n: "\n", r: "\r", t: "\t" };
/** For whatever cannot be base64, as something that is not. */
const WRONG = "?";

/** The contents of a JSON string, of which only what may be base64 matters, wherever the chunks are cut. */
export async function* unescaped(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of source) {
    const text = rest + chunk.toString("latin1");
    const whole = text.replace(CUT_ESCAPE, "");
    rest = text.slice(whole.length);
    yield whole.replaceAll(ESCAPE, (_, code?: string, letter?: string) =>
      code === undefined ? (ESCAPED[letter ?? ""] ?? WRONG) : String.fromCharCode(Number.parseInt(code, 16)),
    );
  }
  if (rest) yield rest;
}

/**
 * Decodes base64 or a data URI, in pieces of any length; a data URI's head is in the first one. Padding may be missing.
 * @throws ReelayError `field_not_file` for everything else, and for nothing
 */
export async function* decoded(source: AsyncIterable<string> | Iterable<string>): AsyncGenerator<Buffer> {
  /** Up to three characters that wait for the fourth of their group. */
  let rest = "";
  let begun = false;
  let padded = false;
  let empty = true;
  for await (const piece of source) {
    const text = rest + (begun ? piece : piece.replace(DATA_URI, "")).replaceAll(BREAKS, "");
    begun = true;
    if (padded ? text : !BASE64.test(text)) throw new ReelayError("field_not_file");
    const whole = text.length - (text.length % 4);
    rest = text.slice(whole);
    padded = whole > 0 && text[whole - 1] === "=";
    if (whole > 0) {
      empty = false;
      yield Buffer.from(text.slice(0, whole), "base64");
    }
  }
  const last = Buffer.from(rest, "base64");
  if (last.length > 0) yield last;
  // A single character, or padding of nothing, is no byte.
  else if (rest || empty) throw new ReelayError("field_not_file");
}
