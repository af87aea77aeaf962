import type { Logger } from "../../../src/infrastructure/telemetry/telemetry.ts";
import { atMost } from "../../../src/common/time.ts";
import { FairQueue, type PersonInChat } from "./fair-queue.ts";
import { dispatch, type HandlerFor } from "./handler.ts";
import type { Inbox } from "./inbox.ts";

/** How many people are dealt with at once: each may wait for the platform and for the service. */
const AT_ONCE = 100;

/** How long a stop waits for those who are being dealt with, in milliseconds. */
const GRACE_MS = 3_000;

/** Makes an update's context once its turn has come; nothing for what no person did. */
type ContextMaker<Context> = () => Promise<Context | undefined>;

/** What a dispatcher works with. */
export interface DispatcherParts<Update, Context> {
  readonly log: Logger;
  readonly inbox: Inbox<Update>;
  /** In their order: the first that takes an update deals with it. */
  readonly handlers: readonly HandlerFor<Context>[];
  readonly senderOf: (update: Update) => PersonInChat;
  /**
   * Does what is due at once, before an update's turn has come, such as a first answer.
   * @param isResumed whether an earlier process took it in, and may have done so already
   * @throws where it is too late: then nothing comes of the update
   */
  readonly accept: (update: Update, isResumed: boolean) => Promise<ContextMaker<Context>>;
  /** Ends what was begun with an update; one that failed is told so, as far as it can be. */
  readonly finish?: (context: Context, failure?: unknown) => Promise<void>;
  /** Hears that an update has left the queue, whatever came of it. */
  readonly left?: (update: Update) => void;
  /** Whether this process may still deal with updates, where several share an inbox: what it may not stays there. */
  readonly isOurs?: () => boolean;
  /** How a failure is logged, where not as an error: what people and platforms do, such as blocking a bot, is none. */
  readonly levelOf?: (error: unknown) => "info" | "warn" | "error";
}

/** Takes a platform's updates in and leads each to the handler that deals with it, in the order of each person. */
export class Dispatcher<Update, Context> {
  readonly #parts: DispatcherParts<Update, Context>;
  readonly #queue = new FairQueue(AT_ONCE);
  /** The names of those that are queued or dealt with. */
  readonly #live = new Set<string>();
  #closed = false;

  constructor(parts: DispatcherParts<Update, Context>) {
    this.#parts = parts;
  }

  /**
   * Takes up what an earlier process did not come to.
   * @param isOurs whether that falls to this process, where several share an inbox
   */
  async open(isOurs: (update: Update) => boolean = () => true): Promise<void> {
    const left = (await this.#parts.inbox.left()).filter(isOurs);
    await Promise.all(left.map((update) => this.add(update, true)));
  }

  /** Takes new updates in: when it returns they are on disk, and were given their first answers. */
  readonly take = async (updates: readonly Update[]): Promise<void> => {
    const fresh = new Set(await this.keep(updates));
    const { inbox, isOurs } = this.#parts;
    const theirs = isOurs ? updates.filter((update) => !fresh.has(update)) : [];
    // What another process took in and did not come to, before it lost what this one has now.
    const left = new Set(
      (
        await Promise.all(
          theirs.map(async (update) => [update, await inbox.find(inbox.nameOf(update))] as const),
        )
      )
        .filter(([, found]) => found !== undefined)
        .map(([update]) => update),
    );
    const due = updates.filter((update) => fresh.has(update) || left.has(update));
    await Promise.all(due.map((update) => this.add(update, left.has(update))));
  };

  /** Takes up an update that another process has put on disk, unless it is dealt with. */
  readonly takeUp = async (name: string): Promise<void> => {
    const update = this.#live.has(name) ? undefined : await this.#parts.inbox.find(name);
    if (update !== undefined) await this.add(update, true);
  };

  /** Puts updates on disk, and no more. @returns those that were not there yet, for {@link add} */
  protected keep(updates: readonly Update[]): Promise<readonly Update[]> {
    return this.#parts.inbox.keep(updates);
  }

  /**
   * Begins with nobody more, and waits for those who are being dealt with. What fails after that stays in the
   * inbox for the next start.
   * @param graceMs how long it waits at most, in milliseconds
   */
  async stop(graceMs = GRACE_MS): Promise<void> {
    await atMost(graceMs, this.#queue.stop());
    this.#closed = true;
  }

  /**
   * Queues an update that is on disk. When it returns, that was given its first answer.
   * @param isResumed whether an earlier process took it in
   */
  protected async add(update: Update, isResumed = false): Promise<void> {
    const { inbox, senderOf, accept, left } = this.#parts;
    const name = inbox.nameOf(update);
    // What comes while the inbox is read stands there, too.
    if (this.#live.has(name)) return;
    this.#live.add(name);
    const accepted = accept(update, isResumed).catch((error: unknown) =>
      this.#report(update, error, "An update was not answered"),
    );
    // In the order of arriving, whatever the first answers take.
    this.#queue.add(senderOf(update), async () => {
      await this.#process(update, await accepted, isResumed);
      this.#live.delete(name);
      left?.(update);
    });
    await accepted;
  }

  async #process(
    update: Update,
    makeContext: ContextMaker<Context> | undefined,
    isResumed: boolean,
  ): Promise<void> {
    const { handlers, finish, inbox, log, isOurs = () => true } = this.#parts;
    if (!isOurs()) return;
    // It may have been dealt with between looking into the inbox and now.
    if (isResumed && (await inbox.find(inbox.nameOf(update))) === undefined) return;
    let context: Context | undefined;
    try {
      context = await makeContext?.();
      if (context) {
        await dispatch(context, handlers);
        await finish?.(context);
      }
    } catch (error) {
      if (this.#closed) return;
      this.#report(update, error, "An update could not be dealt with");
      if (context) await finish?.(context, error).catch(() => undefined);
    }
    await inbox.done(update).catch((err: unknown) => log.error({ err }, "The inbox could not be written"));
  }

  #report(update: Update, err: unknown, message: string): undefined {
    const { log, inbox, levelOf = () => "error" as const } = this.#parts;
    log[levelOf(err)]({ err, update: inbox.nameOf(update) }, message);
  }
}
