import {
  type APIModalInteractionResponseCallbackData,
  ComponentType,
  InteractionType,
  TextInputStyle,
} from "discord.js";
import type { Kind } from "../../../src/seam/browse/place.ts";
import { searchButton } from "../../../src/seam/browse/view.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { SEARCH_LENGTH } from "../commands/commands.ts";
import { fit } from "../messages/components.ts";
import type { Interaction } from "../context/interaction.ts";
import type { InteractionContext } from "../context/context.ts";
import { DISCORD } from "../api/limits.ts";
import { deliver } from "../messages/post.ts";

/** The one field of the modal. */
const WORDS = "words";

/** Asks for words; by a button where it is too late for a modal. */
export async function askForWords(context: InteractionContext, kind: Kind): Promise<void> {
  if (await context.reply.openModal(modalFor(context.say, kind))) return;
  const text = { key: "discord.search.ask" } as const;
  await deliver(context, context.address, { kind: "notice", text, actions: [searchButton(kind)] });
}

/** The words that were given; undefined where this is no answer to the question. */
export function wordsIn(interaction: Interaction): string | undefined {
  if (interaction.type !== InteractionType.ModalSubmit) return undefined;
  const fields = interaction.data.components.flatMap((one) =>
    one.type === ComponentType.Label ? [one.component] : [],
  );
  const field = fields.find(({ custom_id }) => custom_id === WORDS);
  return field?.type === ComponentType.TextInput ? field.value : undefined;
}

function modalFor(say: Translate, kind: Kind): APIModalInteractionResponseCallbackData {
  const component = {
    type: ComponentType.TextInput,
    custom_id: WORDS,
    style: TextInputStyle.Short,
    max_length: SEARCH_LENGTH,
  } as const;
  return {
    custom_id: searchButton(kind).token,
    title: fit(say("browse.search"), DISCORD.modal.title),
    components: [
      { type: ComponentType.Label, label: fit(say("discord.search.ask"), DISCORD.modal.label), component },
    ],
  };
}
