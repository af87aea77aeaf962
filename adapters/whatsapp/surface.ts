import type { SurfaceHost } from "../../src/seam/surface/host.ts";
import type { Surface } from "../../src/seam/surface/surface.ts";
import type { MediaRef } from "../../src/seam/values.ts";
import type { DispatcherParts } from "../kit/pipeline/dispatcher.ts";
import { WebhookHearing } from "../kit/pipeline/hearing.ts";
import { Inbox } from "../kit/pipeline/inbox.ts";
import { mountSignedWebhook } from "../kit/pipeline/signed-webhook.ts";
import { persistently } from "../kit/pipeline/connection.ts";
import { repliedIn } from "../kit/handlers/noted.ts";
import { openedHandler } from "../kit/handlers/opened.ts";
import { WaitingPictures } from "../kit/handlers/together.ts";
import { Holders } from "../kit/messages/holders.ts";
import { ChatNotes } from "../kit/messages/notes.ts";
import { Windows } from "../kit/messages/windows.ts";
import { Arrivals } from "../kit/results/arrivals.ts";
import { LostAnswers } from "../kit/messages/told.ts";
import { createChatSurface } from "../kit/surface.ts";
import { othersOver } from "../kit/throttle/others.ts";
import { CloudApi, type Pace, PLATFORM, WEBHOOK_PATH } from "./api/client.ts";
import { hindranceOfCode, meaningOf } from "./api/errors.ts";
import {
  addressIn,
  addressOf,
  type WhatsAppContext,
  contextAt,
  NAME,
  reach,
  receiptOf,
  type Services,
  userOf,
  type WhatsAppAddress,
  type WhatsAppReceipt,
} from "./context/context.ts";
import { openMedia, pictureIn } from "./context/media.ts";
import { chatOf, isLeaving, nameOf, timeOf, type WhatsAppUpdate, updatesIn } from "./context/update.ts";
import { goOn, keysHandler } from "./handlers/keys.ts";
import { telling } from "./handlers/platform.ts";
import { handlers, takenBack } from "./handlers/sent.ts";
import { LIMITS, WHATSAPP } from "./api/limits.ts";
import { channelOf, drafts } from "./messages/channel.ts";
import { deliveriesIn } from "./messages/results.ts";

/** How long Meta may call with the same again, in milliseconds: it tries for up to seven days. */
const REPEATED_MS = 7 * 24 * 3_600_000;

type Dispatching = Omit<DispatcherParts<WhatsAppUpdate, WhatsAppContext>, "log" | "inbox" | "isOurs">;

const HANDLERS = [takenBack, openedHandler, keysHandler(handlers.map(telling))];

/**
 * WhatsApp, by one number.
 * @param pace how fast messages may follow each other; slower or faster only where the limits are
 */
export function createWhatsAppSurface(host: SurfaceHost, pace: Pace = WHATSAPP): Surface {
  const { config, files, log, routes } = host;
  const { whatsapp } = config;
  if (!whatsapp) throw new Error("There is no token for WhatsApp.");
  const memory = host.memory(NAME);
  const notes = new ChatNotes(memory);
  const windows = new Windows(memory, WHATSAPP.windowMs);
  const kept = { notes, windows, holders: new Holders({ log, memory, notes, windows }) };
  const role = host.role(NAME);
  const api = new CloudApi(whatsapp, new LostAnswers(notes), pace, othersOver(NAME, host.bell, role));
  const open = (ref: MediaRef) => openMedia({ api, files }, ref);
  let hearing: WebhookHearing<WhatsAppUpdate, WhatsAppContext> | undefined;
  mountSignedWebhook<WhatsAppUpdate>(routes, {
    path: WEBHOOK_PATH,
    secret: whatsapp.appSecret,
    verifyToken: whatsapp.verifyToken,
    // Meta gathers up to 3 MB.
    maxBytes: 4 * 2 ** 20,
    updatesIn: (body, onUnfit) => updatesIn(body, whatsapp.phoneNumberId, kept.holders.chatOf, onUnfit),
    log,
    taker: () => hearing?.taker,
  });

  return createChatSurface<WhatsAppAddress, WhatsAppReceipt>({
    name: NAME,
    title: PLATFORM.title,
    host,
    limits: LIMITS,
    addressOf,
    receiptOf,
    meaningOf,
    kept: [deliveriesIn(memory), ...Object.values(kept)],
    openMedia: open,
    ready: () => hearing?.isOpen === true && api.isKnown,

    async open(intake, onConnected, signal) {
      await persistently(PLATFORM, () => api.number(signal), { log, signal });
      const services: Services = {
        host,
        memory,
        intake,
        api,
        ...kept,
        pictures: new WaitingPictures(),
        arrivals: new Arrivals({ notes, windows, intake, deliveries: deliveriesIn(memory) }),
        openMedia: open,
      };
      onConnected({
        channel: channelOf(services),
        collect: (to, form) => drafts.collect(contextAt(services, to), form),
        reach: (recipient, group) => reach(services, recipient, group),
        keyConnected: async (user) => goOn(contextAt(services, await reach(services, user))),
      });
      const inbox = new Inbox<WhatsAppUpdate>({ memory: host.sealed(NAME), nameOf, repeatedMs: REPEATED_MS });
      hearing = new WebhookHearing({ name: NAME, host, role, inbox, dispatching: dispatchingOf(services) });
      await hearing.start();
    },

    async close() {
      await hearing?.stop();
      api.stop();
    },
  });
}

