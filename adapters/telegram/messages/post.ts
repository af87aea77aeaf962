import type { FileView, View } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { translator } from "../../../src/common/i18n.ts";
import { deliverView, type MessageChannel, type SaidView } from "../../kit/messages/channel.ts";
import { placeOf, receiptFor, type TelegramAddress, type TelegramReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { uploadLimit } from "../media/upload.ts";
import { editText, replaceText, sayAside, sendText } from "./post-text.ts";
import { render, withKeyboard } from "./render.ts";
import { sendResult } from "./results.ts";
import { takeBack, takePosted } from "./take-back.ts";

/** Posts a view. Parameters and errors as for `deliverView`. */
export const post = (services: Services, to: TelegramAddress, view: View, signal?: AbortSignal) =>
  deliverView(channelOf(services), to, view, signal);

/** What Telegram does with messages. */
export function channelOf(services: Services): MessageChannel<TelegramAddress, TelegramReceipt> {
  const { log } = services.host;
  return {
    log,
    post: (to, view) => send(services, to, view),
    replace: (receipt, view) => replaceText(services, receipt, view),
    showResult: (at, view, signal) => sendResult(services, at, view, signal),
    showsResult: async ({ form, job }) => form !== "text" || job !== undefined,
    takeBack: (receipt, why) => takeBack(services, receipt, why),

    // Nobody waits for an edit that shows how far a job is, least of all its result.
    async showProgress(receipt, view) {
      editText(services, receipt, view).catch((err: unknown) => {
        log.debug({ err }, "A job's progress was not shown");
      });
    },
  };
}

async function send(services: Services, to: TelegramAddress, view: SaidView): Promise<TelegramReceipt> {
  if (view.kind === "file") return sendFile(services, to, view);
  // The last word on a job: a delivery of it may have broken off before there was a receipt.
  if (view.kind === "notice" && view.job) await takePosted(services, view.job.id);
  return (await sayAside(services, to, view)) ?? sendText(services, to, view);
}

/**
 * Posts a file for its person alone: in their private chat, also where it was asked for in a group.
 * @throws ReelayError `undeliverable` where they have no private chat with the bot; `media_too_large`
 */
async function sendFile(
  services: Services,
  address: TelegramAddress,
  view: FileView,
): Promise<TelegramReceipt> {
  const { name, content } = view.file;
  const place = privateOf(address);
  const source = Buffer.from(content);
  const max = uploadLimit(services);
  if (source.length > max) throw new ReelayError("media_too_large", { max });
  const { html, keyboard } = render(translator(place.locale), view);
  const { message_id: message } = await services.sender.call(
    "sendDocument",
    {
      ...placeOf(place),
      document: { source, filename: name },
      disable_content_type_detection: true,
      caption: html,
      parse_mode: "HTML",
      ...withKeyboard(keyboard),
    },
    { chat: place.chat },
  );
  return receiptFor(place, { message, form: "media" });
}

/** Groups have negative ids. */
function privateOf(address: TelegramAddress): TelegramAddress {
  const { chat, user, locale } = address;
  if (chat > 0) return address;
  if (user === undefined) throw new ReelayError("undeliverable");
  return { chat: user, locale };
}
