import { expect } from "vitest";
import { reviseView } from "../../../adapters/kit/messages/channel.ts";
import type { DiscordAddress, DiscordReceipt } from "../../../adapters/discord/context/address.ts";
import type { Services, InteractionContext } from "../../../adapters/discord/context/context.ts";
import { channelOf } from "../../../adapters/discord/messages/post.ts";
import { pingHandler } from "../../../adapters/discord/handlers/ping.ts";
import { telling } from "../../../adapters/discord/handlers/platform.ts";
import { said } from "../../../adapters/discord/messages/render.ts";
import { withheldHandler } from "../../../adapters/discord/messages/withheld.ts";
import type { Channel, ChannelOptions } from "../../support/discord/channel.ts";
import type { Person } from "../../support/discord/person.ts";
import type { DiscordLimits } from "../../support/discord/limits.ts";
import type { View } from "../../../src/seam/views.ts";
import { desk } from "./context-harness.ts";

/** Replaces what was posted, as the surface does. */
export const revise = (services: Services, receipt: DiscordReceipt, view: View, signal?: AbortSignal) =>
  reviseView(channelOf(services), receipt, view, signal);

/** Conversations of a few seconds: Discord does not mind how fast they go. */
const PATIENT = { globalRequests: 10_000, channelRequests: 10_000, webhookRequests: 10_000 };

/** How long a token lives, and a little. */
export const TOKEN_MS = 15 * 60_000 + 1;

/** What may differ. */
interface ResultsOptions extends ChannelOptions {
  readonly limits?: Partial<DiscordLimits>;
  /** Whether the bot itself is in the server; where it is not, Ann has installed it for herself. */
  readonly present?: boolean;
}

/** Ann is in a server, with Bob who sees what all see. `await using` stops it. */
export async function harness({ limits, present = true, ...channelOptions }: ResultsOptions = {}) {
  const contexts: InteractionContext[] = [];
  const carried = await desk({
    limits: { ...PATIENT, ...limits },
    async handler(context) {
      await withheldHandler(context);
      if (await telling(pingHandler)(context)) return true;
      contexts.push(context);
      await context.reply.tell(said("Costs 2.7 tokens."));
      return true;
    },
  });
  const { discord } = carried;
  const ann = discord.person({ name: "Ann", installed: !present });
  const bob = discord.person({ name: "Bob" });
  const guild = discord.guild({ name: "Films", bot: present });
  const channel = guild.channel(channelOptions);
  bob.joins(channel);

  /** Ann, or whoever else it is, asks for something. @returns where that is answered */
  async function asks(where: { by?: Person; in?: Channel; secret?: boolean } = {}) {
    const { by = ann, in: there = channel, secret = false } = where;
    await by.uses("/go", {}, { in: there });
    await expect.poll(carried.left).toEqual([]);
    const context = contexts.at(-1);
    if (!context) throw new Error("Nobody came.");
    const address: DiscordAddress = { ...context.address, secret };
    const services: Services = context;
    return { context, services, address };
  }

  return {
    ...carried,
    ann,
    bob,
    guild,
    channel,
    asks,
    /** What the bot has said to all, as Bob sees it; and what of it has files. */
    said: () => bob.chat({ in: channel }),
    shown: () => bob.chat({ in: channel }).filter(({ files }) => files.length > 0),
  };
}

/** The same services, where people can reach our server. */
export function reachable(services: Services): Services {
  const { host } = services;
  return { ...services, host: { ...host, config: { ...host.config, publicUrl: "https://reelay.example" } } };
}
