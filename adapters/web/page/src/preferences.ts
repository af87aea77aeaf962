import { useEffect, useState } from "preact/hooks";
import { LOCALES, nearestLocale, type Locale } from "../../../../src/i18n.ts";

/** Light, dark, or what the person's system says. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** A choice that is kept in this browser. */
function useKept<T extends string>(
  name: string,
  values: readonly T[],
  first: () => T,
): [T, (value: T) => void] {
  const [value, setValue] = useState<T>(() => {
    const kept = localStorage.getItem(name);
    return values.find((known) => known === kept) ?? first();
  });
  return [
    value,
    (chosen) => {
      localStorage.setItem(name, chosen);
      setValue(chosen);
    },
  ];
}

/** The page's language: the person's choice, else the first of the browser's that Reelay speaks. */
export function useLocale(): [Locale, (locale: Locale) => void] {
  const kept = useKept<Locale>("reelay.locale", LOCALES, () => {
    const spoken = navigator.languages.find((tag) =>
      LOCALES.some((locale) => tag.toLowerCase().startsWith(locale)),
    );
    return nearestLocale(spoken);
  });
  useEffect(() => {
    document.documentElement.lang = kept[0];
  }, [kept[0]]);
  return kept;
}

/** The page's colours. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const kept = useKept<Theme>("reelay.theme", THEMES, () => "system");
  useEffect(() => {
    document.documentElement.dataset["theme"] = kept[0];
  }, [kept[0]]);
  return kept;
}
