import type { Translate } from "../../../../../../src/common/i18n.ts";
import type { NoticeView } from "../../../../../../src/seam/views.ts";
import { Notice } from "../cards/NoticeCard.tsx";

/** Says to somebody that nothing is kept about them any more; whatever they do next, they begin anew. */
export function Forgotten({ say, view }: { say: Translate; view: NoticeView }) {
  return (
    <main class="login">
      <div class="card">
        <h1>Reelay</h1>
        <div role="alert">
          <Notice say={say} view={view} />
        </div>
        <button type="button" class="button" onClick={() => location.reload()}>
          {say("page.continue")}
        </button>
      </div>
    </main>
  );
}
