import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { z } from "zod";

/** A request as it went over the wire, and what came back. */
export interface Recorded {
  /** When it arrived, in milliseconds of a clock that never goes back. */
  readonly at: number;
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingMessage["headers"];
  readonly body: Buffer;
  readonly status: number;
  readonly answer: Buffer;
}

/** A proxy before the service that writes down everything that passes. */
export interface Wire extends AsyncDisposable {
  readonly recorded: readonly Recorded[];
  /** The same address behind the proxy. */
  through(url: string): string;
}

const object = z.record(z.string(), z.unknown());

/** What a JSON body says. */
export function said(body: Buffer | undefined): Readonly<Record<string, unknown>> {
  return object.parse(JSON.parse(String(body)));
}

/** The bodies that were posted to a path, oldest first. */
export function posted({ recorded }: Wire, path: string): readonly Readonly<Record<string, unknown>>[] {
  return recorded.filter((one) => one.method === "POST" && one.path === path).map(({ body }) => said(body));
}

/** What was answered below a path, oldest first. */
export function answered({ recorded }: Wire, path: string): readonly Readonly<Record<string, unknown>>[] {
  return recorded.filter((one) => one.path.startsWith(path)).map(({ answer }) => said(answer));
}

/**
 * Opens a proxy before a service.
 * @param change changes an answer on its way back; undefined leaves it
 */
export async function wireTo(
  origin: string,
  change: (recorded: Recorded) => object | undefined = () => undefined,
): Promise<Wire> {
  const recorded: Recorded[] = [];

  async function relay(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const at = performance.now();
    const { method = "", url: path = "", headers } = incoming;
    const body = await buffer(incoming);
    // The host stays what the client called it, so that addresses in answers lead through here again.
    const upstream = request(new URL(path, origin), { method, headers }).end(body);
    const response = z.tuple([z.custom<IncomingMessage>()]).parse(await once(upstream, "response"))[0];
    const { statusCode: status = 0 } = response;
    const one = { at, method, path, headers, body, status, answer: await buffer(response) };
    recorded.push(one);
    const changed = change(one);
    const answer = changed === undefined ? one.answer : Buffer.from(JSON.stringify(changed));
    const type = response.headers["content-type"] ?? "application/octet-stream";
    outgoing.writeHead(status, { "content-type": type, "content-length": answer.length }).end(answer);
  }

  const server = createServer((incoming, outgoing) => {
    relay(incoming, outgoing).catch(() => outgoing.destroy());
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no port.");
  return {
    recorded,
    through: (url) => url.replace(new URL(url).origin, `http://127.0.0.1:${address.port}`),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
