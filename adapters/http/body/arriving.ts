import { ReelayError } from "../../../src/common/errors.ts";
import { afterAwake, atMost } from "../../../src/common/time.ts";
import { BODY_BOUNDS } from "./bounds.ts";

/** How much of a body is waited for, and how long; see `BODY_BOUNDS`. */
export interface ArrivalBounds {
  readonly bytes: number;
  readonly idleMs: number;
  readonly wholeMs: number;
}

/**
 * A request's body as it arrives.
 *
 * What is not read is left to the server: it takes what still comes for a moment, so that the client reads the answer,
 * and then closes the connection.
 * @throws ReelayError `body_too_large`, without reading anything where the request says so itself; `body_too_slow`;
 * `body_unreadable` where it breaks off
 */
export async function* arriving(
  request: Pick<Request, "headers" | "body">,
  { bytes: max, idleMs, wholeMs }: ArrivalBounds = BODY_BOUNDS,
): AsyncGenerator<Buffer> {
  if (Number(request.headers.get("content-length")) > max) throw new ReelayError("body_too_large", { max });
  const reader = request.body?.getReader();
  if (!reader) return;
  const tooSlow = () => new ReelayError("body_too_slow", { idle: idleMs / 1000, whole: wholeMs / 1000 });
  let isOver = false;
  const stop = afterAwake(wholeMs, () => (isOver = true));
  let bytes = 0;
  try {
    for (;;) {
      if (isOver) throw tooSlow();
      const read = reader.read().catch((cause: unknown) => {
        throw new ReelayError("body_unreadable", { at: bytes }, { cause });
      });
      if (!(await atMost(idleMs, read))) throw tooSlow();
      const { value } = await read;
      if (!value) return;
      bytes += value.length;
      if (bytes > max) throw new ReelayError("body_too_large", { max });
      yield Buffer.from(value.buffer, value.byteOffset, value.byteLength);
    }
  } finally {
    stop();
    reader.releaseLock();
  }
}
