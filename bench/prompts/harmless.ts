import prompts from "./harmless.json" with { type: "json" };

/**
 * What must be let through, with a photo and without, by language: everybody of `who` in everything of `what`, and hard
 * ones by themselves.
 */
export function harmless(): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(prompts).map(([language, { who, what, hard }]) => [
      language,
      [...who.flatMap((one) => what.map((does) => `${one} ${does}`)), ...hard],
    ]),
  );
}
