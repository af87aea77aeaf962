import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** Connections to a server that can be disturbed. */
export interface TcpProxy extends Disposable {
  /** Where it listens, on 127.0.0.1. */
  readonly port: number;
  /** From now on all bytes go nowhere, as on a line whose other end is gone without a word; connections stay, and new ones begin so. */
  swallow(): void;
  /** Lets new connections through again; those that had bytes swallowed stay as they are. */
  heal(): void;
  /** Ends all connections. */
  cut(): void;
}

/**
 * @param socket the path of the socket that the server listens on
 * @param port where to listen on 127.0.0.1; left out, anywhere
 * @param lets whether a connection is let through, by its number, from 1 on; else it is cut at once
 */
export async function startTcpProxy(
  socket: string,
  port = 0,
  lets: (nth: number) => boolean = () => true,
): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let isSwallowing = false;
  const join = (near: Socket, far: Socket) => {
    const pair = [near, far] as const;
    pairs.add(pair);
    for (const [from, to] of [pair, [far, near]] as const) {
      from.on("data", (bytes) => void (isSwallowing || swallowed.has(pair) || to.write(bytes)));
      from.on("error", () => to.destroy());
      from.on("close", () => {
        pairs.delete(pair);
        to.destroy();
      });
    }
    if (isSwallowing) swallowed.add(pair);
  };
  const swallowed = new WeakSet<readonly [Socket, Socket]>();
  let count = 0;
  const server = createServer((near) => {
    if (lets((count += 1))) join(near, connect(socket));
    else near.on("error", () => {}).resetAndDestroy();
  });
  server.listen(port, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    for (const [near, far] of pairs) {
      near.resetAndDestroy();
      far.destroy();
    }
  };
  return {
    port: (server.address() as AddressInfo).port,
    swallow() {
      isSwallowing = true;
      for (const pair of pairs) swallowed.add(pair);
    },
    heal: () => void (isSwallowing = false),
    cut,
    [Symbol.dispose]() {
      server.close();
      cut();
    },
  };
}

/** The same database through a proxy. @param address with a socket's path for its host */
export function addressThrough({ port }: Pick<TcpProxy, "port">, address: string): string {
  return address.replace(/@[^/]*\//, `@127.0.0.1:${port}/`);
}
