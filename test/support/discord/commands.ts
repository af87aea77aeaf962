import {
  type APIApplicationCommand,
  ApplicationCommandType,
  InteractionContextType,
  ApplicationIntegrationType,
  type RESTPutAPIApplicationCommandsJSONBody,
} from "discord.js";
import { checkForm } from "./form-error.ts";
import { commands as rules } from "./rules/commands.ts";
import type { World } from "./world.ts";

/** The commands that the bot has registered: everywhere, or for one guild. */
export class Commands {
  readonly #world: World;
  /** By the guild's id, or "" for everywhere. */
  readonly #registered = new Map<string, readonly APIApplicationCommand[]>();

  constructor(world: World) {
    this.#world = world;
  }

  of(guildId = ""): readonly APIApplicationCommand[] {
    return this.#registered.get(guildId) ?? [];
  }

  /**
   * Replaces all commands of a place. One that keeps its name and type keeps its id.
   * @throws Refusal 50035
   */
  replace(bodies: RESTPutAPIApplicationCommandsJSONBody, guildId?: string): readonly APIApplicationCommand[] {
    checkForm(rules, bodies);
    const before = this.of(guildId);
    const after = bodies.map((body) => {
      const type = body.type ?? ApplicationCommandType.ChatInput;
      const known = before.find((one) => one.name === body.name && one.type === type);
      return {
        description: "",
        default_member_permissions: null,
        nsfw: false,
        integration_types: [ApplicationIntegrationType.GuildInstall],
        contexts: EVERYWHERE,
        ...body,
        type,
        id: known?.id ?? this.#world.id(),
        application_id: this.#world.applicationId,
        version: this.#world.id(),
        ...(guildId !== undefined && { guild_id: guildId }),
      } as APIApplicationCommand;
    });
    this.#registered.set(guildId ?? "", after);
    return after;
  }
}

const EVERYWHERE = [
  InteractionContextType.Guild,
  InteractionContextType.BotDM,
  InteractionContextType.PrivateChannel,
];
