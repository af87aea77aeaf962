import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { buffer } from "node:stream/consumers";

/** What a request said, as the server saw it. */
interface Seen {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
}

/** A real HTTP server on the loopback that remembers what it was asked. */
export interface TestServer extends AsyncDisposable {
  readonly origin: string;
  /** Ends in `/api`. */
  readonly baseUrl: string;
  readonly requests: readonly Seen[];
}

/** Answers each request by the next step, and all further ones by the last. */
export async function serve(...steps: readonly RequestListener[]): Promise<TestServer> {
  const sockets = new Set<Socket>();
  const requests: Seen[] = [];
  const server = createServer((request, response) => {
    const step = steps[Math.min(requests.length, steps.length - 1)];
    requests.push({ method: request.method ?? "", path: request.url ?? "", headers: request.headers });
    step?.(request, response);
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server has no port.");
  const origin = `http://127.0.0.1:${address.port}`;
  return {
    origin,
    baseUrl: `${origin}/api`,
    requests,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Headers = Readonly<Record<string, string>>;

/** Reads the whole request, then answers. */
export function answer(status: number, body: string | Buffer, headers: Headers = {}): RequestListener {
  return (request, response) =>
    void request.resume().on("end", () => response.writeHead(status, headers).end(body));
}

/** Reads the whole request, then answers with JSON. */
export function json(value: unknown, status = 200, headers: Headers = {}): RequestListener {
  return answer(status, JSON.stringify(value), { "content-type": "application/json", ...headers });
}

/** The service's own error object (section 7). */
export function refusal(status: number, message: string, headers: Headers = {}): RequestListener {
  return json({ error: message, code: status }, status, headers);
}

/** Keeps the body of the request, then answers with JSON. */
export function keeping(bodies: Buffer[], value: unknown): RequestListener {
  return (request, response) =>
    void buffer(request).then((body) => {
      bodies.push(body);
      return response.end(JSON.stringify(value));
    });
}

/** Reads the whole request, then dies. */
export function reset(request: IncomingMessage): void {
  request.resume().on("end", () => request.socket.resetAndDestroy());
}

/** Dies at the first bytes of the request. */
export function resetAtOnce(request: IncomingMessage): void {
  request.once("data", () => request.socket.resetAndDestroy());
}

/** Promises more than it sends, then dies. */
export function truncated(request: IncomingMessage, response: ServerResponse): void {
  request.resume().on("end", () => {
    response.writeHead(200, { "content-length": "1000" });
    response.write('{"job_id":"a', () => request.socket.destroy());
  });
}

/** Reads and never answers. */
export function hang(request: IncomingMessage): void {
  request.resume();
}
