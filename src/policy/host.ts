import type { Origin } from "../chat/surface.ts";

/** The service's two hosts, which differ in their catalogues (section 1, rule 5). */
export type Host = "primary" | "full-catalog";

/** Their addresses, each ending in `/api`; the second may not be known. */
export interface Hosts extends Readonly<Record<Host, string | undefined>> {
  readonly primary: string;
}

/** Where the operator allows the full catalogue: nowhere, in age-restricted places, or in private ones too. */
export const FULL_CATALOG_PLACES = ["off", "age-restricted", "private"] as const;

/** One of {@link FULL_CATALOG_PLACES}. */
export type FullCatalogPlaces = (typeof FULL_CATALOG_PLACES)[number];

/** Who asks, from where. */
export interface Asker {
  readonly audience: Origin["audience"];
  /** Whether they declared to be 18 or older. */
  readonly adult: boolean;
}

/**
 * The host that a request goes to; its job stays there. An ordinary group, where anybody may be, never gets the
 * full catalogue, nor do the people of a partner; in private it takes a declared age, which an age-restricted
 * place has checked itself.
 */
export function hostFor({ audience, adult }: Asker, places: FullCatalogPlaces, hosts: Hosts): Host {
  const fits =
    audience === "age-restricted"
      ? places !== "off"
      : audience === "private" && places === "private" && adult;
  return fits && hosts["full-catalog"] !== undefined ? "full-catalog" : "primary";
}
