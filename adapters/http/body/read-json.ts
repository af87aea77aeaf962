import { Readable } from "node:stream";
import type { Json } from "../../../src/common/json.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { type WrongField, WrongFields } from "../access/problem.ts";
import { decoded, unescaped } from "./base64.ts";
import { BODY_BOUNDS } from "./bounds.ts";
import type { IncomingFiles } from "./incoming-files.ts";
import { type Cut, parseJson } from "./parse-json.ts";
import { type Piece, splitJson } from "./split-json.ts";

/**
 * Says what is wrong with a string that is no file, where none is taken either; undefined where one is.
 * @param request the whole of it, with placeholders
 * @param isBare whether it is one of `IncomingFiles.bare`
 */
export type Misplaced = (request: Json, path: readonly string[], isBare: boolean) => WrongField | undefined;

/**
 * Reads a JSON body. Files in it are stored as they come and never in memory as a whole; what is parsed has their
 * placeholders.
 * @throws ReelayError `body_unreadable`, `body_text_too_large`, `body_too_deep`, `too_many_files`; WrongFields for
 * files that are none or too large
 */
export async function readJson(
  source: AsyncIterable<Buffer>,
  files: IncomingFiles,
  misplaced: Misplaced = () => undefined,
): Promise<Json> {
  const pieces = splitJson(source);
  const decode = utf8();
  const cuts: Cut[] = [];
  let text = "";
  let bytes = 0;
  try {
    for (let next = await pieces.next(); !next.done; next = await pieces.next()) {
      const piece = next.value;
      if (piece.kind === "text") {
        bytes += piece.bytes.length;
        if (bytes > BODY_BOUNDS.textBytes)
          throw new ReelayError("body_text_too_large", { max: BODY_BOUNDS.textBytes });
        text += decode(piece.bytes, bytes);
      } else {
        const placeholder = files.next();
        const taken = await storeString(pieces, piece, placeholder, files);
        cuts.push({ at: text.length, bytes: taken - placeholder.length });
        text += placeholder;
      }
    }
  } finally {
    await pieces.return(undefined);
  }
  const parsed = parseJson(text, cuts);
  const wrong = [...wrongFiles(parsed, files)].map(
    ({ placeholder, path, ...error }) => misplaced(parsed, path, files.bare.has(placeholder)) ?? error,
  );
  if (wrong.length > 0) throw new WrongFields(wrong);
  return parsed;
}

/** How a data URI begins. */
const DATA = /^data:/i;

/** Decodes UTF-8 that comes in pieces; `at` is told where one is something else. */
function utf8(): (piece: Buffer, at: number) => string {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  return (piece, at) => {
    try {
      return decoder.decode(piece, { stream: true });
    } catch (cause) {
      throw new ReelayError("body_unreadable", { at }, { cause });
    }
  };
}

/** Stores the string that begins with this piece. Returns how long it was in the text, in bytes. */
async function storeString(
  pieces: AsyncGenerator<Piece, void, undefined>,
  first: Piece,
  placeholder: string,
  files: IncomingFiles,
): Promise<number> {
  let taken = first.bytes.length;
  let ended = false;
  async function* contents(): AsyncGenerator<Buffer, void, undefined> {
    for (let piece: Piece | undefined = first; piece; piece = await following()) yield piece.bytes;
  }
  async function following(): Promise<Piece | undefined> {
    const next = await pieces.next();
    if (next.done || next.value.kind === "end") {
      ended = true;
      return undefined;
    }
    taken += next.value.bytes.length;
    return next.value;
  }

  if (!DATA.test(first.bytes.toString("latin1"))) files.bare.add(placeholder);
  const string = contents();
  await files.store(placeholder, Readable.from(decoded(unescaped(string))));
  // What is wrong with a file may be seen before its end: the rest is passed over. Whoever read it may still be
  // waiting for a piece: that is waited for first.
  await string.return();
  while (!ended) await following();
  return taken;
}

/** The fields whose files could not be stored. */
function* wrongFiles(
  value: Json,
  files: IncomingFiles,
  path: readonly string[] = [],
): Generator<WrongField & { readonly placeholder: string; readonly path: readonly string[] }> {
  if (typeof value === "object" && value !== null) {
    for (const [name, inner] of Object.entries<Json>(value)) yield* wrongFiles(inner, files, [...path, name]);
    return;
  }
  const error = typeof value === "string" ? files.refused.get(value) : undefined;
  const field = path.join(".");
  if (error)
    yield { field, code: error.code, params: { ...error.params, field }, placeholder: String(value), path };
}
