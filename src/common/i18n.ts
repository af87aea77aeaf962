import type en from "../../locales/en.json";
import { FORMATS, PLACE } from "./formats.ts";
import { sentencesOf } from "./languages.ts";

/** The languages that are complete (a test checks it), English first. */
export const LOCALES = ["en", "de", "es", "fr", "pl", "pt-BR", "tr", "uk"] as const;

/** A language of `locales/`. */
export type Locale = (typeof LOCALES)[number];

type PluralForm = "zero" | "one" | "two" | "few" | "many" | "other";
type WithoutPlural<K> = K extends `${infer Stem}_${PluralForm}` ? Stem : K;

/** The key of a sentence, without its plural ending. */
export type MessageKey = WithoutPlural<keyof typeof en>;

type Params = Readonly<Record<string, string | number>>;

/** Says a sentence in one language. */
export type Translate = (key: MessageKey, params?: Params) => string;

/** The same where nothing was to be sent: then that nothing was goes without saying. */
export function withoutSent(translate: Translate): Translate {
  return (key, params) => translate(key, params).replace(` ${translate("view.sent.none")}`, "");
}

const keys = new Set<string>();
const languages = new Map<string, Readonly<Record<string, string>>>();
const translators = new Map<Locale, Translate>();
// Whatever a language lacks is said in it.
addSentences("en", sentencesOf("en"));

/**
 * Teaches a language. Whoever has `locales/` need not: {@link translator} does, where one is first wanted.
 * @param locale one of {@link LOCALES}
 */
export function addSentences(locale: string, sentences: Readonly<Record<string, string>>): void {
  translators.clear();
  languages.set(locale, sentences);
  for (const key of Object.keys(sentences))
    keys.add(key).add(key.replace(/_(?:zero|one|two|few|many|other)$/, ""));
}

/**
 * The nearest language of `locales/`: `pl-PL` gives `pl`, and `pt` gives `pt-BR`.
 * @param tags a BCP 47 tag, a POSIX locale, or the header Accept-Language, whose first known one counts
 */
export function nearestLocale(tags: string | undefined, fallback: Locale = "en"): Locale {
  return knownLocale(tags) ?? fallback;
}

/** The same; undefined where none is known. */
export function knownLocale(tags = ""): Locale | undefined {
  const wanted = tags.split(",").map((tag) => languageOf(tag.trim()));
  return wanted.map((language) => LOCALES.find((locale) => languageOf(locale) === language)).find(Boolean);
}

/** The two letters (ISO 639-1) that a tag begins with. */
export const languageOf = (tag: string) => tag.toLowerCase().split(/[-_.;@]/)[0] ?? "";

/** Sentences in one language; a key that a language lacks falls back to English. */
export function translator(locale: Locale): Translate {
  const known = translators.get(locale);
  if (known) return known;
  if (!languages.has(locale)) addSentences(locale, sentencesOf(locale));
  const rules = new Intl.PluralRules(locale);
  const translate: Translate = (key, params) => {
    // What is said of tokens alone is said in their number.
    const count = params?.["count"] ?? params?.["tokens"];
    const sentence = sentenceIn(locale, key, typeof count === "number" ? rules.select(count) : "");
    if (sentence === undefined) return locale === "en" ? key : translator("en")(key, params);
    return params ? filled(sentence, params, locale) : sentence;
  };
  translators.set(locale, translate);
  return translate;
}

/** A sentence in English with `{name}` where a value would stand. */
export function sentenceOf(key: MessageKey): string {
  // A plural is shown as it is said of several.
  return (sentenceIn("en", key, "other") ?? key).replaceAll(PLACE, "{$1}");
}

/** Whether a string is the key of a sentence: for labels that only the service's data decides about. */
export function hasMessage(key: string): key is MessageKey {
  return keys.has(key);
}

/**
 * The key of a sentence that must be there. A test checks that each operation and each field has its own.
 * @throws Error that names the key
 */
export function messageKey(key: string): MessageKey {
  if (!hasMessage(key)) throw new Error(`locales/en.json lacks ${key}`);
  return key;
}

function sentenceIn(locale: Locale, key: MessageKey, form: PluralForm | ""): string | undefined {
  const sentences = languages.get(locale);
  // A name that is put together is slow to look up.
  return (form && sentences?.[`${key}_${form}`]) || sentences?.[key];
}

/** A place for which there is no value stays as it is written. */
function filled(sentence: string, params: Params, locale: Locale): string {
  return sentence.replaceAll(PLACE, (place, name: string, format?: keyof typeof FORMATS) => {
    const value = params[name];
    if (value === undefined) return place;
    // What is counted is a number wherever it is one.
    const as = format ?? (name === "count" && typeof value === "number" ? "number" : undefined);
    return as ? FORMATS[as](Number(value), locale) : String(value);
  });
}
