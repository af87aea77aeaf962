import { Busboy, type BusboyInstance } from "@fastify/busboy";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReelayError } from "../../../src/common/errors.ts";
import { WrongFields } from "../access/problem.ts";
import { BODY_BOUNDS } from "./bounds.ts";
import type { IncomingFiles } from "./incoming-files.ts";

/** More than any field's name, in characters. */
const MAX_NAME = 100;

/** What comes under each name of a form, in its order; a file is its placeholder. */
export type FormParts = ReadonlyMap<string, readonly string[]>;

/**
 * Reads a form. Files in it are stored as they come and never in memory as a whole.
 * @param type the content type, with its boundary
 * @throws ReelayError `body_unreadable`, `body_text_too_large`, `too_many_files`, `too_many_parts`; WrongFields for a
 * file that is too large
 */
export async function readForm(
  source: AsyncIterable<Buffer>,
  type: string,
  files: IncomingFiles,
): Promise<FormParts> {
  const parts = new Map<string, string[]>();
  const storing: Promise<void>[] = [];
  const stop = new AbortController();
  let bytes = 0;
  let textBytes = 0;

  function add(name: string | undefined, value: string): void {
    if (!name || name.length > MAX_NAME) throw new ReelayError("body_unreadable", { at: bytes });
    const values = parts.get(name);
    if (values) values.push(value);
    else parts.set(name, [value]);
  }

  async function store(field: string, file: Readable, fileName?: string): Promise<void> {
    const placeholder = files.next();
    add(field, placeholder);
    await files.store(placeholder, file, fileName);
    const refused = files.refused.get(placeholder);
    if (refused) throw new WrongFields([{ field, code: refused.code, params: { ...refused.params, field } }]);
  }

  let broken = false;
  const form = formParser(type);
  form.once("error", () => (broken = true));
  form.on("file", (field, file, fileName) => {
    // Busboy leaves the files of a form that breaks off open for ever.
    stop.signal.addEventListener("abort", () => file.destroy(), { once: true });
    storing.push(store(field, file, fileName).catch((error: unknown) => stop.abort(error)));
  });
  form.on("field", (field, value, _, isCut) => {
    textBytes += Buffer.byteLength(value);
    try {
      if (isCut) throw new ReelayError("body_text_too_large", { max: BODY_BOUNDS.partBytes });
      if (textBytes > BODY_BOUNDS.textBytes)
        throw new ReelayError("body_text_too_large", { max: BODY_BOUNDS.textBytes });
      add(field, value);
    } catch (error) {
      stop.abort(error);
    }
  });
  form.on("partsLimit", () => stop.abort(new ReelayError("too_many_parts", { max: BODY_BOUNDS.parts })));

  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of source) {
      bytes += chunk.length;
      yield chunk;
    }
  }

  try {
    await pipeline(counted, form, { signal: stop.signal });
    await Promise.all(storing);
    stop.signal.throwIfAborted();
  } catch (error) {
    // Only the first reason counts; the others follow from it.
    stop.abort(error);
    await Promise.all(storing);
    const reason: unknown = stop.signal.reason;
    if (broken && !(reason instanceof ReelayError))
      throw new ReelayError("body_unreadable", { at: bytes }, { cause: reason });
    throw reason;
  }
  return parts;
}

function formParser(type: string): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": type },
      limits: {
        parts: BODY_BOUNDS.parts,
        fieldSize: BODY_BOUNDS.partBytes,
        headerPairs: 20,
        headerSize: 8192,
      },
    });
  } catch (cause) {
    // Without a boundary there is no telling where a part begins.
    throw new ReelayError("body_unreadable", { at: 0 }, { cause });
  }
}
