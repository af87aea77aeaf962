import { type APIMessage, ComponentType, MessageFlags } from "discord.js";
import type { DiscordAddress } from "./address.ts";
import type { Api, MessageBody } from "../api/api.ts";
import { meaningOf } from "../api/errors.ts";

/**
 * Posts a further message in an interaction. Where its answer is lost it is looked for in the channel: one that nobody
 * knows of would promise something for good. What only one person sees, and what stands where the bot itself is not,
 * cannot be looked for.
 * @throws what `Api.followUp` does; then it is not known to be there
 */
export async function followUp(api: Api, address: DiscordAddress, body: MessageBody): Promise<APIMessage> {
  try {
    return await api.followUp(address.asked, body);
  } catch (error) {
    if (meaningOf(error) !== "down") throw error;
    const found = await findPosted(api, address, body).catch(() => undefined);
    if (!found) throw error;
    return found;
  }
}

/** The newest message of an interaction that says the same. */
async function findPosted(
  api: Api,
  { channel, present, asked }: DiscordAddress,
  body: MessageBody,
): Promise<APIMessage | undefined> {
  const isEphemeral = ((body.flags ?? 0) & MessageFlags.Ephemeral) !== 0;
  if (isEphemeral || !present) return undefined;
  const words = wordsIn(body.components);
  return (await api.newest(channel)).find(
    (message) => message.interaction_metadata?.id === asked.id && wordsIn(message.components) === words,
  );
}

/** What components say; Discord takes the spaces around it away. */
const wordsIn = (components: MessageBody["components"]): string =>
  (components ?? [])
    .flatMap((one) => {
      if (one.type === ComponentType.TextDisplay) return one.content.trim();
      return one.type === ComponentType.Container || one.type === ComponentType.Section
        ? wordsIn(one.components)
        : [];
    })
    .join("\n");
