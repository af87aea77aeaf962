import type { Plugin } from "vite";

/**
 * Lets a page load the one language that is read, and of that what it may say: see `src/state/language.ts`.
 * @param isSaid whether the page may say the sentence of a key
 */
export function oneLanguage(isSaid: (key: string) => boolean): Plugin {
  return {
    name: "one-language",
    enforce: "pre",
    transform: {
      filter: { id: /\/(?:locales\/[\w-]+\.json|src\/common\/languages\.ts)$/ },
      handler(code, id) {
        if (id.endsWith(".ts")) return "export const sentencesOf = () => ({});";
        const sentences = Object.entries(JSON.parse(code) as Record<string, string>);
        return JSON.stringify(Object.fromEntries(sentences.filter(([key]) => isSaid(key))));
      },
    },
  };
}
