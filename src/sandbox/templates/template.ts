import type { Look } from "../render/drawing/looks.ts";

/** A sub-template: the template with some of its look changed. */
export interface Variant {
  readonly id: string;
  readonly name: string;
  readonly prompt: string;
  readonly look: Partial<Look>;
}

/** An entry of a category's list. */
export interface CategoryEntry {
  readonly id: string;
  readonly name: string;
  readonly subcategory?: string;
  readonly description: string;
  readonly prompt: string;
  /** A general one where there is none. */
  readonly negative?: string;
  readonly look: Look;
  /** Which photo suits it; a general hint where there is none. */
  readonly hint?: string;
  /** How long it had been out on the catalogue's date, in days. */
  readonly age: number;
  /** How often it had been used before this sandbox began to count. */
  readonly uses: number;
  /** Needs a subscription. */
  readonly premium?: true;
  readonly featured?: true;
  /** Not shown on the primary host. */
  readonly mature?: boolean;
  readonly variants?: readonly Variant[];
}

/** A video template (section 2.8), with what only the service itself knows of it. */
export interface VideoTemplate extends CategoryEntry {
  readonly category: string;
}
