import { once } from "node:events";
import { createServer } from "node:http";
import { connect, type AddressInfo, type Socket } from "node:net";

/** Who may use the test's proxy. */
const USER = "reelay";
const PASSWORD = "pass, word: of the proxy";

/** A proxy on the loopback that tunnels for whoever has its password, and for nobody else. */
interface TestProxy extends AsyncDisposable {
  /** With its password. */
  readonly address: string;
  /** Where it tunneled to. */
  readonly tunnels: readonly string[];
  /** Whom it turned away. */
  readonly refused: readonly string[];
  /** Ends every connection, and takes no more. */
  die(): Promise<void>;
}

/**
 * Starts a proxy.
 * @param from the local address that its own connections leave by
 * @param port where it listens; 0: anywhere
 * @param status what it answers instead of tunneling; 0: nothing at all
 */
export async function testProxy({ from = "127.0.0.1", port: at = 0, status = 200 } = {}): Promise<TestProxy> {
  const sockets = new Set<Socket>();
  const tunnels: string[] = [];
  const refused: string[] = [];
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const expected = `Basic ${Buffer.from(`${USER}:${PASSWORD}`).toString("base64")}`;
  const server = createServer((_request, response) => void response.writeHead(405).end());
  server.on("connection", keep);
  server.on("connect", ({ url = "", headers }, client: Socket, head: Buffer) => {
    if (status === 0) return;
    const isKnown = headers["proxy-authorization"] === expected;
    if (!isKnown || status !== 200) {
      refused.push(url);
      client.end(`HTTP/1.1 ${isKnown ? status : 407} No\r\ncontent-length: 0\r\n\r\n`);
      return;
    }
    tunnels.push(url);
    const { hostname, port } = new URL(`http://${url}`);
    const service = connect({ host: hostname, port: Number(port), localAddress: from }, () => {
      client.write("HTTP/1.1 200 Connection established\r\n\r\n");
      service.write(head);
      service.pipe(client).pipe(service);
    });
    keep(service);
    service.on("close", () => client.destroy());
    client.on("close", () => service.destroy());
  });
  await once(server.listen(at, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  const die = async () => {
    server.close();
    for (const socket of sockets) socket.destroy();
    if (server.listening) await once(server, "close");
  };
  return {
    address: `http://${USER}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    tunnels,
    refused,
    die,
    [Symbol.asyncDispose]: die,
  };
}
