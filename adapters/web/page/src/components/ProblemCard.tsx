import type { ProblemView } from "../../../../../src/chat/views.ts";
import { useChat } from "../context.ts";
import { problemText } from "../sentences.ts";
import { Actions } from "./Actions.tsx";
import { Icon } from "./Icon.tsx";

/** What went wrong, what it cost, what can be done. */
export function ProblemCard({ view }: { view: ProblemView }) {
  const { say, session } = useChat();
  const { problem, charged } = view;
  return (
    <>
      <p class="text problem-text">
        <Icon name="alert" />
        {problemText(say, problem, session.commands)}
      </p>
      {charged !== 0 && (
        <p class="caption">
          {charged === null ? say("page.charged.unknown") : say("page.charged", { count: charged, tokens: charged })}
        </p>
      )}
      <Actions actions={view.actions} />
    </>
  );
}
