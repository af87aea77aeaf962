import { pipeline, Readable } from "node:stream";
import { ReelayError } from "../errors.ts";
import { Base64Encoder, base64Length } from "./base64.ts";

/** What JSON can say. */
type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A file that is read only while it is sent. */
export interface FileSource {
  /** Its exact size. */
  readonly bytes: number;
  open(): Readable | Promise<Readable>;
}

/** A request body of known length that can be opened. */
export interface Body {
  /** In bytes: the Content-Length. */
  readonly length: number;
  open(): Readable;
}

/** A field's value; undefined leaves the field out. */
export type BodyField = Json | FileSource | readonly FileSource[] | undefined;

/**
 * A JSON object in which files stand as base64 strings, streamed: neither a file nor its base64 is ever whole
 * in memory.
 *
 * Its stream fails with ReelayError `media_gone` where a file does not open, and `media_unreadable` where it
 * holds another number of bytes than promised; such a body stays shorter than its Content-Length, so that no
 * service can take it for a whole request.
 */
export function jsonBody(fields: Readonly<Record<string, BodyField>>): Body {
  const segments = [...segmentsOf(fields)];
  return {
    length: segments.reduce((sum, segment) => sum + segmentLength(segment), 0),
    open: () => Readable.from(streamed(segments), { objectMode: false }),
  };
}

/** Whether a value is a file rather than JSON. */
export function isFileSource(value: unknown): value is FileSource {
  return (
    typeof value === "object" &&
    value !== null &&
    "open" in value &&
    typeof value.open === "function" &&
    "bytes" in value &&
    Number.isSafeInteger(value.bytes)
  );
}

type Segment = string | FileSource;

function* segmentsOf(fields: Readonly<Record<string, BodyField>>): Generator<Segment> {
  let separator = "{";
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue;
    yield `${separator}${JSON.stringify(name)}:`;
    yield* valueSegments(value);
    separator = ",";
  }
  yield separator === "{" ? "{}" : "}";
}

function* valueSegments(value: Exclude<BodyField, undefined>): Generator<Segment> {
  if (isFileSource(value)) {
    yield '"';
    yield value;
    yield '"';
  } else if (isFileList(value)) {
    let separator = "[";
    for (const file of value) {
      yield separator;
      yield* valueSegments(file);
      separator = ",";
    }
    yield "]";
  } else yield JSON.stringify(value);
}

function isFileList(value: BodyField): value is readonly FileSource[] {
  return Array.isArray(value) && value.length > 0 && value.every(isFileSource);
}

function segmentLength(segment: Segment): number {
  return typeof segment === "string" ? Buffer.byteLength(segment) : base64Length(segment.bytes);
}

async function* streamed(segments: readonly Segment[]): AsyncGenerator<string | Buffer> {
  for (const segment of segments) {
    if (typeof segment === "string") yield segment;
    else yield* encoded(segment);
  }
}

async function* encoded(file: FileSource): AsyncGenerator<Buffer> {
  try {
    const encoder = new Base64Encoder();
    // A failure of the file reaches the loop below through the encoder.
    pipeline(counted(await file.open(), file.bytes), encoder, () => {});
    yield* encoder;
  } catch (cause) {
    throw cause instanceof ReelayError ? cause : new ReelayError("media_gone", {}, { cause });
  }
}

async function* counted(chunks: AsyncIterable<Buffer>, promised: number): AsyncGenerator<Buffer> {
  let seen = 0;
  for await (const chunk of chunks) {
    seen += chunk.length;
    if (seen > promised) break;
    yield chunk;
  }
  if (seen !== promised) throw new ReelayError("media_unreadable");
}
