import { type InteractionResponseType, InteractionType } from "discord.js";
import { type UserAction, Interaction } from "./interaction.ts";
import { filledIn, type FieldValue, type SeenModal, seenModal } from "./modal-form.ts";
import { Reader, type Waiting } from "./reader.ts";
import { Resolved } from "./resolved.ts";

/** How the bot answered at first. */
export interface Answered {
  readonly kind: InteractionResponseType;
  /** The fake's milliseconds. */
  readonly acknowledgedAfter: number;
}

/** What a person does, but for who they are. */
type Act = Omit<UserAction, "person" | "installed">;

/** Somebody who does things that the bot is to answer, and has at most one modal open. */
export class Actor extends Reader {
  /** Whether they have installed the app for themselves. */
  installed = false;
  #modal: { readonly opener: Interaction; readonly modal: SeenModal } | undefined;

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
    const { channel, on } = opener.userAction;
    const resolved = new Resolved(this.world, channel);
    const components = await filledIn(modal, values, resolved);
    const data = { custom_id: modal.customId, components, resolved: resolved.toJSON() };
    const userAction = { type: InteractionType.ModalSubmit, channel, name: modal.customId, data, on, opener };
    const answered = await this.does(userAction, waiting);
    this.#modal = undefined;
    return answered;
  }

  /** Closes the open modal without sending it: the bot is not told. */
  closesModal(): void {
    this.#modal = undefined;
  }

  /** Does something, and tells how it was answered. */
  protected async does(act: Act, waiting: Waiting): Promise<Answered> {
    const { answer, acknowledgedAfter } = await this.acts(act, waiting);
    return { kind: answer as InteractionResponseType, acknowledgedAfter: acknowledgedAfter ?? 0 };
  }

  /** Sends an interaction to the bot, and waits until it is answered. */
  protected async acts(act: Act, { within }: Waiting): Promise<Interaction> {
    const { clock, limits } = this.world;
    const interaction = new Interaction(this.world, {
      ...act,
      person: this.user,
      installed: this.installed,
    });
    this.world.interactions.set(interaction.token, interaction);
    this.actedAt = this.world.touch();
    this.world.onInteraction(interaction);
    const wake = () => this.world.changes.emit(interaction.id);
    const deadline = setTimeout(wake, clock.real(limits.firstAnswerMs) + 5);
    const isSettled = () => interaction.isSettled || undefined;
    try {
      await this.until(isSettled, `an answer to ${act.name}`, within, interaction.id);
    } finally {
      clearTimeout(deadline);
    }
    if (interaction.failed) {
      const why = interaction.refusal ? ` (${JSON.stringify(interaction.refusal)})` : "";
      throw new Error(`The application did not respond to ${act.name}${why}`);
    }
    const { modal } = interaction;
    if (modal) this.#modal = { opener: interaction, modal: seenModal(modal) };
    return interaction;
  }
}
