import type { SharedMemory } from "../../../common/memory.ts";
import { asReelayError } from "../../../common/errors.ts";
import type { Logger } from "../../../infrastructure/telemetry/telemetry.ts";
import type { OpenedChat } from "../../../seam/surface/surface.ts";
import type { Surfaces } from "../../../seam/surface/surfaces.ts";
import type { ChatId, Platform, Receipt, UserId } from "../../../seam/values.ts";
import type { JobSummary, NoticeView } from "../../../seam/views.ts";
import type { Job } from "../job.ts";
import { summaryOf } from "../job-view.ts";
import { Line } from "../../../common/line.ts";

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
interface Due extends JobMessage {
  readonly user: UserId;
  readonly job: Pick<JobSummary, "operation" | "createdAt">;
  /** Whether nothing can be changed in its chat until that is open again. */
  readonly isClosed: boolean;
}

/** As long as anybody may come back to a chat, in milliseconds. */
const KEPT_MS = 90 * 24 * 3_600_000;

/** What an entry is called: a message, or a chat in which there may be some. Every message that is written asks for the latter. */
const MESSAGE = "message ";
const chatName = ({ user, chat }: Pick<OpenedChat, "user" | "chat">) => `chat ${chat ?? user}`;

/** What is shown instead of a job that is gone. */
export const deletedNotice = (job: JobSummary): NoticeView => ({
  kind: "notice",
  text: { key: "job.deleted" },
  job,
});

/** Takes away what was posted of deleted jobs; what cannot be reached, once it can. */
export class TakeBacks {
  readonly #memory: SharedMemory;
  readonly #surfaces: Pick<Surfaces, "names" | "of">;
  readonly #log: Pick<Logger, "warn">;
  /** Of one message, one try after the other. */
  readonly #line = new Line();

  constructor(memory: SharedMemory, surfaces: Pick<Surfaces, "names" | "of">, log: Pick<Logger, "warn">) {
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
   * Says in the messages of a job that it is deleted. They are written down first: a crash leaves none of them standing.
   * @returns how many are still there, and are tried again
   */
  async take(job: Job, messages: readonly JobMessage[]): Promise<number> {
    const { operation, createdAt } = summaryOf(job);
    let left = 0;
    for (const message of messages) {
      const due = { ...message, user: job.user, job: { operation, createdAt }, isClosed: false };
      await this.#memory.set(MESSAGE + due.name, due, KEPT_MS);
      if (!(await this.#try(due))) left += 1;
    }
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

  /** Erases what is kept of a person. */
  async forget(user: UserId): Promise<void> {
    for (const due of await this.#all()) if (due.user === user) await this.#memory.delete(MESSAGE + due.name);
    await this.#memory.delete(chatName({ user }));
  }

  async #all(): Promise<readonly Due[]> {
    const entries = await this.#memory.entries<Due>();
    return entries.flatMap(([name, due]) => (name.startsWith(MESSAGE) ? due : []));
  }

  /** @returns whether it is gone */
  #try(due: Due): Promise<boolean> {
    const { platform, receipt, name, job } = due;
    return this.#line.run(name, async () => {
      // Whichever process is connected to that platform tries.
      if (!this.#surfaces.names.includes(platform)) return false;
      try {
        await this.#surfaces.of(platform).revise(receipt, deletedNotice({ ...job, id: name, values: {} }));
        await this.#memory.delete(MESSAGE + name);
        return true;
      } catch (err) {
        this.#log.warn({ err, job: name }, "The message of a deleted job could not be replaced");
        const isClosed = asReelayError(err).code === "undeliverable";
        await this.#memory.change<Due>(
          MESSAGE + name,
          (before) => before && { ...before, isClosed },
          KEPT_MS,
        );
        await this.#memory.set(
          chatName({ user: due.user, ...(due.chat !== null && { chat: due.chat }) }),
          true,
          KEPT_MS,
        );
        return false;
      }
    });
  }
}

/** Whether a message is in a chat. */
function isIn({ user, chat: group, receipt }: Due, { user: whose, chat, at = {} }: OpenedChat): boolean {
  if (group !== (chat ?? null) || (whose !== undefined && whose !== user)) return false;
  return Object.entries(at).every(([part, value]) => receipt[part] === value);
}
