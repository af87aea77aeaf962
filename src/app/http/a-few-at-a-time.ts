/** How many requests are begun in one turn of the event loop. */
const TOGETHER = 16;

/** What a server hands its requests to. */
type Listener<R, A> = (request: R, answer: A) => unknown;

/**
 * Begins a few requests in one turn of the event loop, in the order in which they came: thousands that come at once do not
 * keep everything else waiting, and whoever has gone meanwhile is not worked for.
 */
export function aFewAtATime<R, A extends { readonly closed: boolean }>(
  listener: Listener<R, A>,
): Listener<R, A> {
  const waiting: (readonly [R, A])[] = [];
  const begin = () => {
    for (const [request, answer] of waiting.splice(0, TOGETHER))
      if (!answer.closed) listener(request, answer);
    if (waiting.length > 0) setImmediate(begin);
  };
  return (...call) => {
    waiting.push(call);
    if (waiting.length === 1) setImmediate(begin);
  };
}
