import { action } from "../../../src/seam/text/actions.ts";
import { linesOf } from "../../../src/seam/text/lines.ts";
import type { ResultView } from "../../../src/seam/views.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { buttonRows } from "../messages/buttons.ts";
import type { ChatMessage } from "../messages/message.ts";

/** Says that a result waits among the person's jobs. @param why it is not shown */
export function waitingMessage(say: Translate, view: ResultView, why: string): ChatMessage {
  const show = action("show", view.job.id, "action.show");
  return {
    text: [why, ...linesOf(say, view, Date.now())].join("\n"),
    rows: buttonRows(say, [show], { perRow: 1, primaryAlone: false }),
  };
}
