import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { sleep } from "../../src/common/time.ts";

const LOOK_EVERY_MS = 50;

/** A port of this machine that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** Resolves when an address answers that all is well. */
export async function answering(url: string): Promise<void> {
  const isWell = () =>
    fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
  while (!(await isWell())) await sleep(LOOK_EVERY_MS);
}
