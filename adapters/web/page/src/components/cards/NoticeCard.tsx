import { say as sayMessage } from "../../../../../../src/seam/text/say.ts";
import type { Translate } from "../../../../../../src/common/i18n.ts";
import type { NoticeView } from "../../../../../../src/seam/views.ts";
import { useChat } from "../../state/context.ts";
import { Actions } from "../base/Actions.tsx";

/** Something said, with facts beside it and its buttons. */
export function NoticeCard({ view }: { view: NoticeView }) {
  return (
    <>
      <Notice say={useChat().say} view={view} />
      <Actions actions={view.actions} />
    </>
  );
}

/** Something said, with facts beside it. */
export function Notice({ say, view }: { say: Translate; view: NoticeView }) {
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
    </>
  );
}
