import type { Memory } from "../../../src/common/memory.ts";
import type { NoticeView } from "../../../src/seam/views.ts";
import { translator } from "../../../src/common/i18n.ts";
import type { DiscordReceipt } from "../context/address.ts";
import type { MessageBody } from "../api/api.ts";
import type { Handler, Services } from "../context/context.ts";
import { meaningOf } from "../api/errors.ts";
import { change, isPublic, replacing } from "./posted.ts";
import { changeByPress, isOnlyWay, notePress } from "../context/pressed.ts";
import { ifReached, isOutOfReach, OutOfReach } from "../context/reach.ts";
import { bodyOf } from "./render.ts";
import { awaitedBy, awaitPress, deliveriesIn, type DiscordDelivery, letStand } from "./results-memory.ts";

/**
 * Takes a shown result away: a notice stands in its place; its files, its buttons and the links to it go. It may come back
 * there.
 * @param job its id
 * @throws OutOfReach where others see it and no way leads there: where the bot itself is not, more than 15 minutes after
 * the last press. Then the next press takes it away.
 */
export async function takeAway(
  services: Services,
  job: string,
  delivery: DiscordDelivery,
  notice: NoticeView,
): Promise<DiscordReceipt> {
  const { receipt, links = [] } = delivery;
  for (const link of links) await services.host.links.revoke(link);
  const body = replacing(bodyOf(translator(receipt.locale), notice));
  if (!(await ifReached(() => replace(services, receipt, body))) && isPublic(receipt)) {
    await awaitPress(services.memory, receipt, { job, body });
    throw new OutOfReach();
  }
  await noteTaken(services.memory, job, delivery);
  return receipt;
}

/** Presses that let a message be changed are noted; a result that waits for one to be taken away goes. */
export const withheldHandler: Handler = async (context) => {
  const { interaction, address, api, memory, reply } = context;
  if (!isOnlyWay(interaction, address)) return false;
  const awaited = await awaitedBy(memory, interaction.message.id);
  await notePress(memory, interaction);
  if (!awaited) return false;
  await reply.defer();
  await api.editReply(address.asked, "@original", awaited.body);
  const delivery = await deliveriesIn(memory).find(awaited.job);
  if (delivery) await noteTaken(memory, awaited.job, delivery);
  await letStand(memory, interaction.message.id);
  return false;
};

async function replace(services: Services, receipt: DiscordReceipt, body: MessageBody): Promise<void> {
  try {
    await change(services, receipt, () => body);
  } catch (error) {
    if (!isOutOfReach(error)) throw error;
    if (!isDeleted(error)) await changeByPress(services, receipt, body);
  }
}

/** Whether a message is away already, with or without its channel. */
function isDeleted(error: unknown): boolean {
  const meaning = meaningOf(error instanceof OutOfReach ? error.cause : error);
  return meaning === "message_gone" || meaning === "channel_gone";
}

/** Its message is there, and its files may come into it again. */
async function noteTaken(memory: Memory, job: string, { receipt, opening }: DiscordDelivery): Promise<void> {
  await deliveriesIn(memory).keep(job, { receipt, opening, complete: false, withheld: true });
}
