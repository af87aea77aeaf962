export const SIGNS = ["named", "minors", "sexual", "suggestive", "grown"] as const;

/**
 * What words come to, as far as these rules go. `named`: what is refused by itself. `grown`: grown-ups are to be avoided.
 */
export type Sign = (typeof SIGNS)[number];

/** What the rules look at of how a picture was made: flags, none of the words. */
export interface Traits {
  /** What was said when it was made, or when what it was made of was. */
  readonly signs: readonly Sign[];
  /** Whether a template flagged mature took part. */
  readonly mature: boolean;
  /** Whether it was made of somebody's photo; a picture that nobody knows is one. */
  readonly photo: boolean;
}

/** What is known where there is no picture. */
export const NO_TRAITS: Traits = { signs: [], mature: false, photo: false };

/** What is known of a picture that was not made here. */
export const UNKNOWN: Traits = { ...NO_TRAITS, photo: true };

/** What is known of several things together. */
export function together(all: readonly Traits[]): Traits {
  return {
    signs: [...new Set(all.flatMap(({ signs }) => signs))],
    mature: all.some(({ mature }) => mature),
    photo: all.some(({ photo }) => photo),
  };
}
