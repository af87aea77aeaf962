import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import type { Sandbox } from "../../src/sandbox/sandbox.ts";

/** What is answered in the place of the service. */
export interface Answer {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Buffer;
}

/** A request on its way to the service. */
export interface Passing {
  readonly method: string;
  readonly path: string;
  readonly key: string;
}

/** Something between Reelay and the service that answers for it. `await using` stops it. */
export interface Between extends AsyncDisposable {
  /** As a sandbox is known. */
  readonly url: string;
  readonly fullCatalogUrl: string;
  readonly keys: Sandbox["keys"];
  /** Every request, in order. */
  readonly passed: Passing[];
  /** Answers a request itself; nothing lets it through. */
  answer: (passing: Passing) => Answer | undefined;
  /** Changes what the service answered. */
  change: (passing: Passing, body: Buffer) => Answer | undefined | Promise<Answer | undefined>;
  /** Keys that the service does not know by these names. */
  readonly aliases: Map<string, string>;
}

/** Stands before a sandbox, as if it were the service. */
export async function between(sandbox: Pick<Sandbox, "url" | "fullCatalogUrl" | "keys">): Promise<Between> {
  const passed: Passing[] = [];
  const aliases = new Map<string, string>();
  const origin = new URL(sandbox.url).origin;

  async function pass(incoming: IncomingMessage, answer: ServerResponse): Promise<void> {
    const { method = "GET", url: path = "/", headers } = incoming;
    const key = String(headers["x-api-key"] ?? "");
    const passing = { method, path, key };
    passed.push(passing);
    const own = harness.answer(passing);
    if (own) return reply(answer, own);
    const known = { ...headers, ...(key && { "x-api-key": aliases.get(key) ?? key }) };
    const forwarded = request(origin + path, { method, headers: known });
    incoming.pipe(forwarded);
    const [answered] = (await once(forwarded, "response")) as [IncomingMessage];
    const body = await buffer(answered);
    const changed = await harness.change(passing, body);
    if (changed) return reply(answer, changed);
    const { "transfer-encoding": _chunks, ...rest } = answered.headers;
    answer.writeHead(answered.statusCode ?? 500, { ...rest, "content-length": body.length }).end(body);
  }

  const server = createServer((incoming, answer) => {
    pass(incoming, answer).catch(() => answer.destroy());
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const here = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const harness: Between = {
    url: here + new URL(sandbox.url).pathname,
    fullCatalogUrl: here + new URL(sandbox.fullCatalogUrl).pathname,
    keys: sandbox.keys,
    passed,
    aliases,
    answer: () => undefined,
    change: () => undefined,
    async [Symbol.asyncDispose]() {
      const closed = once(server, "close");
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
  return harness;
}

function reply(answer: ServerResponse, { status = 200, headers = {}, body = "" }: Answer): void {
  answer.writeHead(status, { "content-length": Buffer.byteLength(body), ...headers }).end(body);
}
