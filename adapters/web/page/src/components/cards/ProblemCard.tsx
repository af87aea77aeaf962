import type { ProblemView } from "../../../../../../src/seam/views.ts";
import type { Translate } from "../../../../../../src/common/i18n.ts";
import { useChat } from "../../state/context.ts";
import { problemText } from "../../view/sentences.ts";
import { jobName } from "../../view/names.ts";
import { Actions } from "../base/Actions.tsx";
import { Icon } from "../base/Icon.tsx";

/** What went wrong, what it cost, what can be done. */
export function ProblemCard({ view }: { view: ProblemView }) {
  const chat = useChat();
  const { say } = chat;
  const { problem, charged } = view;
  return (
    <>
      <p class="text problem-text">
        <Icon name="alert" />
        {problemText(say, problem)}
      </p>
      {(view.job || charged !== 0) && <p class="caption">{chargedText(say, charged)}</p>}
      <Actions actions={view.actions} about={view.job && jobName(chat, view.job)} />
    </>
  );
}

function chargedText(say: Translate, charged: number | null): string {
  if (charged === null) return say("page.charged.unknown");
  return charged === 0 ? say("page.charged.none") : say("page.charged", { count: charged, tokens: charged });
}
