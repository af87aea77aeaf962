import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Socket } from "node:net";
import type { Readable } from "node:stream";

/**
 * Asked when a request's connection stands, just before its first bytes leave, and again before its last byte does.
 * What it throws ends the request there. It stays shorter than its Content-Length, so that no service can take it for
 * a whole one.
 */
export type Checkpoint = (before: "first" | "last") => Promise<void> | void;

/** Where undici tells which socket a request is written to. */
const SEND_HEADERS = "undici:client:sendHeaders";

/**
 * A request's body that passes a checkpoint at both ends. Nothing stands between the second one and the kernel: all
 * other bytes have left this process by then, so that none waits here while the process stands still.
 */
export class CheckedBody implements AsyncIterable<Uint8Array>, Disposable {
  /** Why it was ended, once a checkpoint did that. */
  refused: { readonly reason: unknown } | undefined;
  readonly #bytes: AsyncIterable<Buffer | string>;
  readonly #length: number;
  readonly #checkpoint: Checkpoint;
  readonly #watch: (message: unknown) => void;
  #socket: Socket | undefined;

  /**
   * @param length in bytes, at least 1
   * @param requestId the `x-request-id` that the request is sent with
   */
  constructor(stream: Readable, length: number, requestId: string, checkpoint: Checkpoint) {
    this.#bytes = stream;
    this.#length = length;
    this.#checkpoint = checkpoint;
    this.#watch = (message) => {
      const { headers, socket } = message as { readonly headers: string; readonly socket: Socket };
      if (headers.includes(requestId)) this.#socket = socket;
    };
    subscribe(SEND_HEADERS, this.#watch);
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    await this.#pass("first");
    let left = this.#length;
    for await (const chunk of this.#bytes) {
      const bytes = Buffer.from(chunk);
      left -= bytes.length;
      if (left > 0) {
        yield bytes;
        continue;
      }
      if (bytes.length > 1) yield bytes.subarray(0, -1);
      await this.#flushed();
      await this.#pass("last");
      yield bytes.subarray(-1);
    }
  }

  [Symbol.dispose](): void {
    unsubscribe(SEND_HEADERS, this.#watch);
  }

  async #pass(before: "first" | "last"): Promise<void> {
    try {
      await this.#checkpoint(before);
    } catch (reason) {
      this.refused = { reason };
      throw reason;
    }
  }

  /** Resolves when the kernel has taken everything that was written. */
  async #flushed(): Promise<void> {
    const socket = this.#socket;
    // An empty write comes after all others. It is called back when the socket fails, too.
    if (socket && socket.writableLength > 0) await new Promise((resolve) => void socket.write("", resolve));
  }
}
