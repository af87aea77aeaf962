import type { Locale } from "../i18n.ts";
import de from "./rules/de.json" with { type: "json" };
import en from "./rules/en.json" with { type: "json" };
import pl from "./rules/pl.json" with { type: "json" };

/** The words of one language that rules look for, each a term of {@link Terms}. */
interface Lexicon {
  /** Children and young people. */
  readonly minors: readonly string[];
  /** Names of what nobody may make, whatever stands beside them. */
  readonly named: readonly string[];
  /** What is sexual, and nakedness. */
  readonly sexual: readonly string[];
  /** What is so only beside children. */
  readonly suggestive: readonly string[];
  /** Taking somebody's clothes off. */
  readonly undressing: readonly string[];
  /** What somebody avoids who wants that. */
  readonly clothes: readonly string[];
  /** What somebody avoids who wants children. */
  readonly grown: readonly string[];
  /** Harmless terms that contain one of the others. */
  readonly excused: readonly string[];
  /** What `~` stands for. */
  readonly little: readonly string[];
  /** What `#` stands for, beside digits. */
  readonly numbers: readonly string[];
}

/** Every language that we ship has its words. */
const LANGUAGES: Readonly<Record<Locale, Lexicon>> = { en, de, pl };

/** The words of every language at once: people mix them. */
export const lexicon = (list: keyof Lexicon): string[] =>
  Object.values(LANGUAGES).flatMap((language) => language[list]);
