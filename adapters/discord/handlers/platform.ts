import { InteractionType } from "discord.js";
import type { ChatPlatform } from "../../kit/handlers/platform.ts";
import { tellingBy } from "../../kit/pipeline/handler.ts";
import type { View } from "../../../src/seam/views.ts";
import type { InteractionContext, ReplyContext } from "../context/context.ts";
import { tokenOf } from "../context/interaction.ts";
import { startDraft } from "../drafts/begin.ts";
import { coreTokenOf } from "../messages/components.ts";
import { deliver } from "../messages/post.ts";

/** Says something in private; a press on a first answer changes that. A message is replied to. */
export const show = (context: ReplyContext, view: View) => deliver(context, context.address, view);

/** What the kit's handlers work with. What only one person sees, nobody else can press; a press was answered when it came. */
export const platform: ChatPlatform<InteractionContext> = {
  tokenOf: ({ interaction }) =>
    (interaction.type === InteractionType.MessageComponent ? coreTokenOf(interaction) : undefined) ??
    tokenOf(interaction),
  isTheirs: async () => true,
  acknowledge: async () => {},
  post: show,
  replace: show,
  startDraft,
};

/** A handler that tells people what is wrong with what they asked for. */
export const telling = tellingBy<InteractionContext>(show);
