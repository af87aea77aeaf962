import { createInstance, type i18n } from "i18next";
import type en from "../../locales/en.json";
import { sentencesOf } from "./languages.ts";

/** The languages that are complete (a test checks it), English first. */
export const LOCALES = ["en", "de", "es", "fr", "pl", "pt-BR", "tr", "uk"] as const;

/** A language of `locales/`. */
export type Locale = (typeof LOCALES)[number];

type PluralForm = "zero" | "one" | "two" | "few" | "many" | "other";
type WithoutPlural<K> = K extends `${infer Stem}_${PluralForm}` ? Stem : K;

/** The key of a sentence, without its plural ending. */
export type MessageKey = WithoutPlural<keyof typeof en>;

/** Says a sentence in one language. */
export type Translate = (key: MessageKey, params?: Readonly<Record<string, string | number>>) => string;

const instance: i18n = createInstance();
await instance.init({
  resources: {},
  fallbackLng: "en",
  keySeparator: false,
  nsSeparator: false,
  interpolation: { escapeValue: false },
  initAsync: false,
});

const format = instance.services.formatter;
/** `{{cost, tokens}}`: token amounts are decimals; at most two places are shown. */
format?.add("tokens", (value: number, locale) =>
  new Intl.NumberFormat(locale, { maximumFractionDigits: 2 }).format(value),
);
/** `{{ms, duration}}`: milliseconds as seconds, minutes or hours. */
format?.add("duration", (value: number, locale) => formatDuration(value, locale ?? "en"));
/** `{{at, date}}`: milliseconds since 1970 as a date and time. */
format?.add("date", (value: number, locale) =>
  new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short" }).format(value),
);
/** `{{bytes, size}}`: bytes as MB. */
format?.add("size", (value: number, locale) =>
  new Intl.NumberFormat(locale, { style: "unit", unit: "megabyte", maximumFractionDigits: 1 }).format(
    value / 1e6,
  ),
);

const keys = new Set<string>();
const translators = new Map<Locale, Translate>();
// Whatever a language lacks is said in it.
addSentences("en", sentencesOf("en"));

/**
 * Teaches a language. Whoever has `locales/` need not: {@link translator} does, where one is first wanted.
 * @param locale one of {@link LOCALES}
 */
export function addSentences(locale: string, sentences: Readonly<Record<string, string>>): void {
  translators.clear();
  instance.addResourceBundle(locale, "translation", sentences, false, true, { skipCopy: true });
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
  const languages = tags.split(",").map((tag) => languageOf(tag.trim()));
  return languages.map((language) => LOCALES.find((locale) => languageOf(locale) === language)).find(Boolean);
}

/** The two letters (ISO 639-1) that a tag begins with. */
export const languageOf = (tag: string) => tag.toLowerCase().split(/[-_.;@]/)[0] ?? "";

/** Sentences in one language; a key that a language lacks falls back to English. */
export function translator(locale: Locale): Translate {
  const known = translators.get(locale);
  if (known) return known;
  if (!instance.hasResourceBundle(locale, "translation")) addSentences(locale, sentencesOf(locale));
  const say = instance.getFixedT(locale);
  const plain = new Map<MessageKey, string>();
  const translate: Translate = (key, params) => {
    // What is said of tokens alone is said in their number.
    if (params) return say(key, { count: params["tokens"], ...params });
    // Most of what is said has nothing to fill in: i18next would look it up anew each time.
    const said = plain.get(key) ?? say(key);
    plain.set(key, said);
    return said;
  };
  translators.set(locale, translate);
  return translate;
}

/** A sentence in English with `{name}` where a value would stand. */
export function sentenceOf(key: MessageKey): string {
  // A plural is shown as it is said of several.
  const sentence = instance.t(key, { lng: "en", count: 2, skipInterpolation: true });
  return sentence.replaceAll(/\{\{\s*(\w+)[^}]*\}\}/g, "{$1}");
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

function formatDuration(ms: number, locale: string): string {
  const seconds = Math.max(0, Math.round(ms / 1000));
  const unit = (value: number, name: "second" | "minute" | "hour") =>
    new Intl.NumberFormat(locale, { style: "unit", unit: name, unitDisplay: "short" }).format(value);
  if (seconds < 60) return unit(seconds, "second");
  if (seconds < 3600)
    return [
      unit(Math.floor(seconds / 60), "minute"),
      ...(seconds % 60 ? [unit(seconds % 60, "second")] : []),
    ].join(" ");
  return unit(Math.round(seconds / 360) / 10, "hour");
}
