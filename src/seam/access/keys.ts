import type { FieldSpec } from "../fields.ts";
import type { ChatId, Platform, UserId, Values } from "../values.ts";
import type { Json } from "../../common/json.ts";

/** Whose words are looked at. An `Origin` is one. */
export interface Speaker {
  readonly platform: Platform;
  readonly user: UserId;
  readonly chat?: ChatId;
  readonly audience: "private" | "group" | "age-restricted" | "partner";
}

/** A key among words. */
export interface FoundKey {
  readonly key: string;
  /** `service`: it may be one for the service. `ours`: another secret of this installation, such as a bot's token. */
  readonly of: "service" | "ours";
}

/**
 * How far words are suspected. `known`: only what is stored, was entered lately, or is a secret of this installation.
 * `guess`: also what people call a key, and what looks like one while they have none. `asked`: the latter of everybody,
 * because they were just asked for their key.
 */
export type Suspicion = "known" | "guess" | "asked";

/** Keeps keys from being taken for words, before anything is done with those. */
export interface KeyWatch {
  /** The first key in a text. */
  find(speaker: Speaker, text: string, suspicion: Suspicion): Promise<FoundKey | undefined>;
  /** The first key in the name of a file; what looks like a digest is none, as pictures from elsewhere are called by one. */
  findInName(speaker: Speaker, name: string, suspicion: Suspicion): Promise<FoundKey | undefined>;
  /**
   * What stands behind a command.
   * @param isSure whether it was meant to connect: then it is a key whatever it looks like, if it is one word; else it is guessed, and
   * only while they have none
   */
  behind(speaker: Speaker, words: string, isSure: boolean): Promise<FoundKey | undefined>;
  /** The first key in what fields were given, but those that are for keys; words are guessed at. */
  findIn(
    speaker: Speaker,
    fields: readonly FieldSpec[],
    values: Values,
  ): Promise<(FoundKey & { readonly field: string }) | undefined>;
  /**
   * Refuses whatever holds a key that is known, in names and in values, as deep as it goes.
   * @throws ReelayError `key_in_words`, with `field` where it stood, such as `input.prompt`; left out where that is the whole
   */
  refuseKnown(given: Json | undefined): Promise<void>;
}
