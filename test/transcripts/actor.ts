/** A message as a transcript shows it. */
export interface Shown {
  readonly id: string;
  readonly sender: string;
  readonly text: string;
  readonly buttons: readonly (readonly string[])[];
  /** Kinds of files: "video". */
  readonly files: readonly string[];
  /** Who sees it, where, unless everybody does. */
  readonly aside: string;
}

/** A file to ask with, and what a transcript calls it. */
export interface Sent {
  readonly bytes: Buffer;
  readonly fileName: string;
  readonly called: string;
}

/** Somebody on a platform. What they do is told in words, as the transcript has it. */
export interface Actor {
  readonly name: string;
  /** Asks what this is, as a newcomer does. */
  asksForHelp(): Promise<string>;
  /** Asks for a film of a picture. */
  asks(words: string, file: Sent): Promise<string>;
  /** Presses a button of the newest message that has it. */
  presses(button: RegExp): Promise<string>;
  /**
   * Answers what was asked last.
   * @param called what the transcript says in its place
   */
  gives(answer: string, called: string): Promise<string>;
  /** Every message that can be seen, in order. */
  messages(): readonly Shown[];
  /** What was shown beside messages, in order: a form that opened, a sentence that flashed up. */
  beside(): readonly string[];
}

/** What lets the operator's key pay for everybody, where there is one. */
export const PAYING = { REELAY_OPERATOR_KEY_FOR: "all" } as const;

/** What may differ between scenes. */
export interface SceneOptions {
  /** Whether the operator pays. */
  readonly paid: boolean;
  /** Whether nobody has stated anything yet. */
  readonly newcomers: boolean;
  /** Whether they are in a group; Discord's people always are. */
  readonly group: boolean;
  /** Whether Olga manages their group, and is told there what is reported, instead of running Reelay. */
  readonly managed: boolean;
  /** @param olga how the operator, and where reports go, is named in the settings */
  readonly settings?: (olga: { readonly person: string; readonly reports: string }) => Record<string, string>;
}

/** A platform with Reelay, and people on it. */
export interface Platform extends AsyncDisposable {
  /** Ann, Bob and Olga, who runs the bot. */
  readonly actors: readonly [Actor, Actor, Actor];
  readonly keys: Readonly<Record<"pro" | "empty", string>>;
  /** Gives tokens to the account of a key. */
  readonly topUp: (key: string, tokens: number) => void;
  restart(): Promise<void>;
  /** Waits until something was sent to the service. */
  submitted(): Promise<void>;
  /** Lets the service finish nothing until the returned function is called. */
  readonly holds: () => () => void;
  /** Whether something is being handled, made or delivered. */
  isBusy(): Promise<boolean>;
}
