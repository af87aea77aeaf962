import type {
  MenuView,
  NoticeView,
  ProblemView,
  ProgressView,
  ResultView,
  View,
} from "../../../src/seam/views.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";

/** Everything but a result, whose files are brought step by step. */
export type SaidView = Exclude<View, ResultView>;

/**
 * What a chat platform does with messages.
 * Errors of all: ReelayError `undeliverable` when nothing can be posted there; anything else is tried again.
 */
export interface MessageChannel<Address, Receipt extends Address> {
  readonly log: Logger;
  /** Says something in a message of its own; a file for its person alone. */
  post(to: Address, view: SaidView): Promise<Receipt>;
  /** Says something in the place of what a message says; in a message of its own where that is gone. */
  replace(receipt: Receipt, view: MenuView | ProblemView): Promise<Receipt>;
  /**
   * Shows in its message how far a job is; nothing where that is gone. May return before it is shown.
   * @returns where it is shown from now on, where that has changed
   */
  showProgress(receipt: Receipt, view: ProgressView): Promise<Receipt | void>;
  /** Shows a result, or points at where it is shown. @param signal gives up what takes long, such as its files */
  showResult(at: Address | Receipt, view: ResultView, signal: AbortSignal | undefined): Promise<Receipt>;
  /** Whether a message shows a job's result, or stands where that was. */
  showsResult(receipt: Receipt, job: string | undefined): Promise<boolean>;
  /** Says why in the place of what a message shows: a result is taken back with all that belongs to it. */
  takeBack(receipt: Receipt, why: NoticeView): Promise<Receipt>;
}

/** Posts a view: `Surface.deliver`. */
export function deliverView<A, R extends A>(
  channel: MessageChannel<A, R>,
  to: A,
  view: View,
  signal?: AbortSignal,
): Promise<R> {
  return view.kind === "result" ? channel.showResult(to, view, signal) : channel.post(to, view);
}

/**
 * Replaces what was posted: `Surface.revise`. That progress cannot be shown is no failure, because its result comes all
 * the same.
 */
export async function reviseView<A, R extends A>(
  channel: MessageChannel<A, R>,
  receipt: R,
  view: View,
  signal?: AbortSignal,
): Promise<R> {
  switch (view.kind) {
    case "result":
      return channel.showResult(receipt, view, signal);
    case "notice":
      return channel.takeBack(receipt, view);
    case "file":
      return channel.post(receipt, view);
    case "progress":
      // A process that was killed had posted the result, and did not come to writing that down.
      if (await channel.showsResult(receipt, view.job.id)) return receipt;
      return (
        (await channel.showProgress(receipt, view).catch((err: unknown) => {
          channel.log.debug({ err, job: view.job.id }, "A job's progress was not shown");
        })) ?? receipt
      );
    case "menu":
    case "problem": {
      const job = view.kind === "problem" ? view.job?.id : undefined;
      if (!(await channel.showsResult(receipt, job))) return channel.replace(receipt, view);
      // What is said of a finished job later does not take its result away.
      await channel.post(receipt, view);
      return receipt;
    }
    default:
      return view satisfies never;
  }
}

/** What a job's end is told under once; undefined for what is none. */
export const endIn = (view: MenuView | ProblemView): string | undefined =>
  view.kind === "problem" && view.job ? `${view.job.id}:${view.problem.code}` : undefined;
