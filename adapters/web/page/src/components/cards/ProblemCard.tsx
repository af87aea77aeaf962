import type { ProblemView } from "../../../../../../src/seam/views.ts";
import { sayWithCost } from "../../../../../../src/seam/text/cost.ts";
import { useChat } from "../../state/context.ts";
import { problemText } from "../../view/sentences.ts";
import { jobName } from "../../view/names.ts";
import { Actions } from "../base/Actions.tsx";
import { Icon } from "../base/Icon.tsx";

/** What went wrong, what it cost, what can be done. */
export function ProblemCard({ view }: { view: ProblemView }) {
  const chat = useChat();
  const { say } = chat;
  const [sentence, cost] = sayWithCost(say, problemText(say, view.problem), view, "page");
  return (
    <>
      <p class="text problem-text">
        <Icon name="alert" />
        {sentence}
      </p>
      {cost && <p class="caption">{cost}</p>}
      <Actions actions={view.actions} about={view.job && jobName(chat, view.job)} />
    </>
  );
}
