import type { Translate } from "../../../../../../src/common/i18n.ts";
import type { KeyCard, KeyTier } from "../../../../../../src/seam/access/key-pool.ts";

/** What an account has subscribed to, in the service's words. */
export const tierText = (say: Translate, tier: KeyTier | null): string =>
  tier ?? say("console.keys.tier.any");

/** Where a key stands. */
export const stateText = (say: Translate, { state, left }: Pick<KeyCard, "state" | "left">): string =>
  say(`keys.state.${state}`, { left: left ?? 0 });

/** All about a key that can be changed. */
export const standingText = (say: Translate, card: KeyCard): string =>
  [stateText(say, card), say("keys.weight", { weight: card.weight }), tierText(say, card.tier)].join(" · ");
