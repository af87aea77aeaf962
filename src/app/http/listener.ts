import { getRequestListener } from "@hono/node-server";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { atMost } from "../../common/time.ts";
import { aFewAtATime } from "./a-few-at-a-time.ts";
import { cutOffWhenStalled } from "./slow-reader.ts";

/** Longer than any adapter waits for a request's last byte, in milliseconds: they say why, Node would just say 408. */
const REQUEST_MS = 660_000;
/** How long a client may take to say what it wants, in milliseconds. */
const HEAD_MS = 20_000;
/**
 * How long a line is kept for the next request, in milliseconds: longer than proxies keep theirs (Caddy two minutes, most others one),
 * which would send a request by one that is just being closed, and tell its sender of a bad gateway.
 */
const KEPT_MS = 125_000;
/** More than all that wait for something: beyond it the process would have no handles left for its own files. */
const MOST_CONNECTIONS = 4_096;
/** How long a client may take nothing of its answer, in milliseconds. */
const STALLED_MS = 60_000;
/** How long answers may still take when what gives them is to go, in milliseconds. */
const LAST_ANSWERS_MS = 5_000;

/** What a request came in by, and goes out by. */
interface Line {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
}

/** Answers a request. */
type Answering = (request: Request, env: Line) => Response | Promise<Response>;

/** Where the process listens: what stands behind it may be exchanged, and whoever comes meanwhile waits. */
export class HttpListener {
  readonly #server: ReturnType<typeof createServer>;
  #behind = Promise.withResolvers<Answering>();
  #isOpen = false;
  /** What is being answered. */
  readonly #answers = new Set<ServerResponse>();
  /** What of it has no end. */
  readonly #endless = new WeakSet<ServerResponse>();

  /** @param stalledMs after which a client that takes nothing of its answer is cut off, in milliseconds */
  constructor(stalledMs = STALLED_MS) {
    this.#server = createServer(
      { requestTimeout: REQUEST_MS, headersTimeout: HEAD_MS, keepAliveTimeout: KEPT_MS },
      aFewAtATime(
        // It is never asked about HTTP/2.
        getRequestListener((request, env) => this.#answer(request, env as Line)),
      ),
    );
    this.#server.maxConnections = MOST_CONNECTIONS;
    this.#server.on("request", (_request: IncomingMessage, answer: ServerResponse) =>
      cutOffWhenStalled(answer, stalledMs),
    );
  }

  /**
   * Lets requests through to what answers them, and begins to listen where it does not yet.
   * @returns where: with the port that was free, if 0 was asked for
   */
  async open(answering: Answering, host: string, port: number): Promise<string> {
    if (!this.#server.listening) {
      this.#server.listen(port, host);
      await once(this.#server, "listening");
    }
    this.#behind.resolve(answering);
    this.#isOpen = true;
    const address = this.#server.address() as AddressInfo;
    return `http://${address.family === "IPv6" ? `[${address.address}]` : address.address}:${address.port}`;
  }

  /** Lets nobody through until it is opened again. What has no end, such as a stream of events, is cut off; all else may end. */
  async hold(): Promise<void> {
    // Whoever waits already waits for what is opened next.
    if (this.#isOpen) this.#behind = Promise.withResolvers();
    this.#isOpen = false;
    for (const answer of this.#answers) if (this.#endless.has(answer)) answer.destroy();
    const ended = [...this.#answers].map((answer) => once(answer, "close"));
    await atMost(LAST_ANSWERS_MS, Promise.all(ended));
    for (const answer of this.#answers) answer.destroy();
  }

  /** Listens no more. What is being answered may end as in {@link hold}, and its line with it. */
  async close(): Promise<void> {
    if (!this.#server.listening) return;
    const closed = once(this.#server, "close");
    this.#server.close();
    for (const answer of this.#answers) answer.shouldKeepAlive = false;
    await this.hold();
    this.#server.closeAllConnections();
    await closed;
  }

  async #answer(...[request, env]: Parameters<Answering>): Promise<Response> {
    const answering = await this.#behind.promise;
    const { incoming, outgoing } = env;
    this.#answers.add(outgoing);
    outgoing.once("close", () => {
      this.#answers.delete(outgoing);
      passOver(incoming);
    });
    const response = await answering(request, env);
    // Node says nothing of a head that was written at once. What an agent called has an end, also where it tells its progress.
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream");
    if (isStream && request.method === "GET") this.#endless.add(outgoing);
    return response;
  }
}

/**
 * What an answered request still brings goes past whoever began to read it: hono's server takes it for a moment, and closes the line on
 * what still comes then. A reader who reads no more would hold it up, so that the line were closed on the client's next request,
 * which may be one that pays.
 */
function passOver(incoming: IncomingMessage): void {
  if (!incoming.readableEnded) incoming.removeAllListeners("data");
}
