import {
  type APIApplicationCommandOptionChoice,
  ApplicationCommandType,
  ComponentType,
  type InteractionResponseType,
  InteractionType,
  type Locale,
  MessageType,
} from "discord.js";
import type { PersonsFile } from "./attachment.ts";
import type { Channel } from "./channel.ts";
import { findCommand, offered, shownName } from "./command-menu.ts";
import { fillIn, nested, type OptionValues } from "./command-options.ts";
import { type Deed, Interaction } from "./interaction.ts";
import { filledIn, type FieldValue, type SeenModal, seenModal } from "./modal-form.ts";
import type { Post } from "./post.ts";
import { wireMessage } from "./post.ts";
import { Reader, type There, type Waiting } from "./reader.ts";
import { Resolved } from "./resolved.ts";
import { type Control, labelOf, seen, type SeenMessage } from "./seen.ts";
import { type Pick, picked } from "./select-menu.ts";
import type { World } from "./world.ts";

/** How the bot answered at first. */
export interface Answered {
  readonly kind: InteractionResponseType;
  /** The fake's milliseconds. */
  readonly acknowledgedAfter: number;
}

/** A button or menu by its whole label, by a part of it, or by anything else. */
export type ControlMatcher = string | RegExp | ((control: Control) => boolean);

/** Where a button or menu is: on a message as it was seen, or on the newest that has it. */
interface OnMessage extends Waiting, There {
  readonly on?: SeenMessage;
}

type Choice = APIApplicationCommandOptionChoice;

/** Somebody with a Discord client. */
export class Person extends Reader {
  /** Whether they have installed the app for themselves. */
  installed = false;
  #modal: { readonly opener: Interaction; readonly modal: SeenModal } | undefined;
  /** Names that autocomplete offered, with what they stand for. */
  readonly #suggested = new Map<string, string | number>();

  constructor(world: World, name: string, locale: Locale) {
    super(world, world.addPerson(name, locale), locale);
  }

  /** The conversation with the bot. */
  get conversation(): Channel {
    return this.world.conversation(this.user);
  }

  /** Takes no more messages of the bot's, but through interactions. */
  closesConversation(): void {
    this.conversation.closed = true;
  }

  opensConversation(): void {
    this.conversation.closed = false;
  }

  /** Joins a channel's server. Whoever does something there has joined. */
  joins({ guild }: Channel): void {
    guild?.members.set(this.user.id, this.user);
  }

  /** The names of the commands that are offered in a channel, as this person reads them. */
  commands({ in: channel = this.conversation }: There = {}): { name: string; description: string }[] {
    return offered(this.world, this, channel).map((one) => ({
      name: `${one.type === ApplicationCommandType.ChatInput ? "/" : ""}${shownName(one, this.locale)}`,
      description: one.description_localizations?.[this.locale] ?? one.description,
    }));
  }

  /** Writes a message. */
  async says(
    text: string,
    { in: channel = this.conversation, files = [] }: There & { readonly files?: readonly PersonsFile[] } = {},
  ): Promise<SeenMessage> {
    this.joins(channel);
    const stored = await Promise.all(
      files.map((file) => this.world.cdn.add(this.world.id(), `attachments/${channel.id}`, file)),
    );
    const post = this.world.add(
      channel,
      {
        content: text,
        embeds: [],
        components: [],
        files: stored.map((file) => ({ file, description: undefined })),
        flags: 0,
      },
      { author: this.user, type: MessageType.Default },
    );
    this.actedAt = this.world.tick;
    return seen(this.world, post);
  }

