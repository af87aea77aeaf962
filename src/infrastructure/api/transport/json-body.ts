import { pipeline } from "node:stream";
import { Base64Encoder, base64Length } from "./base64.ts";
import { assembled, type Body, type BodySegment } from "./body.ts";
import { contentOf, type FileSource, isFileSource } from "./file.ts";

/** What a field may hold: JSON with files in it. */
type Value = string | number | boolean | FileSource | readonly Value[];

/** A request by the service's own names; undefined leaves a field out. */
export type BodyFields = Readonly<Record<string, Value | undefined>>;

/**
 * A JSON object in which files stand in base64, as data URIs where their type is known (section 2.1). It is
 * streamed: neither a file nor its base64 is ever whole in memory.
 *
 * Its stream fails as {@link contentOf} does.
 */
export function jsonBody(fields: BodyFields): Body {
  return assembled("application/json", segmentsOf(fields));
}

function* segmentsOf(fields: BodyFields): Generator<BodySegment> {
  let separator = "{";
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* valueSegments(value);
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}

function* valueSegments(value: Value): Generator<BodySegment> {
  if (isFileSource(value)) {
    yield value.type === undefined ? '"' : `"data:${value.type};base64,`;
    yield { length: base64Length(value.bytes), stream: () => encoded(value) };
    yield '"';
  } else if (isList(value)) {
    for (const [index, item] of value.entries()) {
      yield index === 0 ? "[" : ",";
      yield* valueSegments(item);
    }
    yield value.length === 0 ? "[]" : "]";
  } else yield JSON.stringify(value);
}

function isList(value: Value): value is readonly Value[] {
  return Array.isArray(value);
}

function encoded(file: FileSource): AsyncIterable<Buffer> {
  // A failure of the file reaches whoever reads through the encoder.
  return pipeline(contentOf(file), new Base64Encoder(), () => {});
}
