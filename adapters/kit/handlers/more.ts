import { ReelayError } from "../../../src/common/errors.ts";
import { ownPart } from "../../../src/seam/text/actions.ts";
import { MORE, moreBehind } from "../messages/choices.ts";
import type { ChatNotes } from "../messages/notes.ts";
import type { ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";
import type { ChatPlatform } from "./platform.ts";

type Left = NonNullable<Awaited<ReturnType<typeof moreBehind>>>;

interface MoreRules<Context> {
  readonly chatOf: (context: Context) => string;
  readonly show: (context: Context, left: Left) => Promise<unknown>;
}

/** Shows more of what can be chosen, where not all of it had room. */
export const moreHandler =
  <Context extends ChatContext & { readonly notes: ChatNotes }>(
    { tokenOf }: Pick<ChatPlatform<Context>, "tokenOf">,
    { chatOf, show }: MoreRules<Context>,
  ): HandlerFor<Context> =>
  async (context) => {
    const pressed = ownPart(tokenOf(context), MORE);
    if (pressed === undefined) return false;
    const left = await moreBehind(context.notes, chatOf(context), pressed);
    if (!left) throw new ReelayError("stale_button");
    await show(context, left);
    return true;
  };
