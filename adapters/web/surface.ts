import { z } from "zod";
import type { OperatorHost, SurfaceHost } from "../../src/seam/surface/host.ts";
import { isAlreadyBegun, isDeletedNotice } from "../../src/seam/text/notices.ts";
import type { Intake, Surface } from "../../src/seam/surface/surface.ts";
import type { UserId } from "../../src/seam/values.ts";
import type { View } from "../../src/seam/views.ts";
import { ReelayError } from "../../src/common/errors.ts";
import { lookAgain } from "../../src/common/time.ts";
import { Asides } from "./asides.ts";
import type { Conversation } from "./conversation.ts";
import { Conversations } from "./conversations.ts";
import { type Arrived, arrivedRequests } from "./serving/arrived.ts";
import { Presses } from "./serving/presses.ts";
import { mountPages } from "./pages.ts";
import { askedAt, isOperators, OPERATOR, personOf, userAt } from "./person.ts";
import { createStore } from "./store.ts";
import { LIMITS } from "./limits.ts";
import { isForGood, settled, takesAll, withoutJob, withWayOut } from "./rewriting.ts";
import type { StoredView } from "./wire.ts";

/** How often it is looked for what people pressed for in a process that is gone, in milliseconds. */
const LOOK_MS = 5_000;

const receiptSchema = z.looseObject({ id: z.string() });

/** The pages, the operator's and everybody's: chats in the browser, on the one HTTP server of the process. */
export function createWebSurface(host: SurfaceHost, forOperators: OperatorHost): Surface {
  const conversations = new Conversations(host);
  const failed = (err: unknown) => host.log.error({ err }, "What was pressed came to no end");
  const asides = new Asides(failed);
  const stop = new AbortController();
  const unread = (err: unknown) => {
    if (!stop.signal.aborted) host.log.error({ err }, "Requests that were left could not be read");
  };
  const { store, storeFile } = createStore(host, stop.signal);
  let started: Intake | undefined;

  const intake = () => {
    if (!started) throw new Error("The page was used before it was started.");
    return started;
  };
  const runners = () => intake().runners;
  const arrived = arrivedRequests(host.memory("web"), runners);
  const presses = new Presses(host.memory("web"), {
    isForGood: (token) => isForGood(intake(), token),
    async press(origin, token) {
      const core = intake();
      if (takesAll(core, token)) await (await conversations.of(origin.user)).rewrite(settled(token));
      await core.act(origin, token);
    },
    runners,
    failed,
  });
  const parts = { conversations, arrived, presses, asides, intake, stopped: stop.signal };
  const { endSessions } = mountPages(host, forOperators, parts);

  /** A view as it is shown; its files are stored first, so that none is ever missing. */
  async function shown(conversation: Conversation, view: View): Promise<StoredView> {
    const stored = await store(conversation, view);
    // What is on its way still comes while it stops.
    return started ? withWayOut(started, stored) : stored;
  }

  /** Shows a view as the message with this id. */
  async function post(id: string, user: UserId, view: View): Promise<void> {
    const conversation = await conversations.of(user);
    await conversation.put(id, "reelay", await shown(conversation, view));
  }

  /** Looks for what people asked for and pressed in processes that are gone, and goes on with it: that may take long. */
  async function takeOver(core: Intake): Promise<void> {
    const each = Map.groupBy(await arrived.takeOver(), ({ origin }) => origin.user).values();
    const asked = Promise.all([...each].map((theirs) => goOnWith(core, theirs)));
    const pressed = await presses.takeOver();
    void asked.then(() => presses.goOn(pressed));
  }

  /** Goes on with what somebody asked for, in its order. */
  async function goOnWith(core: Intake, theirs: readonly Arrived[]): Promise<void> {
    for (const one of theirs) {
      try {
        const { origin, command, values, bubble, draft } = one;
        const conversation = await conversations.of(origin.user);
        const body = { kind: "request", command, values, ...(draft !== undefined && { draft }) } as const;
        await conversation.putNew(bubble, "person", body);
        await core.command(origin, command, values);
        await arrived.done(one);
      } catch (err) {
        // The next start tries again; others go on.
        host.log.error({ err }, "A request that was left did not go on");
      }
    }
  }

  return {
    name: "web",
    limits: LIMITS,
    tellsIn: "platform",

    async start(core) {
      await conversations.of(OPERATOR.user);
      started = core;
      // What it takes may be away for long: the page is there without it.
      void lookAgain(() => takeOver(core).catch(unread), LOOK_MS, stop.signal);
    },

    async deliver(to, view) {
      const user = userAt(to);
      const conversation = await conversations.of(user);
      const address = { ...personOf(user).address, ...askedAt(to) };
      const id = crypto.randomUUID();
      if (view.kind !== "result" && asides.take(to, await shown(conversation, view)))
        return { id, ...address };
      if (isAlreadyBegun(view)) {
        const stored = await store(conversation, view);
        return { id: await conversation.putOnce(id, "reelay", stored), ...address };
      }
      const job = "job" in view ? view.job?.id : undefined;
      const finished = job !== undefined && (await conversation.get(job))?.body.kind === "result";
      // What is said of a finished job later, such as a deletion that failed, does not take its result away.
      const repeated = view.kind === "result" || !finished;
      const own = job !== undefined && repeated ? job : id;
      await post(own, user, view);
      return { id: own, ...address };
    },

    async revise(receipt, view) {
      const { id } = receiptSchema.parse(receipt);
      const user = userAt(receipt);
      if (isDeletedNotice(view)) {
        const conversation = await conversations.known(user);
        const said = conversation && (await store(conversation, view));
        if (said) await conversation.rewrite(withoutJob({ id, said, ...askedAt(receipt) }));
      } else await post(id, user, view);
      return receipt;
    },

    async collect(to, form) {
      if (asides.take(to, { kind: "form", form })) return;
      const conversation = await conversations.of(userAt(to));
      await conversation.put(crypto.randomUUID(), "reelay", { kind: "form", form });
    },

    openMedia: (ref) => host.files.open(ref.id),

    unnamed: () => undefined,
    mentions: (user, job) => ({ id: job, ...personOf(user).address }),
    digestIn: () => undefined,
    async keepPicture(whose, { name, type, content }) {
      const conversation = await conversations.of(whose.user);
      return { surface: "web", ...(await storeFile(conversation, name, type, content)) };
    },

    // The page shows at once who pays, and keeps what was filled in.
    keyConnected: async () => {},
    checkRights: async () => "granted",

    async forget(user) {
      await arrived.forget(user);
      await presses.forget(user);
      await conversations.forget(user);
      if (!isOperators(user)) await endSessions(user);
    },
    expire: (before) => conversations.expire(before),

    async reach(recipient) {
      if (recipient !== OPERATOR.user) throw new ReelayError("undeliverable");
      return OPERATOR.address;
    },

    ready: () => started !== undefined,

    async stop() {
      started = undefined;
      stop.abort();
    },
  };
}
