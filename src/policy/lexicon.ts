import type { Locale } from "../i18n.ts";
import de from "./rules/de.json" with { type: "json" };
import en from "./rules/en.json" with { type: "json" };
import pl from "./rules/pl.json" with { type: "json" };

/** The lists of a language; each entry is a term of {@link Terms}. */
const LISTS = [
  // Children and young people.
  "minors",
  // Names of what nobody may make, whatever stands beside them.
  "named",
  // What is sexual, and nakedness.
  "sexual",
  // What is so only beside children.
  "suggestive",
  // Taking somebody's clothes off.
  "undressing",
  // What somebody avoids who wants that, and what somebody avoids who wants children.
  "clothes",
  "grown",
  // Harmless terms that contain one of the others.
  "excused",
  // What `~` stands for, and `#` beside digits: words, no terms.
  "little",
  "numbers",
] as const;

type List = (typeof LISTS)[number];

/** The words of one language that rules look for. */
type Lexicon = Readonly<Record<List, readonly string[]>>;

/** One or more alternatives, which end with `*` if more may follow; or a gap, or a number. */
const SLOT = /^(?:[~#]|[\p{Ll}\p{N}]+\*?(?:\|[\p{Ll}\p{N}]+\*?)*)$/u;

/**
 * Checks the lists of a file as it is loaded: one that is not what it should be would let through what it names.
 * @throws Error that names the file, the list, the entry and what is wrong
 */
export function lexiconOf(file: string, content: unknown): Lexicon {
  const fail = (where: string, why: string): never => {
    throw new Error(`src/policy/rules/${file}: ${where}: ${why}`);
  };
  if (typeof content !== "object" || content === null) return fail("the file", "no lists");
  const lists = new Map<string, unknown>(Object.entries(content));
  for (const name of lists.keys())
    if (!LISTS.some((list) => list === name)) fail(name, "no list of that name is looked for");
  const listOf = (name: string): readonly string[] => {
    const list = lists.get(name);
    if (!Array.isArray(list) || list.length === 0) return fail(name, "no entries");
    const entries: readonly unknown[] = list;
    return entries.map((entry, index) => {
      const where = `${name}, entry ${index + 1} (${JSON.stringify(entry)})`;
      if (typeof entry !== "string") return fail(where, "not a text");
      const why = mistakeIn(entry, name === "little" || name === "numbers");
      if (why) fail(where, why);
      if (entries.indexOf(entry) < index) fail(where, "stands there twice");
      return entry;
    });
  };
  return Object.fromEntries(LISTS.map((name) => [name, listOf(name)])) as Lexicon;
}

/** What is wrong with an entry. */
function mistakeIn(entry: string, isWord: boolean): string | undefined {
  const slots = entry.split(" ");
  const wrong = slots.find((slot) => !SLOT.test(slot));
  if (wrong !== undefined) return `"${wrong}" is no word of small letters, nor several with | between`;
  if (isWord && !/^\p{Ll}+$/u.test(entry)) return "not a single word";
  if (slots.at(0) === "~" || slots.at(-1) === "~") return "begins or ends with ~";
  return undefined;
}

/** Every language that we ship has its words. */
const LANGUAGES: Readonly<Record<Locale, Lexicon>> = {
  en: lexiconOf("en.json", en),
  de: lexiconOf("de.json", de),
  pl: lexiconOf("pl.json", pl),
};

/** The words of every language at once: people mix them. */
export const lexicon = (list: List): string[] =>
  Object.values(LANGUAGES).flatMap((language) => language[list]);
