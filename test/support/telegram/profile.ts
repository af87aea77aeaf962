/** A command of the bot's menu. */
export interface BotCommand {
  readonly command: string;
  readonly description: string;
}

/** Whom a menu is for. */
export interface CommandScope {
  readonly type: string;
  readonly chat_id?: number | string;
  readonly user_id?: number;
}

/** What the bot says of itself, in each language; "" is for all others. */
export class Profile {
  readonly descriptions = new Map<string, string>();
  readonly shortDescriptions = new Map<string, string>();
  readonly #commands = new Map<string, readonly BotCommand[]>();

  setCommands(commands: readonly BotCommand[], scope?: CommandScope, language?: string): void {
    this.#commands.set(menuKey(scope, language), commands);
  }

  commands(scope?: CommandScope, language?: string): readonly BotCommand[] {
    return this.#commands.get(menuKey(scope, language)) ?? [];
  }
}

const menuKey = ({ type, chat_id, user_id }: CommandScope = { type: "default" }, language = "") =>
  JSON.stringify([type, chat_id, user_id, language]);
