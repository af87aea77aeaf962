import { ComponentType } from "discord.js";
import type { NoticeView, View } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import { deliverView, type MessageChannel, type SaidView } from "../../kit/messages/channel.ts";
import type { MessageBody } from "../api/api.ts";
import type { DiscordAddress, DiscordReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { ifReached } from "../context/reach.ts";
import { withPlaces } from "./naming.ts";
import { cardOf } from "./card.ts";
import { change, isAlive, isPublic, remove, replacing } from "./posted.ts";
import { bodyOf, mediaOf } from "./render.ts";
import { deliveriesIn } from "./results-memory.ts";
import { sendResult } from "./results.ts";
import { publish, tell } from "./tell.ts";
import { takeAway } from "./withheld.ts";

/** Posts a view. Parameters and errors as for `deliverView`. */
export const deliver = (services: Services, to: DiscordAddress, view: View, signal?: AbortSignal) =>
  deliverView(channelOf(services), to, view, signal);

/** What Discord does with messages. */
export function channelOf(services: Services): MessageChannel<DiscordAddress, DiscordReceipt> {
  const { host, memory } = services;
  return {
    log: host.log,
    post: async (to, view) => send(services, to, await withPlaces(memory, view)),
    showResult: (at, view, signal) => sendResult(services, at, view, signal),
    showsResult: async (_, job) =>
      job !== undefined && (await deliveriesIn(memory).find(job))?.complete === true,
    takeBack: (receipt, why) => takeBack(services, receipt, why),

    async replace(receipt, view) {
      if (view.kind !== "problem" || !isPublic(receipt)) return replace(services, receipt, view);
      // What went wrong concerns the person alone.
      await ifReached(() => remove(services, receipt));
      const { replyTo: _, ...address } = receipt;
      return send(services, address, view);
    },

    async showProgress(receipt, view) {
      await change(services, receipt, () => messageOf(services, receipt, view));
    },
  };
}

/** Progress is for everybody, unless the address is secret; everything else for the person alone. */
async function send(services: Services, to: DiscordAddress, view: SaidView): Promise<DiscordReceipt> {
  const body = messageOf(services, to, view);
  if (view.kind === "progress") return publish(services, to, body);
  // A file is to be kept: nothing that is pressed next takes its place.
  if (view.kind === "file" && isAlive(to)) await services.replies.of(to).leavePressed();
  // However often a crash repeats it, a job fails once.
  const nonce = view.kind === "problem" && "message" in to && view.job ? `${view.job.id}-p` : undefined;
  return tell(services, to, body, nonce);
}

/** A view as a message, with its file where it is one: the core makes those small enough. */
function messageOf(services: Services, at: DiscordAddress, view: SaidView): MessageBody {
  const say = translator(at.locale);
  if (view.kind === "progress") return cardOf({ services, say, at }, view);
  const body = bodyOf(say, view);
  if (view.kind !== "file") return body;
  const { name, type, content } = view.file;
  const components = [...(body.components ?? []), { type: ComponentType.File, file: mediaOf(name) } as const];
  return { ...body, components, files: [{ name, contentType: type, data: Buffer.from(content) }] };
}

/** The last word on a job that is shown takes its result away. */
async function takeBack(
  services: Services,
  receipt: DiscordReceipt,
  why: NoticeView,
): Promise<DiscordReceipt> {
  const delivery = why.job && (await deliveriesIn(services.memory).find(why.job.id));
  if (why.job && (delivery?.complete || delivery?.withheld))
    return takeAway(services, why.job.id, delivery, why);
  return replace(services, receipt, why);
}

async function replace(services: Services, receipt: DiscordReceipt, view: SaidView): Promise<DiscordReceipt> {
  const body = messageOf(services, receipt, await withPlaces(services.memory, view));
  if (await ifReached(() => change(services, receipt, () => replacing(body)))) return receipt;
  return tell(services, receipt, body);
}
