import { openAsBlob } from "node:fs";
import { basename } from "node:path";

/** A file of the disk, to be sent as it is read: it is never in memory as a whole. */
export async function fromPath(path: string): Promise<File> {
  return new File([await openAsBlob(path)], basename(path));
}

/** What a stream brings, read to its end first: its length is sent before it. */
export async function fromStream(stream: ReadableStream | AsyncIterable<Uint8Array>): Promise<Blob> {
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  for await (const chunk of stream as AsyncIterable<Uint8Array<ArrayBuffer>>) chunks.push(chunk);
  return new Blob(chunks);
}
