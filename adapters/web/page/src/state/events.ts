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
  let source: EventSource | undefined;
  let retry: ReturnType<typeof setTimeout>;
  function connect() {
    leave();
    const opened = new EventSource(url);
    source = opened;
    for (const event of events)
      opened.addEventListener(event, ({ data }) => hear(event, JSON.parse(data as string)));
    opened.addEventListener("error", () => {
      lost();
      // A browser tries again by itself, but not after an answer such as a proxy's 502.
      if (opened.readyState === EventSource.CLOSED) retry = setTimeout(connect, RECONNECT_MS);
    });
  }
  function leave() {
    clearTimeout(retry);
    source?.close();
  }
  connect();
  // A connection that was left behind may look open for minutes.
  addEventListener("online", connect);
  return () => {
    removeEventListener("online", connect);
    leave();
  };
}
