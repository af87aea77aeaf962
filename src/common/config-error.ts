/** A setting that stops the start: its name, what was found, what is wanted. */
export interface SettingMistake {
  readonly setting: string;
  readonly found: string;
  readonly wanted: string;
  /** The setting that needs it, where it does fit without that. */
  readonly neededBy?: string | undefined;
}

/** All mistakes at once, one line each; no secret's value is repeated. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly mistakes: readonly SettingMistake[];

  /** @param options the error underneath, if there was one */
  constructor(mistakes: readonly SettingMistake[], options?: ErrorOptions) {
    super(
      mistakes.map(({ setting, found, wanted }) => `${setting}: found ${found}, wanted ${wanted}`).join("\n"),
      options,
    );
    this.mistakes = mistakes;
  }
}
