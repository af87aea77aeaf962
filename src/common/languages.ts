import { readFileSync } from "node:fs";

/** What a language of `locales/` says, read anew. The page is built without: it loads the one that is read. */
export function sentencesOf(locale: string): Readonly<Record<string, string>> {
  const file = new URL(`../../locales/${locale}.json`, import.meta.url);
  return JSON.parse(readFileSync(file, "utf8")) as Record<string, string>;
}
