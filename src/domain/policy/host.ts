import type { Host, Hosts } from "../../common/contract.ts";
import type { Origin } from "../../seam/origin.ts";

/** Where the operator allows the full catalogue: nowhere, in age-restricted places, or in private ones too. */
export const FULL_CATALOG_PLACES = ["off", "age-restricted", "private"] as const;

/** One of {@link FULL_CATALOG_PLACES}. */
export type FullCatalogPlaces = (typeof FULL_CATALOG_PLACES)[number];

/** Who asks, from where. */
export interface HostRequest {
  readonly audience: Origin["audience"];
  /** Whether they declared to be 18 or older. */
  readonly adult: boolean;
  /** Whether they are a partner whom the operator allows mature templates. */
  readonly trusted?: boolean;
}

/**
 * The host that a request goes to; its job stays there. An ordinary group, where anybody may be, never gets the
 * full catalogue; in private it takes a declared age, which an age-restricted place has checked itself, and of partners
 * the operator's trust.
 */
export function hostFor(
  { audience, adult, trusted = false }: HostRequest,
  places: FullCatalogPlaces,
  hosts: Hosts,
): Host {
  const fits =
    audience === "age-restricted"
      ? places !== "off"
      : places === "private" && ((audience === "private" && adult) || (audience === "partner" && trusted));
  return fits && hosts["full-catalog"] !== undefined ? "full-catalog" : "primary";
}
