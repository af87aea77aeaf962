import { ReelayError } from "../../../common/errors.ts";

/**
 * A step of a pipeline that lets at most so many bytes through.
 * @throws ReelayError `media_too_large` with the next byte
 */
export function limited(maxBytes: number): (chunks: AsyncIterable<Buffer>) => AsyncGenerator<Buffer> {
  return async function* (chunks) {
    let bytes = 0;
    for await (const chunk of chunks) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new ReelayError("media_too_large", { max: maxBytes });
      yield chunk;
    }
  };
}
