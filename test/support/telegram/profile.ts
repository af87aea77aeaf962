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

/** The button beside the message field of private chats. */
export interface MenuButton {
  readonly type: string;
  readonly text?: string;
  readonly web_app?: { readonly url: string };
}

/** What the bot says of itself, in each language; "" is for all others. */
export class Profile {
  /** What it is called where that differs from the name that it was made with. */
  readonly names = new Map<string, string>();
  readonly descriptions = new Map<string, string>();
  /** What the button beside the message field does. */
  menuButton: MenuButton = { type: "default" };
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
