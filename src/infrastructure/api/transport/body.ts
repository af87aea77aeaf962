import { Readable } from "node:stream";

/** A request body of known length that can be opened, also again. */
export interface Body {
  /** The Content-Type. */
  readonly type: string;
  /** In bytes: the Content-Length. */
  readonly length: number;
  open(): Readable;
}

/** A piece of a body: text as it is, or what is streamed while it is sent. */
export type BodySegment = string | { readonly length: number; stream(): AsyncIterable<Buffer> };

/**
 * A body of several segments.
 *
 * Its stream fails where a segment's does; it then stays shorter than its Content-Length, so that no service can
 * take it for a whole request.
 */
export function assembled(type: string, pieces: Iterable<BodySegment>): Body {
  const segments = [...pieces];
  return {
    type,
    length: segments.reduce((sum, segment) => sum + lengthOf(segment), 0),
    open: () => Readable.from(streamed(segments), { objectMode: false }),
  };
}

function lengthOf(segment: BodySegment): number {
  return typeof segment === "string" ? Buffer.byteLength(segment) : segment.length;
}

async function* streamed(segments: readonly BodySegment[]): AsyncGenerator<string | Buffer> {
  for (const segment of segments) {
    if (typeof segment === "string") yield segment;
    else yield* segment.stream();
  }
}
