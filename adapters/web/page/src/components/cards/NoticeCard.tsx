import { say as sayMessage } from "../../../../../../src/seam/text/say.ts";
import type { NoticeView } from "../../../../../../src/seam/views.ts";
import { useChat } from "../../state/context.ts";
import { Actions } from "../base/Actions.tsx";

/** Something said, with facts beside it. */
export function NoticeCard({ view }: { view: NoticeView }) {
  const { say } = useChat();
  return (
    <>
      <p class="text">{sayMessage(say, view.text)}</p>
      {view.facts && view.facts.length > 0 && (
        <dl class="facts">
          {view.facts.map(({ label, value }) => (
            <div key={label}>
              <dt>{say(label)}</dt>
              <dd>{sayMessage(say, value)}</dd>
            </div>
          ))}
        </dl>
      )}
      <Actions actions={view.actions} />
    </>
  );
}
