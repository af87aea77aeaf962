import { randomUUID } from "node:crypto";
import { assembled, type Body, type BodySegment } from "./body.ts";
import { contentOf, type FileSource, isFileSource } from "./file.ts";

/** One part of a form; a name may come several times. */
export type Part = readonly [name: string, value: string | number | boolean | FileSource];

/**
 * A `multipart/form-data` body (RFC 7578) whose length is known and whose files are streamed.
 *
 * Its stream fails as {@link contentOf} does.
 * @param parts with names of the contract, which need no escaping
 */
export function multipartBody(parts: Iterable<Part>): Body {
  const boundary = `reelay-${randomUUID()}`;
  return assembled(`multipart/form-data; boundary=${boundary}`, segmentsOf(parts, boundary));
}

function* segmentsOf(parts: Iterable<Part>, boundary: string): Generator<BodySegment> {
  for (const [name, value] of parts) {
    yield `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
    if (isFileSource(value)) {
      const { bytes, type = "application/octet-stream" } = value;
      // A part without a file name is taken for text.
      yield `; filename="${name}"\r\nContent-Type: ${type}\r\n\r\n`;
      yield { length: bytes, stream: () => contentOf(value) };
    } else yield `\r\n\r\n${value}`;
    yield "\r\n";
  }
  yield `--${boundary}--\r\n`;
}
