import type { Values } from "../../../src/seam/values.ts";
import type { NoticeView, ProblemView } from "../../../src/seam/views.ts";
import type { ChatContext } from "../pipeline/context.ts";

/** What the handlers here need of a platform. */
export interface ChatPlatform<Context extends ChatContext> {
  /** The token of the button that was pressed, or of the form that was sent. */
  readonly tokenOf: (context: Context) => string | undefined;
  /** Whether what was pressed is nobody else's to press; says so where it is. */
  readonly isTheirs: (context: Context) => Promise<boolean>;
  /** Ends the waiting that a pressed button shows. */
  readonly acknowledge: (context: Context) => Promise<unknown>;
  /** Answers with a view of its own. */
  readonly post: (context: Context, view: NoticeView | ProblemView) => Promise<unknown>;
  /** Shows a view in place of what was pressed. */
  readonly replace: (context: Context, view: NoticeView) => Promise<unknown>;
  /** Lets somebody make something, with what is chosen for it already. */
  readonly startDraft: (context: Context, operation: string, values: Values) => Promise<unknown>;
}
