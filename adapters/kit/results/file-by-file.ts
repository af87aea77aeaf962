import type { ResultMedia } from "../../../src/infrastructure/media/files/result-media.ts";
import type { ResultView } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { type ResultFile, withResultFile } from "../../../src/infrastructure/media/files/result-file.ts";
import { TakesNoForm } from "../../../src/seam/surface/takes-no-form.ts";
import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { UserId } from "../../../src/seam/values.ts";
import { type Locale, translator } from "../../../src/common/i18n.ts";
import type { Memory } from "../../../src/common/memory.ts";
import type { ChatMessage } from "../messages/message.ts";
import { type Delivery, DeliveryStore } from "./delivery-store.ts";
import { type ResultChannel, showResult, waitingMessage } from "./show-result.ts";

interface Spoken {
  readonly locale: Locale;
}

/** What was posted may be a link. */
interface Linked {
  /** Where the file is on our own server that it points to. */
  readonly url?: string;
}

/** How far a result has been posted where each of its files is a message of its own. */
export interface FileDelivery<Address, Posted> extends Delivery {
  readonly address: Address;
  /** What was posted, in its order; null for what was not needed. */
  readonly posted: readonly (Posted | null)[];
  /**
   * Something was handed to the platform and its answer has not been written down. Found after a crash, or after a
   * connection that broke, it means that nobody can tell whether that message is there. It is posted again, because a
   * result twice is better than none; where it took the place of a message, there. Without this mark, nothing is ever
   * posted twice.
   */
  readonly pending: boolean;
}

/** What of a result was posted. */
export const partsOf = <Posted>({ posted }: Pick<FileDelivery<unknown, Posted>, "posted">) =>
  posted.filter((one) => one !== null);

/** How far each result has been posted. @param userOf whose chat an address is */
export const fileDeliveries = <Address, Posted extends Linked>(
  memory: Memory,
  userOf: (address: Address) => UserId,
) =>
  new DeliveryStore<FileDelivery<Address, Posted>>(memory, {
    userOf: ({ address }) => userOf(address),
    linksOf: (delivery) => partsOf(delivery).flatMap(({ url }) => url ?? []),
  });

/** What a file is posted with. */
export interface FilePosting<Address, Posted> {
  readonly at: Address;
  /** What is said under it, and can be pressed: under the first file alone. */
  readonly under: ResultView | undefined;
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
export interface FileChannel<Address extends Spoken, Receipt extends Address, Posted> extends Omit<
  ResultChannel<Address, Receipt, FileDelivery<Address, Posted>>,
  "post"
> {
  readonly host: Pick<SurfaceHost, "log" | "scratch">;
  /** The platform's name as people write it. */
  readonly title: string;
  /** What each file is posted as, one after the other. */
  readonly steps: Readonly<Record<ResultMedia["kind"], readonly FileStep<Address, Posted>[]>>;
  /** Shows people that a file is on its way for as long as a task takes. */
  whileUploading(at: Address, kind: ResultMedia["kind"], task: () => Promise<void>): Promise<void>;
  /** Whether an error is the platform's answer: nothing was posted then. */
  isAnswer(error: unknown): boolean;
  /** Says something beside the result. */
  say(at: Address, message: ChatMessage): Promise<unknown>;
}

/** Shows a result, each file as a message of its own. Parameters and errors as for `showResult`. */
export function showFileByFile<A extends Spoken, R extends A, P>(
  channel: FileChannel<A, R, P>,
  at: A | R,
  view: ResultView,
  signal: AbortSignal | undefined,
): Promise<R> {
  const post = async (place: A | R, result: ResultView, begun: FileDelivery<A, P> | undefined) => {
    const delivery = await postRest(channel, place, result, begun, signal);
    const receipt = channel.receiptOf(result.job.id, delivery);
    if (!receipt) throw new ReelayError("result_gone");
    return receipt;
  };
  return showResult({ ...channel, post }, at, view);
}

/**
 * Posts what of a result has not been posted yet. Each step is written down as soon as the platform has answered: a crash
 * repeats none.
 * @param begun how far an earlier delivery came
 * @throws TakesNoForm after saying where it waits
 */
async function postRest<A extends Spoken, R extends A, P>(
  channel: FileChannel<A, R, P>,
  at: A,
  view: ResultView,
  begun: FileDelivery<A, P> | undefined,
  signal: AbortSignal | undefined,
): Promise<FileDelivery<A, P>> {
  const { deliveries, host } = channel;
  const { id } = view.job;
  const posted = [...(begun?.posted ?? [])];
  if (begun?.pending) host.log.warn({ job: id }, "A result may be shown twice");

  async function keep({ pending = false, complete = false }): Promise<FileDelivery<A, P>> {
    const delivery = { address: at, posted, pending, complete };
    await deliveries.keep(id, delivery);
    return delivery;
  }

  /** Hands a file to the platform, with a mark of that until its answer is there. */
  async function take(step: FileStep<A, P>, file: ResultFile): Promise<P | null> {
    const last = posted.at(-1);
    if (!step.isDue(last)) return null;
    await keep({ pending: true });
    const under = posted.length === 0 ? view : undefined;
    try {
      const taken = await step.post({ at, under, last, covered: view.spoiler, signal }, file);
      if (taken !== undefined) return taken;
    } catch (error) {
      if (channel.isAnswer(error)) await keep({});
      throw error;
    }
    await keep({});
    const say = translator(at.locale);
    const why = say("view.too_large", { platform: channel.title });
    await channel.say(at, waitingMessage(say, view, why));
    throw new TakesNoForm();
  }

  let done = posted.length;
  for (const media of view.media) {
    const steps = channel.steps[media.kind];
    const due = steps.slice(done);
    done = Math.max(0, done - steps.length);
    if (due.length === 0) continue;
    await channel.whileUploading(at, media.kind, () =>
      withResultFile(media, { dir: host.scratch, signal }, async (file) => {
        for (const step of due) {
          posted.push(await take(step, file));
          await keep({});
        }
      }),
    );
  }
  return keep({ complete: true });
}
