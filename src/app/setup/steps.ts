import type { MessageKey } from "../../common/i18n.ts";
import type { SetupField, SetupStep } from "../../seam/surface/setup.ts";
import { type SettingName, settings } from "../config.ts";

/** A setting that can be set in the browser. */
interface StepField extends Pick<SetupField, "kind"> {
  readonly name: SettingName;
  /** What is said of a value that does not fit. */
  readonly wrong: MessageKey;
}

/** Everything that can be set in the browser, and is stored. What these settings are, `config.ts` says. */
export const STEPS: Readonly<Record<SetupStep, readonly StepField[]>> = {
  service: [
    { name: "REELAY_API_URL", kind: "address", wrong: "setup.wrong.api" },
    { name: "REELAY_API_KEY", kind: "secret", wrong: "setup.wrong.key" },
  ],
  telegram: [{ name: "TELEGRAM_BOT_TOKEN", kind: "secret", wrong: "setup.wrong.telegram" }],
  discord: [
    { name: "DISCORD_BOT_TOKEN", kind: "secret", wrong: "setup.wrong.discord" },
    { name: "DISCORD_PUBLIC_KEY", kind: "text", wrong: "setup.wrong.public_key" },
  ],
  people: [
    { name: "REELAY_ALLOWED", kind: "people", wrong: "setup.wrong.list" },
    { name: "REELAY_OPERATOR_KEY_FOR", kind: "people", wrong: "setup.wrong.list" },
    { name: "REELAY_DAILY_CAP", kind: "number", wrong: "setup.wrong.number" },
    { name: "REELAY_CHAT_DAILY_CAP", kind: "number", wrong: "setup.wrong.number" },
    { name: "REELAY_AT_ONCE", kind: "number", wrong: "setup.wrong.number" },
    { name: "REELAY_TERMS_URL", kind: "address", wrong: "setup.wrong.address" },
  ],
  public: [{ name: "REELAY_PUBLIC_URL", kind: "address", wrong: "setup.wrong.address" }],
};

/** The same, whichever step they are of. */
export const FIELDS: readonly StepField[] = Object.values(STEPS).flat();

/** The setting of a step by its name; undefined where the step has no such. */
export const fieldOf = (step: SetupStep, name: string): StepField | undefined =>
  STEPS[step].find((field) => field.name === name);

/** What is in force where a setting is not set, as it would be written; "" where nothing is. */
export const fallbackOf = (name: SettingName): string =>
  String(settings.shape[name].safeParse(undefined).data ?? "");
