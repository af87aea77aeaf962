import { describe, expect, it } from "vitest";
import en from "../../locales/en.json" with { type: "json" };
import { proseOf, textOf } from "./pages.ts";

/** The sentences of the program, whatever they are filled with; not those that are nothing else. */
const SENTENCES = Object.values(en).flatMap((sentence) => {
  const literal = sentence
    .split(/\{\{[^}]*\}\}/)
    .map((part) => part.replaceAll(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`));
  return /\p{L}/u.test(literal.join("")) ? [new RegExp(`^${literal.join(".+")}$`, "u")] : [];
});
const isSaid = (quote: string) => SENTENCES.some((sentence) => sentence.test(quote));

describe("docs/troubleshooting.md", () => {
  const quotes = [...proseOf("docs/troubleshooting.md").matchAll(/^> (.+)$/gm)].map(
    ([, quote = ""]) => quote,
  );

  it("quotes what people are told, word by word", () => {
    expect(quotes.length).toBeGreaterThan(20);
    expect(quotes.filter((quote) => !isSaid(quote))).toEqual([]);
    expect(isSaid("This is said nowhere.")).toBe(false);
  });
});

const FIGURE = /\d+ \(\d+\.\d+ %\)|\d+(?:\.\d+)? %|\d+ \/ \d+|\d+ of \d+/g;
const MEASURED = /\]\(\.\.\/bench\/RESULTS\.md#([\w-]+)\)/g;

/** The parts of the measurements by the addresses of their headings. */
const PARTS = new Map(
  textOf("bench/RESULTS.md")
    .split(/^## /m)
    .map((part) => {
      const [heading = ""] = part.split("\n", 1);
      return [
        heading
          .toLowerCase()
          .replaceAll(/[^\w\s-]/g, "")
          .replaceAll(" ", "-"),
        part,
      ] as const;
    }),
);

/** The figures of a page which stand beside a link to the measurements, and are not there. */
function unmeasured(page: string): { readonly found: number; readonly wrong: readonly string[] } {
  const paragraphs = proseOf(page)
    .split(/\n\n|\n(?=- )/)
    .map((text) => text.replaceAll(/\s+/g, " "));
  const figures = paragraphs.flatMap((paragraph) => {
    const parts = [...paragraph.matchAll(MEASURED)].map(([, anchor = ""]) => PARTS.get(anchor) ?? "");
    if (parts.length === 0) return [];
    return [...paragraph.matchAll(FIGURE)].map(([figure]) => ({
      figure,
      measured: parts.join("").includes(figure),
    }));
  });
  return {
    found: figures.length,
    wrong: figures.flatMap(({ figure, measured }) => (measured ? [] : [figure])),
  };
}

describe("measured promises", () => {
  it.each(["docs/promises.md", "docs/policy.md"])("of %s stand in bench/RESULTS.md", (page) => {
    const { found, wrong } = unmeasured(page);
    expect(found).toBeGreaterThan(0);
    expect(wrong).toEqual([]);
  });
});
