import { readFileSync } from "node:fs";

/** Ordinary sentences in every language: our own, but for those about what is refused. */
export const sentences: readonly string[] = ["en", "de", "pl"].flatMap((locale) => {
  const path = new URL(`../../../locales/${locale}.json`, import.meta.url);
  return Object.values(JSON.parse(readFileSync(path, "utf8")) as Record<string, string>).filter(
    (sentence) => sentence.includes(" ") && !/se[kx]|rozbier/i.test(sentence),
  );
});
