import { sleep } from "../../src/common/time.ts";

/** Waits until something has not grown for so many milliseconds. */
export async function silence(size: () => number, ms: number): Promise<void> {
  for (let known = -1; known < size();) {
    known = size();
    await sleep(ms);
  }
}
