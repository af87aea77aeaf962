import { useState } from "preact/hooks";
import { canAskToNotify } from "../../state/attention.ts";
import { useChat } from "../../state/context.ts";

/** Asks the browser, once and only when it is pressed, whether it may tell when a job is done. */
export function NotifyButton() {
  const { say } = useChat();
  const [offered, setOffered] = useState(canAskToNotify);
  async function ask() {
    await Notification.requestPermission();
    setOffered(canAskToNotify());
  }
  return offered ? (
    <button type="button" class="button" onClick={() => void ask()}>
      {say("page.notify")}
    </button>
  ) : null;
}
