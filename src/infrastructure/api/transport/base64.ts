import { Transform, type TransformCallback } from "node:stream";

/** The length of the base64 form of so many bytes, padding included. */
export function base64Length(bytes: number): number {
  return 4 * Math.ceil(bytes / 3);
}

/** Turns bytes into base64 as they pass, however they are cut into chunks. */
export class Base64Encoder extends Transform {
  /** Up to two bytes that wait for the third of their group. */
  #rest: Buffer = Buffer.alloc(0);

  override _transform(chunk: Buffer, _encoding: BufferEncoding, done: TransformCallback): void {
    const bytes = this.#rest.length > 0 ? Buffer.concat([this.#rest, chunk]) : chunk;
    const whole = bytes.length - (bytes.length % 3);
    // Copied: the source may reuse the memory of its chunk.
    this.#rest = Buffer.from(bytes.subarray(whole));
    done(null, bytes.toString("base64", 0, whole));
  }

  override _flush(done: TransformCallback): void {
    done(null, this.#rest.toString("base64"));
  }
}
