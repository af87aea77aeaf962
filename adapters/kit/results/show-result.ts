import { action } from "../../../src/seam/text/actions.ts";
import { linesOf } from "../../../src/seam/text/lines.ts";
import type { ResultView } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { buttonRows } from "../messages/buttons.ts";
import type { ChatMessage } from "../messages/message.ts";
import type { Delivery, DeliveryStore } from "./delivery-store.ts";
import { currentTime } from "../../../src/common/time.ts";

/** How a platform shows results. */
export interface ResultChannel<Address, Receipt extends Address, D extends Delivery> {
  readonly deliveries: DeliveryStore<D>;
  /** What is found by it that a delivery posted; undefined where that is nothing. */
  receiptOf(job: string, delivery: D): Receipt | undefined;
  /** Says where a result is shown already. @returns false where that is gone, or cannot be seen to be there */
  pointAt(at: Address | Receipt, shown: Receipt, view: ResultView): Promise<boolean>;
  /**
   * Posts what has not been posted yet.
   * @param begun how far an earlier delivery came
   * @throws TakesNoForm after saying where it waits
   */
  post(at: Address | Receipt, view: ResultView, begun: D | undefined): Promise<Receipt>;
}

/** Says that a result waits among the person's jobs. @param why it is not shown @param show what shows it */
export function waitingMessage(
  say: Translate,
  view: ResultView,
  why: string,
  show = action("show", view.job.id, "action.show"),
): ChatMessage {
  return {
    text: [why, ...linesOf(say, view, currentTime())].join("\n"),
    rows: buttonRows(say, [show], { perRow: 1, primaryAlone: false }),
  };
}

/**
 * Shows a finished job with its files. A result that is shown already is pointed at instead: somebody asked to see it
 * again, or a crash left unknown that it is.
 * @param at where it was asked for, or the message that shows how far it is
 * @throws TakesNoForm; ReelayError `undeliverable` when it can be shown nowhere, `result_gone` where it has no files
 */
export async function showResult<A, R extends A, D extends Delivery>(
  channel: ResultChannel<A, R, D>,
  at: A | R,
  view: ResultView,
): Promise<R> {
  const { id } = view.job;
  const before = await channel.deliveries.find(id);
  const shown = before?.complete ? channel.receiptOf(id, before) : undefined;
  if (shown && (await channel.pointAt(at, shown, view))) return shown;
  if (view.media.length === 0) throw new ReelayError("result_gone");
  return channel.post(at, view, before?.complete ? undefined : before);
}
