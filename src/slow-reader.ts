import type { ServerResponse } from "node:http";

/**
 * Cuts a client off that takes nothing of an answer which waits for it. An answer that has nothing to say for a long
 * time, such as one of events, is left alone; so is a client that takes it slowly.
 * @param stalledMs how long that may last, in milliseconds; it is noticed at the latest after twice that
 */
export function cutOffWhenStalled(answer: ServerResponse, stalledMs: number): void {
  let taken = 0;
  const look = setInterval(() => {
    const { socket } = answer;
    if (!socket) return;
    // What was given to the socket, but for what it could not pass on yet.
    const before = taken;
    taken = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength > 0 && taken === before) socket.destroy();
  }, stalledMs);
  look.unref();
  answer.once("close", () => clearInterval(look));
}
