import type { ResultMedia } from "../../../src/infrastructure/media/files/result-media.ts";
import type { ResultView } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { type ResultFile, withResultFile } from "../../../src/infrastructure/media/files/result-file.ts";
import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import type { Delivery } from "./delivery-store.ts";
import { type ResultChannel, showResult, TakesNoForm } from "./show-result.ts";

/** How far a result has been posted where each of its files is a message of its own. */
export interface FileDelivery<Address, Posted> extends Delivery {
  readonly address: Address;
  /** What was posted, in its order; null for what was not needed. */
  readonly posted: readonly (Posted | null)[];
  /**
   * Something was handed to the platform and its answer has not been written down. Found after a crash, or after a
   * connection that broke, it means that nobody can tell whether that message is there. It is posted again, because a
   * result twice is better than none. Without this mark, nothing is ever posted twice.
   */
  readonly pending: boolean;
}

/** What a file is posted with. */
export interface FilePosting<Address, Posted> {
  readonly at: Address;
  /** What is said under it, and can be pressed: under the first file alone. */
  readonly under: ResultView | undefined;
  /** What was posted last. */
  readonly last: Posted | null | undefined;
  /** Whether it is covered until somebody wants to see it. */
  readonly covered: boolean;
  /** Gives up what is made of the file. What the platform is getting already, its answer is waited for. */
  readonly signal: AbortSignal | undefined;
}

/** One message that is made of a file. */
export interface FileStep<Address, Posted> {
  /** Whether there is anything to be posted, after what was posted last. */
  isDue(last: Posted | null | undefined): boolean;
  /** @returns undefined where the platform takes it in no form; null where the result is whole without it */
  post(posting: FilePosting<Address, Posted>, file: ResultFile): Promise<Posted | null | undefined>;
}

/** How a platform shows results where each file is a message of its own. */
export interface FileChannel<Address, Receipt extends Address, Posted> extends Omit<
  ResultChannel<Address, Receipt, FileDelivery<Address, Posted>>,
  "post"
> {
  readonly log: Logger;
  /** The folder for files that are needed for a moment. */
  readonly scratch: string;
  /** What each file is posted as, one after the other. */
  readonly steps: Readonly<Record<ResultMedia["kind"], readonly FileStep<Address, Posted>[]>>;
  /** Shows people that a file is on its way for as long as a task takes. */
  whileUploading(at: Address, kind: ResultMedia["kind"], task: () => Promise<void>): Promise<void>;
  /** Whether an error is the platform's answer: nothing was posted then. */
  isAnswer(error: unknown): boolean;
  /** Says that the platform takes a result in no form: it waits among the person's jobs. */
  sayWaiting(at: Address, view: ResultView): Promise<unknown>;
}

/** Shows a result, each file as a message of its own. Parameters and errors as for `showResult`. */
export function showFileByFile<A, R extends A, P>(
  channel: FileChannel<A, R, P>,
  at: A | R,
  view: ResultView,
  signal: AbortSignal | undefined,
): Promise<R> {
  const post: ResultChannel<A, R, FileDelivery<A, P>>["post"] = async (place, result, begun) => {
    const delivery = await postRest(channel, { at: place, view: result, begun, signal });
    const receipt = channel.receiptOf(result.job.id, delivery);
    if (!receipt) throw new ReelayError("result_gone");
    return receipt;
  };
  return showResult({ ...channel, post }, at, view);
}

/** What is posted, and where to. */
interface RestParts<A, P> {
  readonly at: A;
  readonly view: ResultView;
  /** How far an earlier delivery came. */
  readonly begun: FileDelivery<A, P> | undefined;
  readonly signal: AbortSignal | undefined;
}

/**
 * Posts what of a result has not been posted yet. Each step is written down as soon as the platform has answered: a crash
 * repeats none.
 * @throws TakesNoForm after saying where it waits
 */
async function postRest<A, R extends A, P>(
  channel: FileChannel<A, R, P>,
  { at, view, begun, signal }: RestParts<A, P>,
): Promise<FileDelivery<A, P>> {
  const { deliveries, log, scratch: dir } = channel;
  const { id } = view.job;
  const posted = [...(begun?.posted ?? [])];
  if (begun?.pending) log.warn({ job: id }, "A result may be shown twice");

  async function keep(state: { pending: boolean; complete: boolean }): Promise<FileDelivery<A, P>> {
    const delivery = { address: at, posted, ...state };
    await deliveries.keep(id, delivery);
    return delivery;
  }

  /** Hands a file to the platform, with a mark of that until its answer is there. */
  async function take(step: FileStep<A, P>, file: ResultFile): Promise<P | null> {
    const last = posted.at(-1);
    if (!step.isDue(last)) return null;
    await keep({ pending: true, complete: false });
    const under = posted.length === 0 ? view : undefined;
    try {
      const taken = await step.post({ at, under, last, covered: view.spoiler, signal }, file);
      if (taken !== undefined) return taken;
    } catch (error) {
      if (channel.isAnswer(error)) await keep({ pending: false, complete: false });
      throw error;
    }
    await keep({ pending: false, complete: false });
    await channel.sayWaiting(at, view);
    throw new TakesNoForm();
  }

  let done = posted.length;
  for (const media of view.media) {
    const steps = channel.steps[media.kind];
    const due = steps.slice(done);
    done = Math.max(0, done - steps.length);
    if (due.length === 0) continue;
    await channel.whileUploading(at, media.kind, () =>
      withResultFile(media, { dir, signal }, async (file) => {
        for (const step of due) {
          posted.push(await take(step, file));
          await keep({ pending: false, complete: false });
        }
      }),
    );
  }
  return keep({ pending: false, complete: true });
}
