import type { Params } from "../../common/errors.ts";
import type { MessageKey } from "../../common/i18n.ts";
import { CHATS, type UserId } from "../values.ts";
import type { Check } from "./runtime.ts";

/** A sentence in nobody's language yet. */
export interface Remark {
  readonly key: MessageKey;
  readonly params?: Params;
}

/** One thing that was looked at: for the doctor's list, and as a sentence for the page. */
export interface Finding {
  readonly check: Check;
  readonly said: Remark;
  /** Where to go on from there: an invitation, a chat. */
  readonly link?: string;
  /** Whether it cannot work like that, so that nothing is kept. */
  readonly stops: boolean;
}

/** What is set up in the browser, in its order. */
export const SETUP_STEPS = ["service", ...CHATS, "people", "public"] as const;
export type SetupStep = (typeof SETUP_STEPS)[number];

/** Where this process answers whoever asks by its public address; a question stands behind it. */
export const ECHO_PATH = "/setup/echo";

/** What a setting is: `people`: everybody, or a list of people, chats and servers; `choice`: one of some words. */
export type SettingKind = "address" | "choice" | "list" | "number" | "people" | "secret" | "text" | "tokens";

/** One setting, as the page shows it: a secret's value never leaves the vault. */
export interface SetupField {
  /** The setting's own name. */
  readonly name: string;
  readonly kind: SettingKind;
  /** What is in force where nothing is set; "" where nothing is. */
  readonly fallback: string;
  /** What is in force; left out where nothing is, and for secrets. */
  readonly value?: string;
  /** Whether something is in force. */
  readonly isSet: boolean;
  /** Whether it comes from the environment or `.env`, which win. */
  readonly isLocked: boolean;
}

/** Something that is stored and not used. */
export interface UnusedSetting {
  readonly setting: string;
  readonly said: Remark;
}

/** All that is set up, and how far it is in force. */
export interface SetupState {
  /** Rises with everything that is stored; what is entered names the one that was seen. */
  readonly revision: number;
  /**
   * `all`: what is stored is in force; `soon`: it is being applied; `restart`: it is with the next start.
   */
  readonly inForce: "all" | "soon" | "restart";
  readonly steps: Readonly<Record<SetupStep, readonly SetupField[]>>;
  /** The `.env` that would do the same, with `…` for secrets. */
  readonly env: string;
  readonly unused: readonly UnusedSetting[];
}

/** What somebody entered in a step. */
export interface Entered {
  /** The one that was seen: none of the settings may have been changed since. */
  readonly revision: number;
  /** By setting; null takes away what is stored. What is not named stays. */
  readonly values: Readonly<Record<string, string | null>>;
  /** Whether an address is to be kept that could not be reached from here. */
  readonly anyway: boolean;
}

/** What came of it. */
export interface SetupOutcome {
  /** `refused`: nothing was changed; `stale`: somebody else changed one of these settings since, and nothing was changed. */
  readonly outcome: "saved" | "refused" | "stale";
  /** What is wrong with single settings. */
  readonly wrong: Readonly<Record<string, Remark>>;
  readonly findings: readonly Finding[];
  /** Whether {@link Entered.anyway} would keep it. */
  readonly mayAnyway: boolean;
}

/** Setting Reelay up while it runs, for whoever runs it. */
export interface Setup {
  state(): Promise<SetupState>;
  /** Looks at what is in force in a step. */
  look(step: SetupStep): Promise<readonly Finding[]>;
  /** Checks what was entered, and keeps all of it or nothing; the audit says who did it. */
  save(step: SetupStep, entered: Entered, by: UserId): Promise<SetupOutcome>;
  /** Posts a line in a channel of Discord. */
  tryOut(channel: string): Promise<Remark>;
  /** What this process alone knows of a question that it asks itself by its public address; undefined: it asked none. */
  echo(question: string): string | undefined;
}
