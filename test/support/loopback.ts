import { createServer } from "node:net";

/** Addresses of this machine beside 127.0.0.1; not every system's loopback has them. */
export const ELSEWHERE = "127.0.0.2";
export const FARTHER = "127.0.0.3";

/** Whether it has. */
export const hasElsewhere = (await Promise.all([ELSEWHERE, FARTHER].map(isOwn))).every(Boolean);

function isOwn(address: string): Promise<boolean> {
  return new Promise<boolean>((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(0, address, () => server.close(() => resolve(true)));
  });
}
