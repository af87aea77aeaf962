import { TIERS, type Tier } from "./accounts.ts";
import type { Liberties } from "../liberties/liberties.ts";

/** Slots where they do not depend on the tier. */
const SLOTS: Readonly<Record<Exclude<Liberties["slots"], "tier">, number>> = {
  one: 1,
  two: 2,
  five: 5,
  hundred: 100,
};

/** How many jobs of an account run at once. */
export function slotsOf(tier: Tier, { slots }: Liberties): number {
  return slots === "tier" ? TIERS[tier].slots : SLOTS[slots];
}

/** The words of the 429 for a slot, which the contract does not show (section 7). */
export function slotMessage(count: number | undefined, { slotMessage }: Liberties): string {
  switch (slotMessage) {
    case "used":
      return `All ${count === undefined ? "" : `${count} `}concurrent job slots are in use. Wait for a job to finish.`;
    case "exceeded":
      return "Concurrent job slot exceeded.";
    case "maximum":
      return "You have reached the maximum number of running jobs for your plan.";
    case "many":
      return `Too many concurrent jobs${count === undefined ? "" : ` (${count})`}. Please try again later.`;
    default:
      return slotMessage satisfies never;
  }
}
