import {
  type APIApplicationCommandOptionChoice,
  ApplicationCommandType,
  ComponentType,
  InteractionType,
  type Locale,
  MessageType,
} from "discord.js";
import { Actor, type Answered } from "./actor.ts";
import type { PersonsFile } from "./attachment.ts";
import type { Channel } from "./channel.ts";
import { findCommand, offered, shownName } from "./command-menu.ts";
import { fillIn, nested, type OptionValue, type OptionValues } from "./command-options.ts";
import { type Post, wireMessage } from "./post.ts";
import type { There, Waiting } from "./reader.ts";
import { Resolved } from "./resolved.ts";
import { type Control, labelOf, seen, type SeenMessage } from "./seen.ts";
import { type Pick, picked } from "./select-menu.ts";
import type { AccountKind, World } from "./world.ts";

/** A button or menu by its whole label, by a part of it, or by anything else. */
export type ControlMatcher = string | RegExp | ((control: Control) => boolean);

/** Where a button or menu is: on a message as it was seen, or on the newest that has it. */
interface OnMessage extends Waiting, There {
  readonly on?: SeenMessage;
}

type Choice = APIApplicationCommandOptionChoice;

/** Somebody with a Discord client. */
export class Person extends Actor {
  /** Names that autocomplete offered, with what they stand for. */
  readonly #suggested = new Map<string, string | number>();

  constructor(world: World, name: string, locale: Locale, kind?: AccountKind) {
    super(world, world.addPerson(name, locale, kind), locale);
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
    {
      in: channel = this.conversation,
      files = [],
      replyTo,
    }: There & { readonly files?: readonly PersonsFile[]; readonly replyTo?: SeenMessage } = {},
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
      replyTo
        ? { author: this.user, type: MessageType.Reply, replyTo: this.#find(replyTo) }
        : { author: this.user, type: MessageType.Default },
    );
    this.actedAt = this.world.tick;
    return seen(this.world, post);
  }

  /** Writes a message of their own anew. */
  edits(message: SeenMessage, text: string): void {
    const post = this.#find(message);
    this.world.revise(post, { ...post.shown, content: text });
  }

  /** Has a message told to the bot once more, as a resumed connection may. */
  repeats(message: SeenMessage): void {
    this.world.repeat(this.#find(message));
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
      Object.entries(values).map(([option, value]) => [option, this.#meant(command, option, value)]),
    );
    const options = nested(found, await fillIn(found, meant, this.locale, resolved));
    const { id, name, type } = found.command;
    return this.does(
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
    const userAction = {
      type: InteractionType.ApplicationCommandAutocomplete,
      channel,
      name: [name, ...found.path.map((step) => step.name)].join(" "),
      data: { id, name, type, options, resolved: resolved.toJSON() },
    };
    const { choices = [] } = await this.acts(userAction, waiting);
    return choices.map((one) => {
      const shown = shownName(one, this.locale);
      this.#suggested.set(`${command} ${option} ${shown}`, one.value);
      return { name: shown, value: one.value };
    });
  }

  /** Chooses a command from a message's menu. */
  async contextMenu(command: string, message: SeenMessage, waiting: Waiting = {}): Promise<Answered> {
    const post = this.#find(message);
    const { channel } = post;
    const { id, name, type } = findCommand(this.world, this, channel, command).command;
    const resolved = new Resolved(this.world, channel);
    const target = resolved.point(wireMessage(this.world, post));
    const data = { id, name, type, target_id: target, resolved: resolved.toJSON() };
    return this.does({ type: InteractionType.ApplicationCommand, channel, name, data }, waiting);
  }

  /** Presses a button; waits until there is one, and for the answer. */
  async presses(button: ControlMatcher, where: OnMessage = {}): Promise<Answered> {
    const { post, control } = await this.#findControl(button, where);
    if (control.type !== ComponentType.Button || !("custom_id" in control)) {
      throw new Error(`${labelOf(control)} cannot be pressed.`);
    }
    const data = { component_type: control.type, custom_id: control.custom_id, id: control.id };
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
      [picks].flat(),
      resolved,
    );
    const { type: component_type, custom_id } = control;
    const data = { component_type, custom_id, id: control.id, values, resolved: resolved.toJSON() };
    return this.#operates(post, custom_id, data, where);
  }

  /** A suggestion is picked by its name. */
  #meant(command: string, option: string, value: OptionValue): OptionValue {
    if (typeof value !== "string") return value;
    return this.#suggested.get(`${command} ${option} ${value}`) ?? value;
  }

  #operates(post: Post, name: string, data: object, waiting: Waiting): Promise<Answered> {
    return this.does(
      { type: InteractionType.MessageComponent, channel: post.channel, name, data, on: post },
      waiting,
    );
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
