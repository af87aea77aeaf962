/** How long to wait after an answer that a browser gives up on, in milliseconds. */
const RECONNECT_MS = 3000;

/**
 * Follows a server's events, over lost connections too.
 * @param hear is given the name of each and its data
 * @param lost is called where the connection is lost
 * @returns the way to stop it
 */
export function followEvents<E extends string>(
  url: string,
  events: readonly E[],
  hear: (event: E, data: unknown) => void,
  lost: () => void,
): () => void {
  let source: EventSource;
  let retry: ReturnType<typeof setTimeout>;
  function connect() {
    source = new EventSource(url);
    for (const event of events)
      source.addEventListener(event, ({ data }) => hear(event, JSON.parse(data as string)));
    source.addEventListener("error", () => {
      lost();
      // A browser tries again by itself, but not after an answer such as a proxy's 502.
      if (source.readyState === EventSource.CLOSED) retry = setTimeout(connect, RECONNECT_MS);
    });
  }
  connect();
  return () => {
    clearTimeout(retry);
    source.close();
  };
}
