import { useLayoutEffect, useState } from "preact/hooks";
import type { Locale } from "../../../../../src/common/i18n.ts";

/** Light, dark, or what the person's system says. */
export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

/** A choice that is kept in this browser; undefined until one is made. */
export function useKept<T extends string>(
  name: string,
  values: readonly T[],
): [T | undefined, (value: T) => void] {
  const [value, setValue] = useState(() => values.find((known) => known === localStorage.getItem(name)));
  return [
    value,
    (chosen) => {
      localStorage.setItem(name, chosen);
      setValue(chosen);
    },
  ];
}

/** The page's colours. */
export function useTheme(): [Theme, (theme: Theme) => void] {
  const [theme = "system", keep] = useKept("reelay.theme", THEMES);
  // Before anything is painted in other colours.
  useLayoutEffect(() => {
    document.documentElement.dataset["theme"] = theme;
  }, [theme]);
  return [theme, keep];
}

/** How the page looks, and how to change that. */
export interface Look {
  readonly locale: Locale;
  readonly setLocale: (locale: Locale) => void;
  readonly theme: Theme;
  readonly setTheme: (theme: Theme) => void;
}
