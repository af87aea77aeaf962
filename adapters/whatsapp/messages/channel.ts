import { translator } from "../../../src/common/i18n.ts";
import type { ProgressView, View } from "../../../src/seam/views.ts";
import { isDeletedNotice } from "../../../src/seam/text/notices.ts";
import { newDraftId } from "../../kit/drafts/draft.ts";
import { DraftMessages } from "../../kit/drafts/messages.ts";
import { plainFormat } from "../../kit/drafts/page-parts.ts";
import { endIn, type MessageChannel, type SaidView } from "../../kit/messages/channel.ts";
import { messageOf } from "../../kit/messages/message.ts";
import { tellSparingly } from "../../kit/messages/sparing.ts";
import { shownSoon } from "../../kit/throttle/shown-soon.ts";
import {
  addressOf,
  userOf,
  type WhatsAppContext,
  type Services,
  type WhatsAppAddress,
  type WhatsAppReceipt,
} from "../context/context.ts";
import { WHATSAPP } from "../api/limits.ts";
import { type Spoken, unitsOf } from "../../kit/messages/choices.ts";
import { post, react, say } from "./post.ts";
import { sendResult } from "./results.ts";

const LAYOUT = {
  perRow: 1,
  primaryAlone: true,
  inList: true,
  text: WHATSAPP.text,
  caption: WHATSAPP.caption,
  length: unitsOf,
};

/** A view as it is said. */
function saidOf({ locale }: WhatsAppAddress, view: View): Spoken {
  const { text, rows } = messageOf(translator(locale), view, LAYOUT);
  return { text, buttons: rows.flat() };
}

/** What WhatsApp does with messages: nothing that was said can be changed, so that little is said. */
export function channelOf(services: Services): MessageChannel<WhatsAppAddress, WhatsAppReceipt> {
  /** @param once the name under which it is said once */
  async function tell(to: WhatsAppAddress, view: SaidView, once?: string): Promise<WhatsAppReceipt> {
    const { told: _, job: _job, message: _message, ...at } = to as WhatsAppReceipt;
    if (view.kind === "progress") return tellProgress(services, at, view);
    if (view.kind === "file") {
      // WhatsApp knows few types; what it is, its name says.
      const { name, content } = view.file;
      const id = await services.api.upload(Buffer.from(content), name, "text/plain");
      const document = { id, filename: name, caption: saidOf(at, view).text };
      return { ...at, message: await post(services, at, { type: "document", document }) };
    }
    const isEnd = view.kind !== "menu" && view.job !== undefined;
    const message = await say(services, at, saidOf(at, view), { isEnd, name: once });
    if (isEnd) react(services, at, "");
    return { ...at, message };
  }
  return {
    log: services.host.log,
    post: tell,
    replace: (receipt, view) => tell(receipt, view, endIn(view)),
    showProgress: (receipt, view) => tellProgress(services, receipt, view),
    showResult: (at, view, signal) => sendResult(services, at, view, signal, saidOf(at, view)),
    showsResult: async ({ job }) => job !== undefined,
    async takeBack(receipt, why) {
      await services.arrivals.takeBack(receipt.job ?? why.job?.id, userOf(receipt), services.host.links);
      // It stays there, and whoever deleted it is told so where they did.
      if (isDeletedNotice(why)) return receipt;
      return tell(receipt, why, why.job && `${why.job.id}:${why.text.key}`);
    },
  };
}

/** Tells how far a job is where that is something new; all else is on the message that it answers. */
function tellProgress(services: Services, at: WhatsAppReceipt, view: ProgressView): Promise<WhatsAppReceipt> {
  return tellSparingly(translator(at.locale), at, view, {
    show: at.replyTo === undefined ? undefined : () => react(services, at, "⏳"),
    say: (begun, news) =>
      say(services, at, begun ?? saidOf(at, view), { idle: view.job.id, name: `${view.job.id}:${news}` }),
    onFailure: (err) => services.host.log.debug({ err }, "A job's progress was not shown"),
  });
}

/** Drafts: each change is a message of its own, and what can be chosen in any of them is about the draft as it is by then. */
export const drafts = new DraftMessages<WhatsAppContext>({
  format: plainFormat(WHATSAPP.body, LAYOUT),
  async post(context, page) {
    const address = addressOf(context.origin.address);
    const id = newDraftId(context.origin);
    const shown = { text: page.text, buttons: page.rows.flat(), draft: id };
    await say(context, address, shown, { name: `draft:${id}` });
    return { id, address: address.replyTo === undefined ? {} : { replyTo: address.replyTo } };
  },
  async edit(context, { id, address }, page, picture) {
    const at = addressOf({ ...context.origin.address, ...address });
    if (picture) {
      const file = await context.api.upload(new Uint8Array(picture), "preview.png", "image/png");
      await post(context, at, { type: "image", image: { id: file } });
    }
    // What is over says so by what comes of it.
    const shown = { text: page.text, buttons: page.rows.flat(), draft: id };
    if (page.rows.length === 0) context.api.drop(at.chat, id);
    else await shownSoon(context.host.log, say(context, at, shown, { shows: id }));
    return true;
  },
  sayGivenUp: (context, line) => say(context, addressOf(context.origin.address), { text: line, buttons: [] }),
});
