import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import type { PageMessage } from "../../../wire.ts";
import type { Chat } from "./context.ts";
import { jobName } from "../view/names.ts";
import { problemText } from "../view/sentences.ts";

const NAME = "Reelay";

/**
 * Tells somebody who looks elsewhere that a job has come to its end: in the title of the tab, and by a notification where
 * they asked for that.
 */
export function useAttention(messages: readonly PageMessage[] | undefined, chat: Chat): void {
  const known = useRef<ReadonlySet<string>>(undefined);
  useEffect(() => {
    const back = () => {
      if (!document.hidden) document.title = NAME;
    };
    document.addEventListener("visibilitychange", back);
    return () => document.removeEventListener("visibilitychange", back);
  }, []);
  // With the very change that shows the end: whoever looks away a moment later has seen it.
  useLayoutEffect(() => {
    if (!messages) return;
    const ended = messages.filter(isEnd);
    const before = known.current;
    known.current = new Set(ended.map(nameOf));
    const news = before && ended.findLast((message) => !before.has(nameOf(message)));
    if (news && document.hidden) tell(chat, news);
  }, [messages]);
}

/** A result that is shown once more is news again. */
const nameOf = ({ id, at, body: { kind } }: PageMessage) => `${id} ${at} ${kind}`;

const isEnd = ({ body }: PageMessage) =>
  body.kind === "result" || (body.kind === "problem" && body.job !== undefined);

function tell(chat: Chat, { id, body }: PageMessage): void {
  const { say } = chat;
  const failed = body.kind === "problem";
  document.title = say(failed ? "page.title.failed" : "page.title.ready", { name: NAME });
  if (!mayNotify()) return;
  const said = failed ? problemText(say, body.problem) : say("page.finished");
  const about = "job" in body && body.job ? jobName(chat, body.job) : "";
  try {
    const note = new Notification(said, { body: about, tag: id });
    note.addEventListener("click", () => {
      focus();
      note.close();
    });
  } catch {
    // Some browsers on phones take notifications from installed pages only; the title says it there.
  }
}

/** Whether it can be asked for: it was not yet, and this browser knows notifications. */
export const canAskToNotify = () => "Notification" in globalThis && Notification.permission === "default";

const mayNotify = () => "Notification" in globalThis && Notification.permission === "granted";