  /** Deletes a message: an own one, or any as a moderator does. */
  deletes(message: SeenMessage): void {
    this.world.remove(this.#find(message));
  }

  /**
   * Uses a command, "/make video", and waits for the first answer.
   * @param values by the names that this person reads
   * @throws Error for what a client would not send, and when the bot does not answer in time
   */
  async uses(
    command: string,
    values: OptionValues = {},
    { in: channel = this.conversation, ...waiting }: There & Waiting = {},
  ): Promise<Answered> {
    this.joins(channel);
    const found = findCommand(this.world, this, channel, command);
    const resolved = new Resolved(this.world, channel);
    const meant = Object.fromEntries(
      Object.entries(values).map(([name, value]) => [
        name,
        this.#suggested.get(`${command} ${name} ${String(value)}`) ?? value,
      ]),
    );
    const options = nested(found, await fillIn(found, meant, this.locale, resolved));
    const { id, name, type } = found.command;
    return this.#does(
      {
        type: InteractionType.ApplicationCommand,
        channel,
        name: [name, ...found.path.map((step) => step.name)].join(" "),
        data: { id, name, type, options, resolved: resolved.toJSON() },
      },
      waiting,
    );
  }

  /**
   * Types into an option, and waits for what is offered.
   * @param values of the options that are filled in already
   */
  async types(
    command: string,
    option: string,
    typed: string,
    {
      in: channel = this.conversation,
      values = {},
      ...waiting
    }: There & Waiting & { values?: OptionValues } = {},
  ): Promise<Choice[]> {
    this.joins(channel);
    const found = findCommand(this.world, this, channel, command);
    const resolved = new Resolved(this.world, channel);
    const others = await fillIn(found, values, this.locale, resolved, true);
    const [focused] = await fillIn(found, { [option]: typed }, this.locale, resolved, true);
    const asked = found.options.find(({ name }) => name === focused?.name);
    if (!focused || !asked || !("autocomplete" in asked) || !asked.autocomplete) {
      throw new Error(`The option ${option} suggests nothing.`);
    }
    const { id, name, type } = found.command;
    const options = nested(found, [...others, { ...focused, focused: true }]);
    const deed = {
      type: InteractionType.ApplicationCommandAutocomplete,
      channel,
      name: [name, ...found.path.map((step) => step.name)].join(" "),
      data: { id, name, type, options, resolved: resolved.toJSON() },
    };
    const { choices = [] } = await this.#acts(deed, waiting);
    const offers = choices.map((one) => ({ ...one, name: shownName(one, this.locale) }));
    for (const one of offers) this.#suggested.set(`${command} ${option} ${one.name}`, one.value);
    return offers;
  }

  /** Chooses a command from a message's menu. */
  async contextMenu(command: string, message: SeenMessage, waiting: Waiting = {}): Promise<Answered> {
    const post = this.#find(message);
    const { channel } = post;
    const { id, name, type } = findCommand(this.world, this, channel, command).command;
    const resolved = new Resolved(this.world, channel);
    const target = resolved.point(wireMessage(this.world, post));
    const data = { id, name, type, target_id: target, resolved: resolved.toJSON() };
    return this.#does({ type: InteractionType.ApplicationCommand, channel, name, data }, waiting);
  }

  /** Presses a button; waits until there is one, and for the answer. */
  async presses(button: ControlMatcher, where: OnMessage = {}): Promise<Answered> {
    const { post, control } = await this.#findControl(button, where);
    if (control.type !== ComponentType.Button || !("custom_id" in control)) {
      throw new Error(`${labelOf(control)} cannot be pressed.`);
    }
    const data = { component_type: control.type, custom_id: control.custom_id, id: 1 };
    return this.#operates(post, control.custom_id, data, where);
  }

  /** Picks from a menu: options by their labels, or channels and people. */
  async selects(
    menu: ControlMatcher,
    picks: Pick | readonly Pick[],
    where: OnMessage = {},
  ): Promise<Answered> {
    const { post, control } = await this.#findControl(menu, where);
    if (control.type === ComponentType.Button) throw new Error(`${labelOf(control)} is no menu.`);
    const resolved = new Resolved(this.world, post.channel);
    const values = await picked(
      {
        label: labelOf(control),
        least: control.min_values ?? 1,
        most: control.max_values ?? 1,
        options: "options" in control ? control.options : [],
      },
      [picks].flat() as readonly Pick[],
      resolved,
    );
    const { type: component_type, custom_id } = control;
    const data = { component_type, custom_id, id: 1, values, resolved: resolved.toJSON() };
    return this.#operates(post, custom_id, data, where);
  }

