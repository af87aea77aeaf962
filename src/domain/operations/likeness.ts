/**
 * What a record shows of a job, compared with what was asked for: all of it and the same; nothing that speaks against
 * it; something else.
 */
export type Likeness = "same" | "possible" | "other";

/** Values side by side: one that the service does not show speaks neither for nor against it. */
export function compare(asked: readonly unknown[], shown: readonly unknown[]): Likeness {
  const likenesses = new Set(asked.map((value, index) => likenessOf(value, shown[index])));
  if (likenesses.has("other")) return "other";
  return likenesses.has("possible") ? "possible" : "same";
}

function likenessOf(asked: unknown, shown: unknown): Likeness {
  if (shown === null || shown === undefined)
    return asked === null || asked === undefined ? "same" : "possible";
  if (typeof asked === "string" && typeof shown === "string") return likenessOfWords(asked, shown);
  return asked === shown ? "same" : "other";
}

/** The service may show the beginning of a long text only, or space it otherwise. */
function likenessOfWords(asked: string, shown: string): Likeness {
  const [whole, seen] = [asked, shown].map((text) => text.normalize("NFC").replaceAll(/\s+/g, " ").trim());
  if (whole === undefined || seen === undefined || whole === seen) return "same";
  const beginning = seen.replace(/\s*(…|\.{3})$/, "");
  return whole.startsWith(beginning) ? "possible" : "other";
}
