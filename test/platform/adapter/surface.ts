import type { SurfaceHost } from "../../../src/seam/surface/host.ts";
import type { Surface } from "../../../src/seam/surface/surface.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { repeat } from "../../../src/common/time.ts";
import { ownFile } from "../../../adapters/kit/files/own-files.ts";
import { Dispatcher } from "../../../adapters/kit/pipeline/dispatcher.ts";
import { Inbox } from "../../../adapters/kit/pipeline/inbox.ts";
import { createChatSurface } from "../../../adapters/kit/surface.ts";
import { Refused, type Update } from "../chat/client.ts";
import { Api } from "./api.ts";
import { addressIn, addressOf, type Context, contextAt, NAME, receiptOf } from "./context.ts";
import { HANDLERS } from "./handlers.ts";
import { TAKES } from "./limits.ts";
import { channelOf, drafts } from "./messages.ts";
import { deliveriesIn } from "./results.ts";

/** How long the platform may tell of the same again, in milliseconds. */
const REPEATED_MS = 3_600_000;

/** A chat platform as small as it can be. @param url of its API */
export function createTestSurface(host: SurfaceHost, url: string): Surface {
  const { log, files } = host;
  const api = new Api(url);
  const memory = host.memory(NAME);
  const openMedia: Surface["openMedia"] = async ({ id }) => {
    const own = ownFile(id);
    const file = await (own === undefined ? api.open(id) : files.open(own));
    if (!file) throw new ReelayError("media_gone");
    return file;
  };
  let polling: Promise<void> | undefined;
  let dispatcher: Dispatcher<Update, Context> | undefined;

  return createChatSurface({
    name: NAME,
    title: "The test platform",
    host,
    limits: TAKES,
    addressOf,
    receiptOf,
    meaningOf: (error) => (error instanceof Refused ? "refused" : undefined),
    kept: [deliveriesIn(memory)],
    openMedia,
    ready: () => polling !== undefined,

    async open(intake, onConnected, signal) {
      const services = { host, memory, intake, api, openMedia };
      const inbox = new Inbox<Update>({
        memory: host.sealed(NAME),
        nameOf: ({ id }) => String(id).padStart(16, "0"),
        repeatedMs: REPEATED_MS,
      });
      const { take } = (dispatcher = new Dispatcher({
        log,
        inbox,
        handlers: HANDLERS,
        senderOf: ({ person }) => ({ person, chat: person }),
        accept: async (update) => async () => {
          const address = await addressIn(intake, update.person);
          const answered = update.pressed === undefined ? { ...address, replyTo: update.message } : address;
          return contextAt(services, answered, update);
        },
      }));
      onConnected({
        channel: channelOf(services),
        collect: (to, form) => drafts.collect(contextAt(services, to), form),
        reach: (recipient) => addressIn(intake, recipient.slice(NAME.length + 1)),
        async keyConnected(user) {
          const context = contextAt(services, await addressIn(intake, user.slice(NAME.length + 1)));
          await drafts.goOn(context, () => context);
        },
      });
      await dispatcher.open();
      let last = 0;
      const takeIn = async () => {
        const updates = await api.updates(last, signal);
        await take(updates);
        last = updates.at(-1)?.id ?? last;
      };
      const onFailure = (err: unknown) => log.warn({ err }, "The platform gave no updates; asking again");
      polling = repeat(takeIn, { signal, onFailure });
    },

    async close() {
      await polling;
      await dispatcher?.stop();
      api.stop();
    },
  });
}
