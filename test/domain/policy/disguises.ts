import confusables from "unhomoglyph/data.json" with { type: "json" };

/** Writes a text so that a person reads the same and a list of words does not find it. */
type Disguise = (text: string, seed: number) => string;

/** Replaces each letter, or some of them as the seed says. */
const letterwise =
  (replace: (letter: string) => string): Disguise =>
  (text, seed) =>
    Array.from(text, (letter, index) => ((seed >> (index % 30)) & 1 ? replace(letter) : letter)).join("");

const table =
  (replacements: Readonly<Record<string, string>>): Disguise =>
  (text, seed) =>
    letterwise((letter) => replacements[letter] ?? letter)(text, seed);

const CYRILLIC = { a: "а", c: "с", e: "е", i: "і", o: "о", p: "р", s: "ѕ", x: "х", y: "у", k: "к", t: "т" };
const GREEK = { a: "α", i: "ι", o: "ο", n: "η", u: "υ", k: "κ", x: "χ", e: "ε" };
const LEET = { a: "4", e: "3", i: "1", l: "1", o: "0", s: "5", t: "7" };
const SIGNS = { a: "@", e: "€", i: "!", s: "$" };

/** The same letter somewhere else in Unicode, from its place in the alphabet. */
const shifted = (from: number) =>
  letterwise((letter) =>
    /[a-z]/.test(letter) ? String.fromCodePoint(from + letter.charCodeAt(0) - 0x61) : letter,
  );

/** Every character that Unicode lists beside a small letter, by that letter. */
const CONFUSABLE = Map.groupBy(
  Object.entries(confusables)
    .filter(([character, look]) => /^[a-z]$/.test(look) && !/[ -~]/.test(character))
    .map(([character, look]) => ({ character, look })),
  ({ look }) => look,
);

/** One of them for each letter; the seed says which. */
const confused: Disguise = (text, seed) =>
  Array.from(text, (letter, index) => {
    const alike = CONFUSABLE.get(letter) ?? [];
    return alike[(seed + index * 7) % alike.length]?.character ?? letter;
  }).join("");

const GRAPHEMES = new Intl.Segmenter("en", { granularity: "grapheme" });

const between =
  (separator: string): Disguise =>
  (text) =>
    text
      .split(" ")
      // What a reader takes for one letter stays one.
      .map((word) => Array.from(GRAPHEMES.segment(word), ({ segment }) => segment).join(separator))
      .join(`${separator} `);

/** Every trick, by its name. */
export const DISGUISES: Readonly<Record<string, Disguise>> = {
  "as it is": (text) => text,
  "capital letters": (text) => text.toUpperCase(),
  "Cyrillic letters": table(CYRILLIC),
  "Greek letters": table(GREEK),
  "Unicode's confusables": confused,
  "letters of several scripts": (text, seed) => table(GREEK)(table(CYRILLIC)(text, seed), seed >> 1),
  "full-width letters": shifted(0xff41),
  "bold letters": shifted(0x1d41a),
  "circled letters": shifted(0x24d0),
  "letters of flags": shifted(0x1f1e6),
  "letters in squares": shifted(0x1f170),
  accents: letterwise((letter) => (/[a-z]/.test(letter) ? `${letter}\u0301\u0323` : letter)),
  "invisible characters": letterwise((letter) => `${letter}\u200B\u00AD\u2060\uFE0F\u{E0061}`),
  directions: letterwise((letter) => `\u202A${letter}\u202C`),
  "repeated letters": letterwise((letter) => (/\p{L}/u.test(letter) ? letter.repeat(4) : letter)),
  "umlauts written out": (text) =>
    text.replaceAll(/[äöü]/g, (umlaut) => `${umlaut.normalize("NFD").charAt(0)}e`),
  "plain letters": (text) =>
    text
      .normalize("NFD")
      .replaceAll(/(?<=\p{sc=Latin})\p{M}+/gu, "")
      .replaceAll("ł", "l")
      .normalize("NFC"),
};

/** Tricks that change digits, or how words are told apart: an age would be another one. */
export const WORD_DISGUISES: Readonly<Record<string, Disguise>> = {
  // A word of digits alone is a number to a reader, too: its last letter stays.
  digits: (text, seed) => text.replaceAll(/\p{L}+(?=\p{L})/gu, (letters) => table(LEET)(letters, seed)),
  signs: (text, seed) =>
    // A word that ends with one looks like the end of a sentence.
    text.replaceAll(/\p{L}+(?=\p{L})/gu, (letters) => table(SIGNS)(letters, seed)),
  spaces: between(" "),
  dots: between("."),
  hyphens: between("-"),
  "line breaks": between("\n"),
  emoji: between("🙂"),
};
