import type { ResultView } from "../../../src/chat/views.ts";
import { ReelayError } from "../../../src/errors.ts";
import { translator } from "../../../src/i18n.ts";
import type { DiscordAddress, DiscordReceipt } from "../context/address.ts";
import type { Services } from "../context/context.ts";
import { change, linkTo } from "./posted.ts";
import { ifReached } from "../context/reach.ts";
import { bodyOf, plain, said } from "./render.ts";
import { ResultDelivery, shownAt } from "./results-delivery.ts";
import { withFiles } from "./results-files.ts";
import { deliveryOf, letStand } from "./results-memory.ts";
import { tell } from "./tell.ts";

/**
 * Posts a finished job with its files. A result that is shown already is pointed at instead: somebody asked to see it
 * again, or a crash left unknown that it is.
 * @param at where it was asked for, or the message that shows how far it is
 * @throws TakesNoForm after saying where it waits; OutOfReach when it can be shown nowhere
 */
export async function sendResult(
  services: Services,
  at: DiscordAddress | DiscordReceipt,
  view: ResultView,
  signal?: AbortSignal,
): Promise<DiscordReceipt> {
  const before = await deliveryOf(services.memory, view.job.id);
  if (before) await letStand(services.memory, before.receipt.message);
  if (before?.complete && (await pointAt(services, at, before.receipt, view))) return before.receipt;
  if (view.media.length === 0) throw new ReelayError("result_gone");
  const begun = before?.complete ? undefined : before;
  return withFiles(view.media, { dir: services.host.scratch, signal }, (files) =>
    new ResultDelivery({ services, at, view, files, begun, signal }).finish(),
  );
}

/** Says where it is shown, to the person alone. Returns false where that is gone, or cannot be seen to be there. */
async function pointAt(
  services: Services,
  at: DiscordAddress,
  shown: DiscordReceipt,
  view: ResultView,
): Promise<boolean> {
  const say = translator(at.locale);
  const { components = [] } = bodyOf(say, shownAt(shown, view));
  if (!(await ifReached(() => change(services, shown, () => ({ components }))))) return false;
  // Whoever cannot be told finds it where it is.
  await ifReached(() => tell(services, at, said(`${plain(say("view.shown"))} ${linkTo(shown)}`)));
  return true;
}
