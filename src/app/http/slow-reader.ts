import type { ServerResponse } from "node:http";
import { afterAwake } from "../../common/time.ts";

/**
 * Cuts a client off that takes nothing of an answer which waits for it. An answer that has nothing to say for a long
 * time, such as one of events, is left alone; so is a client that takes it slowly.
 * @param stalledMs how long that may last, in milliseconds; it is noticed at the latest after twice that
 */
export function cutOffWhenStalled(answer: ServerResponse, stalledMs: number): void {
  let taken = 0;
  let stop: () => void;
  const wait = () => {
    stop = afterAwake(stalledMs, look);
  };
  const look = () => {
    wait();
    const { socket } = answer;
    if (!socket) return;
    // What was given to the socket, but for what it could not pass on yet.
    const before = taken;
    taken = socket.bytesWritten - socket.writableLength;
    if (socket.writableLength > 0 && taken === before) socket.destroy();
  };
  wait();
  answer.once("close", () => stop());
}
