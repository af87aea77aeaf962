import type { ResultView } from "../../src/chat/views.ts";
import { ReelayError } from "../../src/errors.ts";
import { translator } from "../../src/i18n.ts";
import type { DiscordAddress, DiscordReceipt } from "./address.ts";
import type { Office } from "./desk.ts";
import { change, linkTo } from "./posted.ts";
import { ifReached } from "./reach.ts";
import { bodyOf, plain, said } from "./render.ts";
import { ResultDelivery, type ResultParts, shownAt } from "./results-delivery.ts";
import { withFiles } from "./results-files.ts";
import { type Delivery, deliveryOf, keepDelivery } from "./results-memory.ts";
import { scratchOf } from "./scratch.ts";
import { tell } from "./tell.ts";
import { letStand } from "./withheld.ts";

/**
 * Posts a finished job with its files. A result that is shown already is pointed at instead: somebody asked to see it
 * again, or a crash left unknown that it is.
 * @param at where it was asked for, or the message that shows how far it is
 * @throws TakesNoForm after saying where it waits; OutOfReach when it can be shown nowhere
 */
export async function sendResult(
  office: Office,
  at: DiscordAddress | DiscordReceipt,
  view: ResultView,
  signal?: AbortSignal,
): Promise<DiscordReceipt> {
  const { id } = view.job;
  const before = await deliveryOf(office.memory, id);
  if (before && isReview(at, before)) return showCopy(office, at, view, signal);
  if (before) await letStand(office.memory, before);
  if (before?.complete && (await pointAt(office, at, before.receipt, view))) return before.receipt;
  const begun = before?.complete ? undefined : before;
  const keep = (delivery: Delivery) => keepDelivery(office.memory, id, delivery);
  return bring({ office, at, view, begun, keep, signal });
}

/** Whether somebody looks at what was shown to others, or at what nobody is to see. */
function isReview(at: DiscordAddress | DiscordReceipt, { receipt, withheld }: Delivery): boolean {
  return at.user !== receipt.user || (withheld === true && !("message" in at));
}

/** Shows it to them alone; what others see of it stays as it is, and so does what is remembered of that. */
function showCopy(
  office: Office,
  at: DiscordAddress | DiscordReceipt,
  view: ResultView,
  signal: AbortSignal | undefined,
): Promise<DiscordReceipt> {
  const alone = { ...at, secret: true };
  return bring({
    office,
    at: alone,
    view: { ...view, balance: null },
    begun: undefined,
    keep: async () => {},
    signal,
  });
}

function bring(parts: Omit<ResultParts, "files">): Promise<DiscordReceipt> {
  const { office, view, signal } = parts;
  if (view.media.length === 0) throw new ReelayError("result_gone");
  return withFiles(view.media, { dir: scratchOf(office.host), signal }, (files) =>
    new ResultDelivery({ ...parts, files }).finish(),
  );
}

/** Says where it is shown, to the person alone. Returns false where that is gone, or cannot be seen to be there. */
async function pointAt(
  office: Office,
  at: DiscordAddress,
  shown: DiscordReceipt,
  view: ResultView,
): Promise<boolean> {
  const say = translator(at.locale);
  const { components = [] } = bodyOf(say, shownAt(shown, view));
  if (!(await ifReached(() => change(office, shown, () => ({ components }))))) return false;
  // Whoever cannot be told finds it where it is.
  await ifReached(() => tell(office, at, said(`${plain(say("view.shown"))} ${linkTo(shown)}`)));
  return true;
}
