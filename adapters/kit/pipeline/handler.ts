import { ReelayError } from "../../../src/common/errors.ts";
import { refusalView } from "../../../src/seam/text/notices.ts";
import type { NoticeView, ProblemView } from "../../../src/seam/views.ts";

/**
 * Deals with what somebody did, or leaves it to the next handler.
 * @returns whether it was dealt with
 */
export type HandlerFor<Context> = (context: Context) => Promise<boolean>;

/** Hands what somebody did from handler to handler until one deals with it. */
export async function dispatch<Context>(
  context: Context,
  handlers: readonly HandlerFor<Context>[],
): Promise<boolean> {
  for (const handler of handlers) if (await handler(context)) return true;
  return false;
}

/** Makes handlers tell people what is wrong with what they asked for. */
export function tellingBy<Context>(
  tell: (context: Context, view: NoticeView | ProblemView) => Promise<unknown>,
) {
  return (handler: HandlerFor<Context>): HandlerFor<Context> =>
    async (context) => {
      try {
        return await handler(context);
      } catch (error) {
        if (!(error instanceof ReelayError)) throw error;
        await tell(context, refusalView(error));
        return true;
      }
    };
}
