import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";

/** A port of this machine that nothing listens on. */
export async function freePort(): Promise<number> {
  await using server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}
