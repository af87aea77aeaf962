import type { ChatPlatform } from "../../../adapters/kit/handlers/platform.ts";
import { startDraft } from "../../../adapters/kit/drafts/start.ts";
import { deliverView, reviseView } from "../../../adapters/kit/messages/channel.ts";
import { addressOf, type Context } from "./context.ts";
import { channelOf, drafts } from "./messages.ts";

/** What the kit's handlers work with. */
export const platform: ChatPlatform<Context> = {
  tokenOf: ({ update }) => update.pressed,
  // Everybody is in private here, and nothing waits after a press.
  isTheirs: async () => true,
  acknowledge: async () => {},
  post: (context, view) => deliverView(channelOf(context), addressOf(context.origin.address), view),
  replace(context, view) {
    const pressed = { ...addressOf(context.origin.address), message: context.update.message };
    return reviseView(channelOf(context), pressed, view);
  },
  startDraft: (context, operation, values) => startDraft(drafts, context, operation, values),
};

/** Says a sentence. */
export function tell({ api, origin }: Context, text: string): Promise<unknown> {
  return api.post(addressOf(origin.address).chat, { text, rows: [] });
}
