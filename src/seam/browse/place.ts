import { ownToken, TOKEN_BYTES } from "../text/actions.ts";

/** The mark of the buttons here, on every platform. */
export const BROWSE = "t";

const SHOWS = { home: "h", categories: "c", list: "l", card: "e" } as const;
const LISTS = { templates: "t", models: "m", catalogue: "a", category: "k", news: "n" } as const;

/** What people look through: ready-made looks, or what draws a picture. */
export type Kind = "templates" | "models";

/** Some entries: those of a kind that match words, of a catalogue by its name, of a category by its code, or new ones. */
export interface List {
  readonly by: keyof typeof LISTS;
  readonly what: string;
}

/**
 * What the one message shows. Its buttons carry the next place whole, so that they work after a restart without
 * anything being remembered.
 */
export interface BrowsePlace {
  readonly show: keyof typeof SHOWS;
  readonly list: List;
  /** From 0. */
  readonly page: number;
  /** For a card: the entry's code, and behind it the code of the chosen variant. */
  readonly code: string;
}

/** Bytes that searched words may fill: what the longest rest of a button leaves. */
const WORDS_BYTES = TOKEN_BYTES - ownToken(BROWSE, "e.999.CODECODECODECODE.t").length;

/** The first page of a list. */
export const firstPage = (list: List): BrowsePlace => ({ show: "list", list, page: 0, code: "" });

/** The first page of what matches words; of what does not fit into a button, only the beginning is looked for. */
export function found(kind: Kind, words: string): BrowsePlace {
  const bytes = new TextEncoder().encode(words.trim()).subarray(0, WORDS_BYTES);
  // A character that was cut in two is left out.
  const what = new TextDecoder().decode(bytes, { stream: true });
  return firstPage({ by: kind, what });
}

/** Where looking through begins. */
export const home = (kind: Kind): BrowsePlace => ({ ...firstPage({ by: kind, what: "" }), show: "home" });

/** A place as a button carries it. */
export function writePlace({ show, page, code, list }: BrowsePlace): string {
  return `${SHOWS[show]}.${page}.${code}.${LISTS[list.by]}${list.what}`;
}

/** The place that a button carries; undefined for what no button of ours carries. */
export function readPlace(text: string): BrowsePlace | undefined {
  const [, letter, page, code = "", by, what = ""] = /^(\w)\.(\d+)\.([\w-]*)\.(\w)([^]*)$/.exec(text) ?? [];
  const show = nameOf(SHOWS, letter);
  const list = nameOf(LISTS, by);
  return show && list && { show, page: Number(page), code, list: { by: list, what } };
}

function nameOf<T extends Readonly<Record<string, string>>>(letters: T, letter: string | undefined) {
  const names: (keyof T)[] = Object.keys(letters);
  return names.find((name) => letters[name] === letter);
}
