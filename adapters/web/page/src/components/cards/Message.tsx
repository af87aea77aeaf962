import { useEffect, useRef, useState } from "preact/hooks";
import type { PageMessage, PageMessageBody } from "../../../../wire.ts";
import type { WatchElement } from "../../view/near.ts";
import { heightOf } from "../../view/place.ts";
import { Bubble } from "./Bubble.tsx";

/** What people write into and what moves by itself is always there; there is little of it at a time. */
const LIVE: ReadonlySet<PageMessageBody["kind"]> = new Set(["form", "progress"]);

/**
 * The place of a message. What it shows is there while it is near what somebody sees: a conversation may be long, and
 * players are heavy.
 * @param fresh it came while the page was open
 * @param begins whether it is shown from the beginning, and the newest one for good
 */
export function Message(props: {
  message: PageMessage;
  fresh: boolean;
  begins: boolean;
  newest: boolean;
  watch: WatchElement;
}) {
  const { message, fresh, watch } = props;
  const { kind } = message.body;
  const place = useRef<HTMLLIElement>(null);
  const [near, setNear] = useState(props.begins);
  const height = useRef(heightOf(message.body));
  useEffect(() => {
    const item = place.current;
    if (!item) return undefined;
    return watch(item, (isNear, high) => {
      if (!isNear && isInUse(item)) return;
      if (!isNear) height.current = high;
      setNear(isNear);
    });
  }, []);

  const shown = near || props.newest || LIVE.has(kind);
  return (
    <li
      ref={place}
      class={`message from-${message.from}${fresh ? " fresh" : ""}`}
      data-kind={kind}
      style={shown ? undefined : { height: `${height.current}px` }}
    >
      {shown && <Bubble message={message} fresh={fresh} />}
    </li>
  );
}

/** Whether somebody's focus is in it, or they listen to it. */
function isInUse(item: HTMLElement): boolean {
  const players = [...item.querySelectorAll<HTMLMediaElement>("video, audio")];
  return item.contains(document.activeElement) || players.some(({ paused, muted }) => !paused && !muted);
}
