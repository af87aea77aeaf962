import type { ResultView } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import { takeAsked } from "../../kit/results/asked-again.ts";
import { withResultFiles } from "../../kit/results/forms.ts";
import { type ResultChannel, showResult } from "../../kit/results/show-result.ts";
import { addressOf, type DiscordAddress, type DiscordReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { cardOf } from "./card.ts";
import { buttonRows } from "./components.ts";
import { change, linkTo } from "./posted.ts";
import { ifReached } from "../context/reach.ts";
import { plain, said } from "./render.ts";
import { ResultDelivery, shownAt } from "./results-delivery.ts";
import { deliveriesIn, type DiscordDelivery, letStand } from "./results-memory.ts";
import { tell } from "./tell.ts";

/**
 * Posts a finished job with its files, all in one message.
 * @param at where it was asked for, or the message that shows how far it is
 * @throws as `showResult`; OutOfReach when it can be shown nowhere
 */
export async function sendResult(
  services: Services,
  at: DiscordAddress | DiscordReceipt,
  view: ResultView,
  signal: AbortSignal | undefined,
): Promise<DiscordReceipt> {
  const { memory, host } = services;
  const channel: ResultChannel<DiscordAddress, DiscordReceipt, DiscordDelivery> = {
    deliveries: deliveriesIn(memory),
    receiptOf: (_, { receipt }) => receipt,
    pointAt: (place, shown) => pointAt(services, place, shown, view),
    async post(place, result, begun) {
      if (begun) await letStand(memory, begun.receipt.message);
      return withResultFiles(result.media, { dir: host.scratch, signal }, (files) =>
        new ResultDelivery({ services, at: place, view: result, files, begun, signal }).finish(),
      );
    },
  };
  const isShown = (await channel.deliveries.find(view.job.id))?.complete === true;
  const asked = isShown ? await takeAsked(memory, view.job.id, at.user) : undefined;
  return showResult(channel, asked ? addressOf(asked) : at, view);
}

/** Says where it is shown, to the person alone. Returns false where that is gone, or cannot be seen to be there. */
async function pointAt(
  services: Services,
  at: DiscordAddress,
  shown: DiscordReceipt,
  view: ResultView,
): Promise<boolean> {
  await letStand(services.memory, shown.message);
  const say = translator(at.locale);
  const { shown: files, opening } = (await deliveriesIn(services.memory).find(view.job.id)) ?? {};
  const parts = { services, say: translator(shown.locale), at: shown };
  const body = files
    ? cardOf({ ...parts, files, ...(opening !== undefined && { opening }) }, shownAt(shown, view))
    : { components: buttonRows(parts.say, shownAt(shown, view).actions) };
  if (!(await ifReached(() => change(services, shown, () => body)))) return false;
  // Whoever cannot be told finds it where it is.
  await ifReached(() => tell(services, at, said(`${plain(say("view.shown"))} ${linkTo(shown)}`)));
  return true;
}
