import ar from "../../src/domain/policy/rules/ar.json" with { type: "json" };
import de from "../../src/domain/policy/rules/de.json" with { type: "json" };
import en from "../../src/domain/policy/rules/en.json" with { type: "json" };
import es from "../../src/domain/policy/rules/es.json" with { type: "json" };
import fr from "../../src/domain/policy/rules/fr.json" with { type: "json" };
import hi from "../../src/domain/policy/rules/hi.json" with { type: "json" };
import id from "../../src/domain/policy/rules/id.json" with { type: "json" };
import ja from "../../src/domain/policy/rules/ja.json" with { type: "json" };
import pl from "../../src/domain/policy/rules/pl.json" with { type: "json" };
import pt from "../../src/domain/policy/rules/pt.json" with { type: "json" };
import ru from "../../src/domain/policy/rules/ru.json" with { type: "json" };
import tr from "../../src/domain/policy/rules/tr.json" with { type: "json" };
import uk from "../../src/domain/policy/rules/uk.json" with { type: "json" };
import zh from "../../src/domain/policy/rules/zh.json" with { type: "json" };

/** The lists of a language; each entry is a term of the word rules. */
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
const SLOT = /^(?:[~#]|[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+\*?(?:\|[\p{Ll}\p{Lo}\p{Lm}\p{M}\p{N}]+\*?)*)$/u;

/**
 * Checks the lists of a file: one that is not what it should be would let through what it names.
 * @throws Error that names the file, the list, the entry and what is wrong
 */
export function lexiconOf(file: string, content: unknown): Lexicon {
  const fail = (where: string, why: string): never => {
    throw new Error(`src/domain/policy/rules/${file}: ${where}: ${why}`);
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
  if (isWord && !/^[\p{Ll}\p{Lo}\p{Lm}\p{M}]+$/u.test(entry)) return "not a single word";
  if (slots.at(0) === "~" || slots.at(-1) === "~") return "begins or ends with ~";
  return undefined;
}

/** A file for each language, by its code. */
const FILES = { ar, de, en, es, fr, hi, id, ja, pl, pt, ru, tr, uk, zh };

/** The languages that are looked for: those most written on such platforms, and every one that we ship. */
const LANGUAGES: readonly Lexicon[] = Object.entries(FILES).map(([language, lists]) =>
  lexiconOf(`${language}.json`, lists),
);

/** The words of every language at once: people mix them. */
export const lexicon = (list: List): string[] => LANGUAGES.flatMap((language) => language[list]);
