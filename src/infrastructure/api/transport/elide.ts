const QUOTE = 0x22;
const BACKSLASH = 0x5c;

/**
 * Passes JSON on with every string longer than `limit` bytes emptied: finished records may carry a whole
 * video in base64 (section 2.4) beside its address, and only the address is wanted.
 */
export async function* withoutLongStrings(
  json: AsyncIterable<Buffer>,
  limit: number,
): AsyncGenerator<Buffer> {
  let inString = false;
  let escaped = false;
  let held: Buffer[] = [];
  let length = 0;

  /** Where the string ends in this chunk, -1 if it goes on. */
  const closing = (chunk: Buffer, from: number): number => {
    for (let at = from; at < chunk.length; at++) {
      if (escaped) escaped = false;
      else if (chunk[at] === BACKSLASH) escaped = true;
      else if (chunk[at] === QUOTE) return at;
    }
    return -1;
  };

  for await (const chunk of json) {
    let from = 0;
    while (from < chunk.length) {
      const quote = inString ? closing(chunk, from) : chunk.indexOf(QUOTE, from);
      const to = quote === -1 ? chunk.length : quote;
      const piece = chunk.subarray(from, to);
      if (inString) {
        length += piece.length;
        if (length > limit) held = [];
        else held.push(piece);
      } else yield piece;
      if (quote !== -1) {
        yield* held;
        yield chunk.subarray(quote, quote + 1);
        inString = !inString;
        held = [];
        length = 0;
      }
      from = to + 1;
    }
  }
}
