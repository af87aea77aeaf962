import { useEffect, useRef, useState } from "preact/hooks";
import type { ProgressView } from "../../../../../../src/seam/views.ts";
import type { Translate } from "../../../../../../src/common/i18n.ts";
import { useChat } from "../../state/context.ts";
import { progressAt } from "../../view/progress.ts";
import { Actions } from "../base/Actions.tsx";
import { NotifyButton } from "./NotifyButton.tsx";

/** How often the bar moves, in milliseconds; its CSS transition bridges the steps. */
const STEP_MS = 200;

/** A job that is going on: its phase, a bar that moves between two reads, what it costs. */
export function ProgressCard({ view }: { view: ProgressView }) {
  const { say } = useChat();
  const now = useNow();
  const heard = useRef({ view, at: now, percent: 0 });
  if (heard.current.view !== view) {
    heard.current = { view, at: now, percent: progressAt(heard.current.view, heard.current, now) ?? 0 };
  }
  const reached = progressAt(view, heard.current, now);
  const left = view.phase === "running" && view.expectedAt !== undefined ? view.expectedAt - now : 0;
  return (
    <>
      <div class="progress-head">
        <p class="text">{phaseText(say, view)}</p>
        {reached !== null && (
          <span class="percent">{say("page.percent", { percent: Math.round(reached) })}</span>
        )}
      </div>
      <div
        class={reached === null ? "bar waiting" : "bar"}
        role="progressbar"
        aria-label={phaseText(say, view)}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={reached === null ? undefined : Math.round(reached)}
      >
        <span style={reached === null ? undefined : { transform: `scaleX(${reached / 100})` }} />
      </div>
      <p class="caption">
        {[
          ...(left > 1000 ? [say("page.time_left", { ms: left })] : []),
          ...(view.cost === undefined ? [] : [say("page.cost", { count: view.cost, tokens: view.cost })]),
        ].join(" · ")}
      </p>
      <Actions actions={view.actions}>
        <NotifyButton />
      </Actions>
    </>
  );
}

/** What a job's phase means to whoever waits. */
export function phaseText(say: Translate, { phase, ahead }: ProgressView): string {
  return phase === "queued" && ahead ? say("page.phase.ahead", { count: ahead }) : say(`page.phase.${phase}`);
}

function useNow(): number {
  const [now, setNow] = useState(Date.now);
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), STEP_MS);
    return () => clearInterval(timer);
  }, []);
  return now;
}
