import type { Origin } from "../../seam/origin.ts";

/** Where the operator allows mature templates: nowhere, in age-restricted places, or in private ones too. */
export const MATURE_PLACES = ["off", "age-restricted", "on"] as const;

/** One of {@link MATURE_PLACES}. */
export type MaturePlaces = (typeof MATURE_PLACES)[number];

/**
 * Whether mature templates have a place there. An ordinary group, where anybody may be, has none.
 * @param partnerHasThem whether the operator allows them to the partner that asks
 */
export function matureFits(
  audience: Origin["audience"],
  places: MaturePlaces,
  partnerHasThem = false,
): boolean {
  if (audience === "age-restricted") return places !== "off";
  if (audience === "private") return places === "on";
  return audience === "partner" && places === "on" && partnerHasThem;
}
