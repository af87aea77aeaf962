import type { Rules, Situation } from "../../src/domain/policy/decision.ts";
import { UNKNOWN } from "../../src/domain/jobs/traits.ts";
import { readOperatorWords } from "../../src/domain/policy/words/operator-words.ts";

/** One row of the table: how it differs from {@link USUAL}, and what must come of it. */
export interface Row {
  readonly title: string;
  readonly situation?: Partial<Situation>;
  readonly rules?: Partial<Rules>;
  /** `allow`, `ask <statement>` or `refuse <code>`. */
  readonly decision: string;
}

/** Rows about one thing. */
export interface Chapter {
  readonly title: string;
  readonly rows: readonly Row[];
}

const declared = { version: "1", at: 1, surface: "telegram" } as const;

/** What everybody has stated who was asked. */
export const STATED = { terms: declared, consent: declared };

/** A photo and harmless words, in a private chat, from somebody who was asked what everybody is asked. */
export const USUAL: Situation = {
  platform: "telegram",
  audience: "private",
  room: undefined,
  operation: "video",
  pattern: undefined,
  known: UNKNOWN,
  agreement: undefined,
  blocked: false,
  blockedThere: undefined,
  invited: true,
  group: {},
  text: "slow zoom",
  avoided: "",
  photos: true,
  mature: false,
  reached: undefined,
  person: { declared: STATED },
  agreed: [],
  vouched: false,
  partnerHasMature: false,
};

/** As everything is set where nothing is. */
export const DEFAULTS: Rules = {
  operationsOff: [],
  words: readOperatorWords([], undefined),
  mature: "off",
  termsUrl: undefined,
};
