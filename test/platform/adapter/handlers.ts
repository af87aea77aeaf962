import { sayProblem } from "../../../src/seam/text/say.ts";
import type { Action } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { draftHandlers } from "../../../adapters/kit/handlers/drafts.ts";
import { leftoverView } from "../../../adapters/kit/handlers/leftover.ts";
import { pressHandlers } from "../../../adapters/kit/handlers/press.ts";
import { buttonRows } from "../../../adapters/kit/messages/buttons.ts";
import { type HandlerFor, tellingBy } from "../../../adapters/kit/pipeline/handler.ts";
import { commandHandlers, withoutKeyMessages } from "./commands.ts";
import { addressOf, type Context, LAYOUT, NAME } from "./context.ts";
import { drafts } from "./messages.ts";
import { platform, tell } from "./platform.ts";

const draft = draftHandlers<Context>(drafts, platform, {
  sentIn({ update: { text: words = "", file, replyTo, pressed } }) {
    if (pressed !== undefined || (!file && !words)) return undefined;
    const reply = replyTo === undefined ? undefined : { draft: String(replyTo), address: { replyTo } };
    return { words, picture: file && { surface: NAME, ...file }, reply };
  },
  pressedDraft: ({ update }) => String(update.message),
  refuse: (context, why) => tell(context, sayProblem(context.say, why)),
});

const showButtons = ({ api, say, origin, update }: Context, actions: readonly Action[]) =>
  api.edit(addressOf(origin.address).chat, update.message, { rows: buttonRows(say, actions, LAYOUT) });

const core = pressHandlers<Context>(platform, {
  pressedOn: ({ update }) => String(update.message),
  confirm: showButtons,
  settle: (context) => showButtons(context, []),
  act: ({ intake, origin }, token) => intake.act(origin, token),
});

const leftover: HandlerFor<Context> = async (context) => {
  if (context.update.pressed !== undefined) throw new ReelayError("stale_button");
  await platform.post(context, leftoverView(context.intake.commands, ""));
  return true;
};

const handlers = [...commandHandlers, draft.press, ...core, draft.answer, draft.begin, leftover];

/** What deals with what people do, in its order. */
export const HANDLERS = [withoutKeyMessages(handlers.map(tellingBy(platform.post)))];
