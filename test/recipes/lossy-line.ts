import { once } from "node:events";
import { createServer, request as send, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { pipeline } from "node:stream/promises";

/** A request that came past. */
interface Passed {
  readonly kind: "submission" | "events" | "other";
  readonly headers: IncomingMessage["headers"];
}

/** What stands between a client and a server. */
interface LossyLine extends AsyncDisposable {
  readonly url: string;
  readonly passed: readonly Passed[];
}

/** A line that breaks twice: with the answer to the first submission on it, and after the first stream's first event. */
export async function lossyLine(to: string): Promise<LossyLine> {
  const passed: Passed[] = [];

  async function forward(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method, url: path = "" } = request;
    // Whether a connection is kept is said for that one alone.
    const { connection: _, ...headers } = request.headers;
    const kind = method === "POST" ? "submission" : path.endsWith("/events") ? "events" : "other";
    const isFirst = passed.every((earlier) => earlier.kind !== kind);
    passed.push({ kind, headers });
    const onward = send(to + path, { method, headers });
    const answered = once(onward, "response") as Promise<[IncomingMessage]>;
    await pipeline(request, onward);
    const [answer] = await answered;
    if (kind === "submission" && isFirst) {
      await buffer(answer);
      throw new Error("The line broke.");
    }
    response.writeHead(answer.statusCode ?? 0, answer.headers);
    if (kind === "events" && isFirst) {
      const event = await firstEvent(answer);
      await new Promise((resolve) => response.write(event, resolve));
      throw new Error("The line broke.");
    }
    await pipeline(answer, response);
  }

  const server = createServer((request, response) => {
    forward(request, response).catch(() => request.socket.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    passed,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A stream of events until the end of its first one. */
async function firstEvent(answer: IncomingMessage): Promise<string> {
  let text = "";
  for await (const chunk of answer) {
    text += String(chunk);
    const event = /^.*?data:.*?\n\n/s.exec(text)?.[0];
    if (event !== undefined) return event;
  }
  throw new Error("The stream had no event.");
}
