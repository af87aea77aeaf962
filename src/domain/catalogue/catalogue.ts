import type { Account } from "../accounts/accounts.ts";
import type { CatalogueName, Suggestion } from "../../seam/fields.ts";
import { steady } from "../../common/time.ts";
import { type CatalogueEntry, READ } from "./entries.ts";

/** How long entries are believed, in milliseconds: the service adds some, but hardly by the minute. */
const FRESH_MS = 10 * 60_000;

/** What the service offers to choose from, read now and then and searched here. */
export class Catalogue {
  /** By host and name: the hosts differ in what they show (section 1, rule 5). */
  readonly #read = new Map<string, { at: number; entries: Promise<readonly CatalogueEntry[]> }>();

  /**
   * Entries that match every word of what was typed, best first; all of them for "".
   * @param within the chosen entry whose variants are wanted; undefined for the entries themselves
   */
  async search(
    name: CatalogueName,
    account: Account,
    partial: string,
    within: string | undefined,
  ): Promise<readonly Suggestion[]> {
    const entries = await this.#entries(name, account);
    const candidates =
      within === undefined
        ? entries.map(({ suggestion }) => suggestion)
        : (entries.find(({ suggestion }) => suggestion.value === within)?.variants ?? []);
    const words = fold(partial).split(/\s+/).filter(Boolean);
    return candidates
      .map((suggestion) => ({ suggestion, rank: rank(suggestion, words) }))
      .filter(({ rank }) => rank > 0)
      .toSorted((a, b) => b.rank - a.rank)
      .map(({ suggestion }) => suggestion);
  }

  /** The entry of this value, or the variant of the entry `within`; undefined where there is none. */
  async find(
    name: CatalogueName,
    account: Account,
    value: string,
    within?: string,
  ): Promise<Suggestion | undefined> {
    const all = await this.search(name, account, "", within);
    return all.find((suggestion) => suggestion.value === value);
  }

  async #entries(name: CatalogueName, account: Account): Promise<readonly CatalogueEntry[]> {
    const place = `${account.host} ${name}`;
    const known = this.#read.get(place);
    if (known && steady() - known.at < FRESH_MS) return known.entries;
    const entries = READ[name](account.api());
    this.#read.set(place, { at: steady(), entries });
    try {
      return await entries;
    } catch (error) {
      // Older entries are better than none; where there are none, the next one who asks tries again.
      if (known) this.#read.set(place, known);
      else this.#read.delete(place);
      if (known) return known.entries;
      throw error;
    }
  }
}

/** 0 where a word is missing; a match in the title counts more than one elsewhere, featured entries a little more. */
function rank({ title, description, category, marks }: Suggestion, words: readonly string[]): number {
  const head = fold(title);
  const whole = fold(`${title} ${category ?? ""} ${description ?? ""}`);
  if (!words.every((word) => whole.includes(word))) return 0;
  return 1 + 2 * words.filter((word) => head.includes(word)).length + (marks.includes("featured") ? 0.5 : 0);
}

/** Upper and lower case, accents and their absence are the same to whoever searches. */
function fold(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
