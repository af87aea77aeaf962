import type { ResultView } from "../../../src/chat/views.ts";
import { ReelayError } from "../../../src/errors.ts";
import { translator } from "../../../src/i18n.ts";
import type { TelegramAddress, TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { meaningOf } from "../api/errors.ts";
import { ResultDelivery } from "./results-delivery.ts";
import { deliveryOf, receiptOfDelivery } from "./results-memory.ts";

/**
 * Posts a finished job with its files, as an answer to what the person sent. A result that was posted before is
 * pointed at instead: somebody asked to see it again, or a crash left unknown that it was.
 * @throws TakesNoForm after saying where it waits; ReelayError `undeliverable` when nothing can be posted there
 */
export async function sendResult(
  services: Services,
  address: TelegramAddress,
  view: ResultView,
  signal?: AbortSignal,
): Promise<TelegramReceipt> {
  const { id } = view.job;
  const before = await deliveryOf(services.memory, id);
  const shown = before?.complete ? receiptOfDelivery(id, before) : undefined;
  if (shown && (await pointAt(services, shown))) return shown;
  if (before?.pending) services.host.log.warn({ job: id }, "A result may be shown twice");
  const begun = before && !before.complete ? before.posted : [];
  const delivery = await new ResultDelivery(services, address, view, begun, signal).finish();
  const receipt = receiptOfDelivery(id, delivery);
  if (!receipt) throw new ReelayError("result_gone");
  return receipt;
}

/** Answers the message that shows it already. Returns false where that is gone. */
async function pointAt({ sender }: Services, { chat, message, topic, locale }: TelegramReceipt) {
  try {
    await sender.call(
      "sendMessage",
      {
        chat_id: chat,
        text: translator(locale)("view.shown"),
        reply_parameters: { message_id: message },
        ...(topic !== undefined && { message_thread_id: topic }),
      },
      { chat },
    );
    return true;
  } catch (error) {
    if (meaningOf(error) === "message_gone") return false;
    throw error;
  }
}
