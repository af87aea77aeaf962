/** How long to wait until something is tried again that did not answer, in milliseconds. */
export const RECONNECT_MS = 3000;

/**
 * Follows a server's events, over lost connections too.
 * @param hear is given the name of each and its data
 * @param lost is called where the connection is lost; `isRefused`: by an answer that is no stream, such as that nobody is in any more
 * @returns the way to stop it
 */
export function followEvents<E extends string>(
  url: string,
  events: readonly E[],
  hear: (event: E, data: unknown) => void,
  lost: (isRefused: boolean) => void,
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
      // A browser tries again by itself, but not after an answer such as a proxy's 502.
      const isRefused = opened.readyState === EventSource.CLOSED;
      lost(isRefused);
      if (isRefused) retry = setTimeout(connect, RECONNECT_MS);
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
