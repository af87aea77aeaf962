import type { HttpBindings } from "@hono/node-server";

/** What is to happen to a platform's files when they are fetched. */
export type Trouble =
  | { readonly kind: "status"; readonly status: number; readonly retryAfter?: number }
  /** The connection breaks before the answer, or in the middle of it; or it stays, and nothing comes. */
  | { readonly kind: "reset" | "cut" | "silence" };

/** The trouble that waits for a file server, each for a number of requests. */
export class FileTrouble {
  readonly #waiting: { readonly trouble: Trouble; times: number }[] = [];

  add(trouble: Trouble, times: number): void {
    this.#waiting.push({ trouble, times });
  }

  clear(): void {
    this.#waiting.length = 0;
  }

  /**
   * Lets what waits strike.
   * @param bytes the file that was asked for
   * @returns the answer that is given instead; `sent` where the connection was dealt with; undefined where nothing waits
   */
  strike(outgoing: HttpBindings["outgoing"], bytes: Uint8Array): Response | "sent" | undefined {
    const found = this.#waiting.find(({ times }) => times > 0);
    if (!found) return undefined;
    found.times -= 1;
    const { trouble } = found;
    if (trouble.kind === "status") {
      const { status, retryAfter } = trouble;
      const headers = retryAfter === undefined ? {} : { "retry-after": String(retryAfter) };
      return new Response("Not now.", { status, headers });
    }
    if (trouble.kind === "reset") outgoing.socket?.resetAndDestroy();
    else if (trouble.kind === "cut") {
      outgoing.writeHead(200, { "content-length": bytes.length });
      outgoing.write(bytes.subarray(0, bytes.length / 2), () => outgoing.destroy());
    }
    return "sent";
  }
}
