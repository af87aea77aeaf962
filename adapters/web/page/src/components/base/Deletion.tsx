import { useId, useLayoutEffect, useRef } from "preact/hooks";
import { useChat } from "../../state/context.ts";
import { UNDO_MS } from "../../state/deletions.ts";

/** Asks right where something is whether it is to go, and lets that be undone for a moment. */
export function Deletion(props: {
  /** The button of the core's that deletes it. */
  token: string;
  /** What goes, by its name. */
  name: string;
  onBegin: () => void;
  onKeep: () => void;
}) {
  const { say, deletions } = useChat();
  const { token, name, onBegin, onKeep } = props;
  const id = useId();
  const place = useRef<HTMLDivElement>(null);
  const stage = deletions.stageOf(token);

  // What was pressed is gone by then: the focus goes on to what can be pressed next.
  // Begun where the same is shown once more, it leaves the focus there.
  const elsewhere = useRef(stage !== undefined);
  useLayoutEffect(() => {
    const next = place.current?.querySelector<HTMLElement>("[data-first]") ?? place.current;
    if (!elsewhere.current) next?.focus({ preventScroll: stage === "gone" });
    elsewhere.current = false;
  }, [stage]);
  // It goes with what it is about: the focus stays with the message.
  useLayoutEffect(() => {
    const shown = place.current;
    const message = shown?.closest("article");
    return () => shown?.contains(document.activeElement) && message?.focus({ preventScroll: true });
  }, []);

  const text = stage === "gone" ? say("job.deleted") : say(`page.delete.${stage ?? "ask"}`, { ms: UNDO_MS });
  return (
    <div class="deletion" role="group" tabIndex={-1} ref={place} aria-labelledby={`${id}-name ${id}-text`}>
      <b id={`${id}-name`}>{name}</b>
      <p id={`${id}-text`}>{text}</p>
      {stage === undefined && (
        <div class="actions">
          <button type="button" class="button danger" onClick={onBegin}>
            {say("action.delete_now")}
          </button>
          <button type="button" class="button" data-first onClick={onKeep}>
            {say("page.delete.keep")}
          </button>
        </div>
      )}
      {stage === "waiting" && (
        <div class="actions">
          <button type="button" class="button primary" data-first onClick={onKeep}>
            {say("page.undo")}
          </button>
        </div>
      )}
    </div>
  );
}
