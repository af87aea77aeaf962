import type { View } from "../../../src/chat/views.ts";
import { translator } from "../../../src/i18n.ts";
import type { DiscordAddress, DiscordReceipt } from "../context/address.ts";
import type { MessageBody } from "../api/api.ts";
import type { Services } from "../context/context.ts";
import { change, isAlive, isPublic, remove, replacing } from "./posted.ts";
import { ifReached } from "../context/reach.ts";
import { bodyOf } from "./render.ts";
import { sendResult } from "./results.ts";
import { deliveryOf } from "./results-memory.ts";
import { publish, tell } from "./tell.ts";
import { takeAway } from "./withheld.ts";

/** Everything but a result, which has files to be brought. */
type Told = Exclude<View, { kind: "result" }>;

type Of<Kind extends View["kind"]> = Extract<View, { kind: Kind }>;

/**
 * Posts a view: progress and results for everybody, unless the address is secret; everything else for the person alone.
 * @param signal gives up what takes long, such as the file of a result
 * @throws ReelayError `undeliverable` when nothing leads to the person
 */
export async function deliver(
  services: Services,
  address: DiscordAddress,
  view: View,
  signal?: AbortSignal,
): Promise<DiscordReceipt> {
  if (view.kind === "result") return sendResult(services, address, view, signal);
  const body = messageOf(address, view);
  // A file is to be kept: nothing that is pressed next takes its place.
  if (view.kind === "file" && isAlive(address)) await services.replies.of(address).leavePressed();
  return view.kind === "progress" ? publish(services, address, body) : tell(services, address, body);
}

/** A view as a message, with its file where it is one: the core makes those small enough. */
function messageOf({ locale }: DiscordAddress, view: Told): MessageBody {
  const body = bodyOf(translator(locale), view);
  if (view.kind !== "file") return body;
  const { name, type, content } = view.file;
  const file = { name, contentType: type, data: Buffer.from(content) };
  return { ...body, files: [file], attachments: [{ id: "0", filename: name }] };
}

/**
 * Replaces what was posted. Errors as for {@link deliver}; that progress cannot be shown is none, because its result
 * comes all the same.
 */
export async function revise(
  services: Services,
  receipt: DiscordReceipt,
  view: View,
  signal?: AbortSignal,
): Promise<DiscordReceipt> {
  switch (view.kind) {
    case "result":
      return sendResult(services, receipt, view, signal);
    case "progress":
      return reviseProgress(services, receipt, view);
    case "problem":
      return reviseByProblem(services, receipt, view);
    case "notice":
      return reviseByNotice(services, receipt, view);
    case "menu":
    case "file":
      return reviseText(services, receipt, view);
    default:
      return view satisfies never;
  }
}

async function reviseProgress(
  services: Services,
  receipt: DiscordReceipt,
  view: Of<"progress">,
): Promise<DiscordReceipt> {
  // A process that was killed had posted the result, and did not come to writing that down.
  const delivery = await deliveryOf(services.memory, view.job.id);
  if (delivery?.complete) return receipt;
  const body = bodyOf(translator(receipt.locale), view);
  await change(services, receipt, () => body).catch((err: unknown) => {
    services.host.log.debug({ err, job: view.job.id }, "A job's progress was not shown");
  });
  return receipt;
}

/** What went wrong concerns the person alone. */
async function reviseByProblem(
  services: Services,
  receipt: DiscordReceipt,
  view: Of<"problem">,
): Promise<DiscordReceipt> {
  const delivery = view.job && (await deliveryOf(services.memory, view.job.id));
  if (!isPublic(receipt) && !delivery?.complete) return reviseText(services, receipt, view);
  // What is said of a finished job later does not take its result away.
  if (!delivery?.complete) await ifReached(() => remove(services, receipt));
  const body = bodyOf(translator(receipt.locale), view);
  const told = await tell(services, receipt, body, view.job && `${view.job.id}-p`);
  return delivery?.complete ? receipt : told;
}

/** The last word on a job that is shown takes its result away. */
async function reviseByNotice(
  services: Services,
  receipt: DiscordReceipt,
  view: Of<"notice">,
): Promise<DiscordReceipt> {
  const delivery = view.job && (await deliveryOf(services.memory, view.job.id));
  if (view.job && (delivery?.complete || delivery?.withheld))
    return takeAway(services, view.job.id, delivery, view);
  return reviseText(services, receipt, view);
}

async function reviseText(services: Services, receipt: DiscordReceipt, view: Told): Promise<DiscordReceipt> {
  const body = messageOf(receipt, view);
  // A file is for the person alone, wherever something stood before.
  if (view.kind === "file" && isPublic(receipt)) return tell(services, receipt, body);
  if (await ifReached(() => change(services, receipt, () => replacing(body)))) return receipt;
  return tell(services, receipt, body);
}
