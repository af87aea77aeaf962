import { LOCALES } from "../../../src/common/i18n.ts";
import { sentencesOf } from "../../../src/common/languages.ts";

/** Ordinary sentences in every language: our own, but for those about what is refused. */
export const sentences: readonly string[] = LOCALES.flatMap((locale) => {
  return Object.values(sentencesOf(locale)).filter(
    (sentence) => sentence.includes(" ") && !/se[kx]|rozbier|cinsel|сексуал/i.test(sentence),
  );
});
