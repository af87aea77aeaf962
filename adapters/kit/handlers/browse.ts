import { ownPart } from "../../../src/seam/text/actions.ts";
import { BROWSE, found, home, type Kind } from "../../../src/seam/browse/place.ts";
import { turn } from "../../../src/seam/browse/press.ts";
import { viewOf } from "../../../src/seam/browse/view.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import type { ChatContext } from "../pipeline/context.ts";
import type { HandlerFor } from "../pipeline/handler.ts";
import type { ChatPlatform } from "./platform.ts";

/** How a platform asks for words to look for. */
interface SearchRules<Context> {
  readonly ask: (context: Context, kind: Kind) => Promise<unknown>;
  /** Those that were sent in a form, where that is how they are asked for. */
  readonly wordsOf?: (context: Context) => string | undefined;
}

/** The catalogue as it is opened: at what matches the words, if there are any. */
export function catalogueView(context: ChatContext, kind: Kind, words: string): Promise<NoticeView> {
  return viewOf(context, words ? found(kind, words) : home(kind));
}

/** Looks through the catalogue in one message. */
export function browseHandler<Context extends ChatContext>(
  platform: ChatPlatform<Context>,
  { ask, wordsOf }: SearchRules<Context>,
): HandlerFor<Context> {
  return async (context) => {
    const pressed = ownPart(platform.tokenOf(context), BROWSE);
    if (pressed === undefined) return false;
    if (!(await platform.isTheirs(context))) return true;
    await platform.acknowledge(context);
    const next = await turn(context, pressed);
    const words = wordsOf?.(context);
    if (next.to === "operation") await platform.startDraft(context, next.start.operation, next.start.values);
    else if (next.to === "place") await platform.replace(context, next.view);
    else if (words === undefined) await ask(context, next.kind);
    else await platform.post(context, await catalogueView(context, next.kind, words));
    return true;
  };
}
