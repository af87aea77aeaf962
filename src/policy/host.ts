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

const ALLOWED: Readonly<Record<FullCatalogPlaces, readonly Origin["audience"][]>> = {
  off: [],
  "age-restricted": ["age-restricted"],
  private: ["age-restricted", "private"],
};

/**
 * The host that a request from somewhere goes to; its job stays there. A group where anybody may be never gets
 * the full catalogue.
 */
export function hostFor(audience: Origin["audience"], places: FullCatalogPlaces, hosts: Hosts): Host {
  return hosts["full-catalog"] !== undefined && ALLOWED[places].includes(audience)
    ? "full-catalog"
    : "primary";
}
