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
    /** Where what is not passed on yet begins, and where the string does that is being read. */
    let from = 0;
    let content = 0;
    for (;;) {
      if (!inString) {
        const opening = chunk.indexOf(QUOTE, content);
        if (opening === -1) break;
        inString = true;
        content = opening + 1;
      }
      const end = closing(chunk, content);
      const to = end === -1 ? chunk.length : end;
      length += to - content;
      if (length > limit) {
        held = [];
        // What is before it, with its opening quote; it is empty where that came with an earlier chunk.
        yield chunk.subarray(from, content);
        from = to;
      }
      if (end === -1) break;
      yield* held;
      inString = false;
      held = [];
      length = 0;
      content = end + 1;
    }
    if (!inString || length > limit) yield chunk.subarray(from);
    else {
      yield chunk.subarray(from, content);
      held.push(chunk.subarray(content));
    }
  }
}
