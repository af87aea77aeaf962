import { existsSync, statSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { describe, expect, it } from "vitest";
import { PAGES, proseOf, ROOT, textOf } from "./pages.ts";

const LINK = /!?\[(?:[^\]]|\]\()*?\]\(([^)\s]+)\)|<(https?:[^>]+)>/g;

/** Where a page leads, as it is written. */
const linksOf = (page: string): readonly string[] =>
  [
    ...proseOf(page)
      .replaceAll(/`[^`]*`/g, "code")
      .matchAll(LINK),
  ].map(([, to, bare]) => to ?? bare ?? "");

/** A page's headings as addresses within it, as GitHub makes them. */
function anchorsOf(page: string): ReadonlySet<string> {
  const headings = [...proseOf(page).matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) => heading);
  return new Set(
    headings.map((heading) =>
      heading
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\s_-]/gu, "")
        .replaceAll(" ", "-"),
    ),
  );
}

/** What is wrong with a link; undefined where it leads somewhere. */
function mistakeIn(page: string, link: string): string | undefined {
  if (/^https?:/.test(link)) return URL.canParse(link) ? undefined : "no address";
  const [path = "", anchor] = link.split("#");
  const target = path === "" ? page : relative(ROOT, join(ROOT, dirname(page), path));
  if (!existsSync(join(ROOT, target))) return "no such file";
  if (anchor === undefined) return undefined;
  return PAGES.includes(target) && anchorsOf(target).has(anchor) ? undefined : "no such heading";
}

describe("the documents", () => {
  it.each(PAGES)("lead somewhere from %s", (page) => {
    const wrong = linksOf(page).flatMap((link) => {
      const mistake = mistakeIn(page, link);
      return mistake === undefined ? [] : [`${link}: ${mistake}`];
    });
    expect(wrong).toEqual([]);
  });

  it("notice what leads nowhere", () => {
    expect(mistakeIn("README.md", "docs/nowhere.md")).toBe("no such file");
    expect(mistakeIn("docs/operator.md", "privacy.md#nothing")).toBe("no such heading");
    expect(mistakeIn("docs/operator.md", "#nothing")).toBe("no such heading");
    expect(mistakeIn("README.md", "https://")).toBe("no address");
    expect(linksOf("README.md").length).toBeGreaterThan(20);
  });

  it("are all reached from the README", () => {
    const guides = PAGES.filter((page) => page.startsWith("docs/"));
    expect(linksOf("README.md")).toEqual(expect.arrayContaining(guides));
  });

  it("begin with a README that is read in one go, with a picture that is small", () => {
    expect(textOf("README.md").split("\n").length).toBeLessThanOrEqual(151);
    const picture = linksOf("README.md").find((link) => /\.(png|webp|gif|mp4)$/.test(link)) ?? "";
    expect(statSync(join(ROOT, picture)).size).toBeLessThan(500_000);
  });
});