  /** The modal that is open: what it asks. */
  modal(): SeenModal | undefined {
    return this.#modal?.modal;
  }

  /**
   * Fills in the open modal and sends it.
   * @param values by the fields' labels or custom ids; what is left out stays as it was filled in
   */
  async submitsModal(values: Readonly<Record<string, FieldValue>>, waiting: Waiting = {}): Promise<Answered> {
    if (!this.#modal) throw new Error("No modal is open.");
    const { opener, modal } = this.#modal;
    const { channel, on } = opener.deed;
    const resolved = new Resolved(this.world, channel);
    const components = await filledIn(modal, values, resolved);
    const data = { custom_id: modal.customId, components, resolved: resolved.toJSON() };
    const deed = { type: InteractionType.ModalSubmit, channel, name: modal.customId, data, on };
    const answered = await this.#does(deed, waiting);
    this.#modal = undefined;
    return answered;
  }

  /** Closes the open modal without sending it: the bot is not told. */
  closesModal(): void {
    this.#modal = undefined;
  }

  #operates(post: Post, name: string, data: object, waiting: Waiting): Promise<Answered> {
    return this.#does(
      { type: InteractionType.MessageComponent, channel: post.channel, name, data, on: post },
      waiting,
    );
  }

  async #does(deed: Omit<Deed, "person" | "installed">, waiting: Waiting): Promise<Answered> {
    const { answer, acknowledgedAfter } = await this.#acts(deed, waiting);
    return { kind: answer as InteractionResponseType, acknowledgedAfter: acknowledgedAfter ?? 0 };
  }

  /** Sends an interaction to the bot, and waits until it is answered. */
  async #acts(deed: Omit<Deed, "person" | "installed">, { within }: Waiting): Promise<Interaction> {
    const { clock, limits } = this.world;
    const interaction = new Interaction(this.world, {
      ...deed,
      person: this.user,
      installed: this.installed,
    });
    this.world.interactions.set(interaction.token, interaction);
    this.actedAt = this.world.tick;
    this.world.onInteraction(interaction);
    const deadline = setTimeout(() => this.world.touch(), clock.real(limits.firstAnswerMs) + 5);
    const isSettled = () => interaction.isSettled || undefined;
    try {
      await this.until(isSettled, `an answer to ${deed.name}`, within);
    } finally {
      clearTimeout(deadline);
    }
    if (interaction.failed) {
      const why = interaction.refusal ? ` (${JSON.stringify(interaction.refusal)})` : "";
      throw new Error(`The application did not respond to ${deed.name}${why}`);
    }
    const { modal } = interaction;
    if (modal) this.#modal = { opener: interaction, modal: seenModal(modal) };
    return interaction;
  }

  async #findControl(matcher: ControlMatcher, { on, in: channel, within }: OnMessage) {
    const isWanted = wanted(matcher);
    const look = () =>
      (on ? [on] : this.chat(channel ? { in: channel } : {}).toReversed())
        .flatMap((message) => message.controls.flat().map((control) => ({ message, control })))
        .find(({ control }) => isWanted(control));
    const { message, control } = await this.until(look, `the button or menu ${String(matcher)}`, within);
    if (control.disabled) throw new Error(`${labelOf(control)} is greyed out.`);
    return { post: this.#find(message), control };
  }

  #find({ id, channelId }: SeenMessage): Post {
    const post = this.world.channels.get(channelId)?.posts.get(id);
    if (!post) throw new Error(`Message ${id} is gone.`);
    return post;
  }
}

const wanted = (matcher: ControlMatcher): ((control: Control) => boolean) => {
  if (typeof matcher === "function") return matcher;
  return (control) => {
    const label = labelOf(control);
    return typeof matcher === "string" ? label === matcher : new RegExp(matcher).test(label);
  };
};
