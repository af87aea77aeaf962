import { asReelayError } from "../../../common/errors.ts";
import type { Database } from "../../../infrastructure/storage/database.ts";
import type { StoredMemory } from "../../../infrastructure/storage/key-value.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import type { OpenedChat } from "../../../seam/surface/surface.ts";
import type { Surfaces } from "../../../seam/surface/surfaces.ts";
import type { ChatId, Platform, Receipt, UserId } from "../../../seam/values.ts";
import { deletedNotice } from "../../../seam/text/notices.ts";
import type { JobSummary } from "../../../seam/views.ts";
import type { Job } from "../job.ts";
import { summaryOf } from "../job-view.ts";
import { Line } from "../../../common/line.ts";
import { currentTime } from "../../../common/time.ts";

/** A message of a job that is deleted. */
export interface JobMessage {
  readonly platform: Platform;
  readonly receipt: Receipt;
  /** The group that it is in; null in private. */
  readonly chat: ChatId | null;
  /** What its platform knows the job by there. */
  readonly name: string;
}

/** One that is still to go. */
export interface DueMessage extends JobMessage {
  /** Whose it is; null once they are forgotten. */
  readonly user: UserId | null;
  readonly job: Pick<JobSummary, "operation" | "createdAt">;
  /** Whether nothing can be changed in its chat until that is open again. */
  readonly isClosed: boolean;
  /** When it is given up, in milliseconds since 1970. */
  readonly until: number;
}

/** As long as anybody may come back to a chat, in milliseconds. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** What an entry is called: a message, or a chat in which there may be some. Every message that is written asks for the latter. */
const MESSAGE = "message ";
const chatName = ({ user, chat }: { readonly user?: UserId | null; readonly chat?: ChatId | null }) =>
  `chat ${chat ?? user}`;

/** Takes away what was posted of deleted jobs; what cannot be reached, once it can. */
export class TakeBacks {
  readonly #memory: StoredMemory;
  readonly #surfaces: Pick<Surfaces, "all" | "names" | "of">;
  readonly #log: Pick<Logger, "warn">;
  /** Of one message, one try after the other. */
  readonly #line = new Line();

  constructor(
    memory: StoredMemory,
    surfaces: Pick<Surfaces, "all" | "names" | "of">,
    log: Pick<Logger, "warn">,
  ) {
    this.#memory = memory;
    this.#surfaces = surfaces;
    this.#log = log;
  }

  start(): void {}

  /** Waits for what is under way. */
  stop(): Promise<void> {
    return this.#line.idle();
  }

  /**
   * Writes down the messages of a job that is to go, for {@link take}: a crash after that leaves none of them standing.
   * @param transaction that erases the job; where that stays, nothing of it is taken away
   */
  async note(
    job: Job,
    messages: readonly JobMessage[],
    transaction?: Pick<Database, "kysely">,
  ): Promise<readonly DueMessage[]> {
    const entries = transaction ? this.#memory.within(transaction) : this.#memory;
    const { operation, createdAt } = summaryOf(job);
    const until = currentTime() + KEPT_MS;
    const dues = messages.map((message) => ({
      ...message,
      user: job.user,
      job: { operation, createdAt },
      isClosed: false,
      until,
    }));
    for (const due of dues) await entries.set(MESSAGE + due.name, due, KEPT_MS);
    return dues;
  }

  /** What else shows a job, such as lists on any platform, as far as they can be found there; beside its own message. */
  mentions({ id, user, surface }: Job): readonly JobMessage[] {
    return this.#surfaces.all.flatMap((other) => {
      const receipt = other.name === surface ? undefined : other.mentions(user, id);
      return receipt ? [{ platform: other.name, receipt, chat: null, name: `${id} ${other.name}` }] : [];
    });
  }

  /**
   * Says in messages that their job is deleted.
   * @returns how many are still there, and are tried again
   */
  async take(dues: readonly DueMessage[]): Promise<number> {
    let left = 0;
    for (const due of dues) if (!(await this.#try(due))) left += 1;
    return left;
  }

  /** Tries again what could not be taken away in a chat that is open again; without one, all but what is in closed ones. */
  async retry(chat?: OpenedChat): Promise<void> {
    if (chat) {
      const name = chatName(chat);
      if (!(await this.#memory.get(name))) return;
      // First, so that what fails meanwhile is found the next time.
      await this.#memory.delete(name);
    }
    for (const due of await this.#all()) if (chat ? isIn(due, chat) : !due.isClosed) await this.#try(due);
  }

  /**
   * Erases what is kept of a person. What they have in groups is still taken away, and names them no more.
   * @returns how many that are
   */
  async forget(user: UserId): Promise<number> {
    let left = 0;
    for (const due of await this.#all()) {
      if (due.user !== user) continue;
      const receipt = due.chat === null ? undefined : this.#unnamed(due);
      if (receipt) {
        await this.#change({ ...due, receipt, user: null });
        left += 1;
      } else await this.#memory.delete(MESSAGE + due.name);
    }
    await this.#memory.delete(chatName({ user }));
    return left;
  }

  #unnamed({ platform, receipt }: DueMessage): Receipt | undefined {
    return this.#surfaces.all.find(({ name }) => name === platform)?.unnamed(receipt);
  }

  /** Changes one that is not gone meanwhile. */
  #change({ name, until, ...news }: Partial<DueMessage> & Pick<DueMessage, "name" | "until">): Promise<void> {
    return this.#memory.change<DueMessage>(
      MESSAGE + name,
      (before) => before && { ...before, ...news },
      until - currentTime(),
    );
  }

  async #all(): Promise<readonly DueMessage[]> {
    const entries = await this.#memory.entries<DueMessage>();
    return entries.flatMap(([name, due]) => (name.startsWith(MESSAGE) ? due : []));
  }

  /** @returns whether it is gone */
  #try(due: DueMessage): Promise<boolean> {
    const { platform, receipt, name, job, until } = due;
    return this.#line.run(name, async () => {
      // Whichever process is connected to that platform tries.
      if (!this.#surfaces.names.includes(platform)) return false;
      try {
        await this.#surfaces.of(platform).revise(receipt, deletedNotice({ ...job, id: name, values: {} }));
      } catch (err) {
        this.#log.warn({ err, job: name }, "The message of a deleted job could not be replaced");
        const isClosed = asReelayError(err).code === "undeliverable";
        await this.#memory.keep(async () => {
          await this.#change({ name, until, isClosed });
          await this.#memory.set(chatName(due), true, until - currentTime());
        });
        return false;
      }
      await this.#memory.keep(() => this.#memory.delete(MESSAGE + name));
      return true;
    });
  }
}

/** Whether a message is in a chat. */
function isIn(
  { user, chat: group, receipt }: DueMessage,
  { user: whose, chat, at = {} }: OpenedChat,
): boolean {
  if (group !== (chat ?? null)) return false;
  if (whose !== undefined && user !== null && whose !== user) return false;
  return Object.entries(at).every(([part, value]) => receipt[part] === value);
}
