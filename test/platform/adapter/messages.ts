import { DraftMessages } from "../../../adapters/kit/drafts/messages.ts";
import { plainFormat } from "../../../adapters/kit/drafts/page-parts.ts";
import type { MessageChannel } from "../../../adapters/kit/messages/channel.ts";
import { LIMITS } from "../chat/client.ts";
import type { ChatAddress, ChatReceipt, Context, Services } from "./context.ts";
import { addressOf, receiptOf, render } from "./context.ts";
import { deliveriesIn, sendResult } from "./results.ts";

/** What the platform does with messages. */
export function channelOf(services: Services): MessageChannel<ChatAddress, ChatReceipt> {
  const { api, host, memory } = services;
  const post: MessageChannel<ChatAddress, ChatReceipt>["post"] = async (to, view) => {
    const file = view.kind === "file" ? [Buffer.from(view.file.content)] : undefined;
    const message = { ...render(to, view), replyTo: to.replyTo };
    return { ...to, message: await api.post(to.chat, message, file && new File(file, "export.json")) };
  };
  return {
    log: host.log,
    post,
    async replace(receipt, view) {
      const { chat, message } = receipt;
      return (await api.edit(chat, message, render(receipt, view))) ? receipt : post(receipt, view);
    },
    async showProgress(receipt, view) {
      await api.edit(receipt.chat, receipt.message, render(receipt, view));
    },
    showResult: (at, view, signal) => sendResult(services, at, view, signal),
    showsResult: async ({ job }) => job !== undefined,
    async takeBack({ job, message, ...address }, why) {
      await api.remove(address.chat, message);
      if (job !== undefined) await deliveriesIn(memory).drop(job);
      return post(address, why);
    },
  };
}

/** Drafts, each in a message of its own. */
export const drafts = new DraftMessages<Context>({
  format: plainFormat(LIMITS.text),
  async post({ api, origin }, page) {
    const { chat, replyTo } = addressOf(origin.address);
    const message = await api.post(chat, { ...page, replyTo });
    return { id: String(message), address: { message } };
  },
  edit({ api, origin }, { address }, page) {
    const { chat, message } = receiptOf({ ...origin.address, ...address });
    return api.edit(chat, message, page);
  },
});
