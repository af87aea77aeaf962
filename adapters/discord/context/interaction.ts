import {
  type APIApplicationCommandAutocompleteInteraction,
  type APIApplicationCommandInteraction,
  type APIMessageComponentInteraction,
  type APIModalSubmitInteraction,
  type ChannelType,
  Constants,
} from "discord.js";

/** What a person did that is answered with messages. */
export type Interaction =
  | APIApplicationCommandInteraction
  | APIMessageComponentInteraction
  | APIModalSubmitInteraction;

/** The same, and what they type into an option. */
export type AnyInteraction = Interaction | APIApplicationCommandAutocompleteInteraction;

/** The mark of drafts' buttons that open a modal, and of modals. */
export const FORM = "f";

/** What a pressed button, a menu or a modal carries. */
export const tokenOf = ({ data }: Interaction) => ("custom_id" in data ? data.custom_id : undefined);

const THREADS: ReadonlySet<ChannelType> = new Set(Constants.ThreadChannelTypes);

/** A post of a forum is a thread, too. */
export const isThread = ({ type }: { readonly type: ChannelType }) => THREADS.has(type);
