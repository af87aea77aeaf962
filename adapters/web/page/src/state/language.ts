import { useEffect, useState } from "preact/hooks";
import {
  addSentences,
  knownLocale,
  LOCALES,
  translator,
  type Locale,
  type Translate,
} from "../../../../../src/common/i18n.ts";
import { IS_STUDIO } from "./api.ts";
import { useKept } from "./preferences.ts";

const LANGUAGES = import.meta.glob<Readonly<Record<string, string>>>("../../../../../locales/*.json", {
  import: "default",
});

/** The person's language: their choice here, else, where they have no other, the browser's. */
export function useLocale(): [Locale | undefined, (locale: Locale) => void] {
  const [kept, keep] = useKept("reelay.locale", LOCALES);
  // People of the chats chose theirs there.
  return [kept ?? (IS_STUDIO ? undefined : browserLocale()), keep];
}

/** The first of the browser's languages that Reelay speaks, if any. */
export const browserLocale = () => knownLocale(navigator.languages.join());

/** A language that is loaded. */
interface Language {
  readonly locale: Locale;
  readonly say: Translate;
}

/**
 * Loads a language when it is first wanted.
 * @returns undefined until the first is there; of a later one the one before, which also stays where it cannot be had
 */
export function useLanguage(wanted: Locale | undefined): Language | undefined {
  const [language, setLanguage] = useState<Language>();
  useEffect(() => {
    let stays = true;
    async function load(locale: Locale) {
      const sentences = await LANGUAGES[`../../../../../locales/${locale}.json`]?.();
      if (!sentences) return;
      addSentences(locale, sentences);
      if (stays) setLanguage({ locale, say: translator(locale) });
    }
    // The header goes on showing the one that is there.
    if (wanted) load(wanted).catch(() => undefined);
    return () => {
      stays = false;
    };
  }, [wanted]);
  return language;
}
