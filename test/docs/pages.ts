import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

/** The folder that the pages are in. */
export const ROOT = fileURLToPath(new URL("../..", import.meta.url));

/** Every page that people read here, by its path from the root. */
export const PAGES: readonly string[] = globSync(
  [
    "*.md",
    "docs/*.md",
    "recipes/*.md",
    "clients/*/*.md",
    "bench/*.md",
    "src/**/README.md",
    "test/**/README.md",
  ],
  { cwd: ROOT },
).toSorted();

/** The guides and what leads to them: their commands are tried. */
export const GUIDES = PAGES.filter((page) =>
  /^(README|CONTRIBUTING|docs\/.*|recipes\/README)(\.md)?$/.test(page),
);

/** A page's text. */
export const textOf = (page: string): string => readFileSync(join(ROOT, page), "utf8");

/** A fenced block. */
interface Block {
  readonly page: string;
  /** Its number in the page, from 1. */
  readonly number: number;
  readonly language: string;
  readonly text: string;
}

const FENCED = /^( *)```(\S*)[^\n]*\n(.*?)^\1```$/gms;

/** The fenced blocks of a page, in their order. */
export function blocksOf(page: string): readonly Block[] {
  return [...textOf(page).matchAll(FENCED)].map(([, , language = "", text = ""], index) => ({
    page,
    number: index + 1,
    language,
    text,
  }));
}

/** What a page says outside of its fenced blocks. */
export const proseOf = (page: string): string => textOf(page).replaceAll(FENCED, "");

/** What a page shows as code within its sentences. */
export const inlineCodeOf = (page: string): readonly string[] =>
  [...proseOf(page).matchAll(/`([^`]+)`/g)].map(([, code = ""]) => code.replaceAll(/\s+/g, " "));