const isPicture = (update: WhatsAppUpdate) =>
  update.kind === "message" && pictureIn(update.message) !== undefined;

/** Leads what people send to its handlers, and hears how far what was sent to them has come. */
function dispatchingOf(services: Services): Dispatching {
  const { api, holders, host, pictures } = services;
  return {
    handlers: HANDLERS,
    // What is told of messages waits for nothing that people do.
    senderOf: (update) => ({ person: `${update.kind}:${chatOf(update)}`, chat: chatOf(update) }),
    async accept(update) {
      if (isPicture(update)) pictures.begin(chatOf(update));
      if (update.kind === "status") {
        const { id, biz_opaque_callback_data: name } = update.status;
        if (name !== undefined) await api.told.hear(chatOf(update), name, id);
        return () => hearStatus(services, update);
      }
      if (isLeaving(update.message)) return () => holders.leave(chatOf(update)).then(() => undefined);
      if (!update.message.revoke)
        api.read(update.message.id, (err) => host.log.debug({ err }, "A message was not marked as read"));
      return () => contextFor(services, update);
    },
    left: (update) => {
      if (isPicture(update)) pictures.end(chatOf(update));
    },
    levelOf: (error) => (meaningOf(error) === undefined ? "error" : "warn"),
  };
}

/**
 * What is chosen is answered by itself; everything else answers the message that asks for it. What answers something of ours is for the
 * draft that stands, whichever of its messages that is.
 */
async function contextFor(
  services: Services,
  update: WhatsAppUpdate & { kind: "message" },
): Promise<WhatsAppContext> {
  const { holders, notes, windows } = services;
  const { message } = update;
  await holders.hear(message.from, message.from_user_id);
  const until = message.revoke ? 0 : await windows.hear(message.from, timeOf(update));
  const address = { ...(await addressIn(services, message.from)), until };
  const isAnswered = !["interactive", "button", "revoke"].includes(message.type);
  const at = isAnswered ? { ...address, replyTo: message.id } : address;
  const replied = await repliedIn(notes, message.from, message.context?.id);
  return { ...contextAt(services, at, { name: nameOf(update), message }), replied };
}

/** Hears how far a message of ours has come: that is nothing that anybody did. */
async function hearStatus(
  { api, arrivals, holders, host }: Services,
  { status: { id, status, recipient_id: chat, errors } }: WhatsAppUpdate & { kind: "status" },
) {
  const user = userOf({ chat, nth: await holders.now(chat) });
  if (status === "delivered" || status === "read") await arrivals.arrived(user, id);
  if (status !== "failed") return undefined;
  const code = errors?.[0]?.code ?? 131_000;
  host.log.warn({ code }, "WhatsApp could not bring a message");
  api.hearFailed(chat, code);
  await arrivals.failed(user, id, hindranceOfCode(code));
  return undefined;
}
