import { expireFiles, filesInJobs, forgetFiles, keepFile } from "../../src/seam/surface/kept-files.ts";
import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import type { Intake, Surface } from "../../src/seam/surface/surface.ts";
import type { Address, ChatId, Receipt, UserId } from "../../src/seam/values.ts";
import type { Form, Problem } from "../../src/seam/views.ts";
import { ReelayError } from "../../src/common/errors.ts";
import { atMost } from "../../src/common/time.ts";
import { MAX_PICTURE_BYTES } from "../../src/infrastructure/media/pictures/picture.ts";
import { OWN, ownFile } from "./files/own-files.ts";
import { DraftStore } from "./drafts/store.ts";
import { deliverView, type MessageChannel, reviseView } from "./messages/channel.ts";

/** How long a start waits for its platform before it goes on without, in milliseconds. */
const CONNECT_MS = 10_000;

interface Connected<A, R extends A> {
  readonly channel: MessageChannel<A, R>;
  /** Asks for what is missing. */
  collect(to: A, form: Form): Promise<void>;
  /** Where to post to somebody who did not ask. @throws as `Surface.reach` */
  reach(recipient: ChatId, group?: ChatId): Promise<A>;
  /** As `Surface.keyConnected`. */
  keyConnected(user: UserId): Promise<void>;
  /** What keeps what is made from being posted there; `unknown` where the platform does not tell; left out where nothing can. */
  lacking?(to: A, result: "video" | "image"): Promise<Problem | "unknown" | undefined>;
}

/** What is a chat platform's own in its surface. */
export interface ChatSurfaceParts<A extends Address, R extends A & Receipt> extends Pick<
  Surface,
  "name" | "limits" | "openMedia" | "ready"
> {
  readonly host: SurfaceHost;
  /** The platform's name as people write it. */
  readonly title: string;
  readonly addressOf: (address: Address) => A;
  readonly receiptOf: (receipt: Receipt) => R;
  /** As `Surface.unnamed`; left out where there are no groups. */
  readonly unnamed?: (receipt: R) => R | undefined;
  /**
   * Connects; tries as long as it takes.
   * @param onConnected is called before anything is dispatched: from then on something can be posted
   * @param signal gives it up
   */
  open(intake: Intake, onConnected: (connected: Connected<A, R>) => void, signal: AbortSignal): Promise<void>;
  /** What a failure of the platform's means; undefined for what is not the platform's. */
  readonly meaningOf: (error: unknown) => string | undefined;
  /** Ends what was opened, also while it still opens. */
  close(): Promise<void>;
  /** What is kept of people beside drafts and files. */
  readonly kept: readonly Pick<Surface, "expire" | "forget">[];
  /** How the ids of files in the data folder begin; as `keepOwn` makes them, unless given. */
  readonly ownMark?: string;
}

/** Makes a surface of a chat platform. */
export function createChatSurface<A extends Address, R extends A & Receipt>(
  parts: ChatSurfaceParts<A, R>,
): Surface {
  const { host, name, title, limits, addressOf, receiptOf, ownMark = OWN } = parts;
  const { files, log } = host;
  const memory = host.memory(name);
  const drafts = new DraftStore(memory);
  const kept = [drafts, ...parts.kept];
  const stop = new AbortController();
  let opened: (Connected<A, R> & { readonly intake: Intake }) | undefined;

  const connected = () => {
    if (!opened) throw new Error(`${title} was not reached yet.`);
    return opened;
  };

  /** What the platform does not take is known to the core by its code, whatever the platform calls it. */
  const taken = async <T>(posting: Promise<T>): Promise<T> => {
    try {
      return await posting;
    } catch (cause) {
      if (cause instanceof ReelayError || parts.meaningOf(cause) === undefined) throw cause;
      throw new ReelayError("not_posted", {}, { cause });
    }
  };

  return {
    name,
    limits,
    tellsIn: "platform",

    async start(intake) {
      const opening = parts.open(intake, (one) => (opened = { ...one, intake }), stop.signal);
      if (await atMost(CONNECT_MS, opening)) return;
      // The other platforms are there without it; it is tried on.
      opening.catch((err: unknown) => {
        if (!stop.signal.aborted) log.error({ err }, `${title} could not be started`);
      });
    },

    deliver: async (to, view) => taken(deliverView(connected().channel, addressOf(to), view, stop.signal)),
    revise: async (receipt, view) =>
      taken(reviseView(connected().channel, receiptOf(receipt), view, stop.signal)),
    unnamed: (receipt) => parts.unnamed?.(receiptOf(receipt)),
    // Lists are not noted: platforms offer no way to find them again.
    mentions: () => undefined,
    digestIn: () => undefined,
    collect: async (to, form) => taken(connected().collect(addressOf(to), form)),
    keyConnected: async (user) => taken(connected().keyConnected(user)),
    openMedia: (ref) => parts.openMedia(ref),

    async checkRights(to, result) {
      const why = await connected().lacking?.(addressOf(to), result);
      if (why === "unknown") return why;
      if (why) throw new ReelayError(why.code, why.params);
      return "granted";
    },

    async keepPicture({ user }, { content }) {
      const { id, bytes } = await keepFile({ host, memory }, user, content, MAX_PICTURE_BYTES);
      return { surface: name, id: ownMark + id, bytes };
    },

    async forget(user) {
      for (const one of kept) await one.forget(user);
      await forgetFiles(memory, files, user);
    },

    // What is old goes once the platform was reached, and in an hour again.
    async expire(before) {
      if (!opened) return;
      const { jobs } = opened.intake;
      for (const one of kept) await one.expire(before);
      await expireFiles(memory, files, before, async (owner) => {
        const ids = [...(await filesInJobs(jobs, owner)), ...(await drafts.filesOf(owner))];
        return new Set(ids.flatMap((id) => ownFile(id, ownMark) ?? []));
      });
    },

    reach: async (recipient, group) => connected().reach(recipient, group),
    ready: () => opened !== undefined && !stop.signal.aborted && parts.ready(),

    async stop() {
      stop.abort();
      await parts.close();
    },
  };
}
