import { ReelayError } from "../../common/errors.ts";
import { ownAction } from "../text/actions.ts";
import type { CatalogueName } from "../fields.ts";
import type { Action, Message, NoticeView } from "../views.ts";
import { type Page, pageOf } from "./pager.ts";
import { BROWSE, firstPage, home, type Kind, type List, type BrowsePlace, writePlace } from "./place.ts";
import {
  type Browser,
  codeOf,
  entriesOf,
  entriesOfKind,
  type BrowsedEntry,
  entryOf,
  kindOf,
  newsFirst,
  type BrowsedCatalogue,
  cataloguesOf,
  splitCode,
  titleOf,
  variantsOf,
} from "./catalogues.ts";

/** Categories on one page: with the ways on and back, no more buttons than any platform takes (Discord: 25). */
const CATEGORIES = 16;

const VIEWS: Readonly<
  Record<BrowsePlace["show"], (browser: Browser, place: BrowsePlace) => Promise<NoticeView>>
> = {
  home: homeView,
  categories: categoriesView,
  list: listView,
  card: cardView,
};

/** What is seen at a place. @throws ReelayError when the service does not tell, or what it shows is gone */
export function viewOf(browser: Browser, place: BrowsePlace): Promise<NoticeView> {
  return VIEWS[place.show](browser, place);
}

async function homeView({ intake }: Browser, { list }: BrowsePlace): Promise<NoticeView> {
  const kind = list.by === "models" ? "models" : "templates";
  const catalogues = cataloguesOf(intake.commands, kind).map(({ catalogue }) =>
    go({ key: `browse.catalogue.${catalogue}` }, categoriesOf(catalogue)),
  );
  const news = go({ key: "browse.news" }, firstPage({ by: "news", what: "" }));
  const actions = [...catalogues, ...(kind === "templates" ? [news] : []), searchButton(kind)];
  return { kind: "notice", text: { key: `browse.${kind}.home` }, actions };
}

async function categoriesView(browser: Browser, place: BrowsePlace): Promise<NoticeView> {
  const browsed = catalogueOf(browser, place.list.what);
  const { catalogue } = browsed;
  const entries = await entriesOf(browser, browsed);
  const categories = Map.groupBy(entries, ({ suggestion }) => suggestion.category);
  const all = firstPage({ by: "catalogue", what: catalogue });
  if (categories.size < 2) return listView(browser, all);
  const shown = pageOf([...categories], place.page, CATEGORIES);
  const actions = shown.items.flatMap(([category, { length: count }]) => {
    if (category === undefined) return [];
    const list = firstPage({ by: "category", what: codeOf(catalogue, category) });
    return go({ key: "browse.count", params: { name: category, count } }, list);
  });
  return {
    kind: "notice",
    text: { key: `browse.catalogue.${catalogue}` },
    actions: [
      go({ key: "browse.all", params: { count: entries.length } }, all),
      ...actions,
      ...turns(place, shown),
      back(home(kindOf(catalogue))),
    ],
  };
}

async function listView(browser: Browser, place: BrowsePlace): Promise<NoticeView> {
  const { list } = place;
  const { title, entries, before } = await pick(browser, list);
  if (entries.length === 0) return { kind: "notice", text: { key: "browse.none" }, actions: [back(before)] };
  const shown = pageOf(entries, place.page);
  const { items, page, pages } = shown;
  return {
    kind: "notice",
    text: { key: "browse.list", params: { title, page: page + 1, pages } },
    actions: [
      ...items.map(({ code, suggestion }) =>
        go(plain(titleOf(suggestion)), { show: "card", list, page, code }),
      ),
      ...turns(place, shown),
      back(before),
    ],
  };
}

/** Leads to the pages before and after the one that is shown. */
function turns(place: BrowsePlace, { page, pages }: Page<unknown>): Action[] {
  return [
    ...(page > 0 ? [go({ key: "browse.previous" }, { ...place, page: page - 1 })] : []),
    ...(page + 1 < pages ? [go({ key: "browse.next" }, { ...place, page: page + 1 })] : []),
  ];
}

/** The entries of a list, what it is called, and where it was come from. */
async function pick(
  browser: Browser,
  { by, what }: List,
): Promise<{ title: string; entries: readonly BrowsedEntry[]; before: BrowsePlace }> {
  const { say } = browser;
  if (by === "catalogue") {
    const browsed = catalogueOf(browser, what);
    const entries = await entriesOf(browser, browsed);
    const hasCategories = new Set(entries.map(({ suggestion }) => suggestion.category)).size > 1;
    const before = hasCategories ? categoriesOf(browsed.catalogue) : home(kindOf(browsed.catalogue));
    return { title: say(`browse.catalogue.${browsed.catalogue}`), entries, before };
  }
  if (by === "news") {
    const entries = newsFirst(await entriesOfKind(browser, "templates"));
    return {
      title: say("browse.news"),
      entries: entries.filter(({ suggestion }) => suggestion.marks.length > 0),
      before: home("templates"),
    };
  }
  if (by === "category") {
    const everything = await entriesOfKind(browser, "templates");
    const entries = everything.filter(
      ({ browsed, suggestion: { category } }) =>
        category !== undefined && codeOf(browsed.catalogue, category) === what,
    );
    const [first] = entries;
    if (!first) throw new ReelayError("stale_button");
    const title = first.suggestion.category ?? "";
    return { title, entries, before: categoriesOf(first.browsed.catalogue) };
  }
  return {
    title: say("browse.found", { words: what }),
    entries: await entriesOfKind(browser, by, what),
    before: home(by),
  };
}

/** An entry with what it can be used for. A variant is chosen by pressing it, and given up by pressing it again. */
async function cardView(browser: Browser, place: BrowsePlace): Promise<NoticeView> {
  const { entry: code, variant: chosenCode } = splitCode(place.code);
  const entry = await entryOf(browser, code);
  const { browsed, suggestion } = entry;
  const { category, description = "", pictures } = suggestion;
  const variants = await variantsOf(browser, entry);
  const chosen = variants.find((variant) => variant.code === chosenCode);
  const name = [titleOf(suggestion), ...(chosen ? [chosen.title] : [])].join(" · ");
  return {
    kind: "notice",
    text: { key: "browse.card", params: { name, description } },
    facts: [
      ...(category === undefined ? [] : [{ label: "browse.category", value: plain(category) } as const]),
      ...suggestion.marks.map(
        (mark) => ({ label: "browse.mark", value: { key: `page.mark.${mark}` } }) as const,
      ),
      ...(pictures === undefined
        ? []
        : [{ label: "browse.pictures", value: plain(String(pictures)) } as const]),
    ],
    actions: [
      ...browsed.uses
        .filter((use) => use.variants !== undefined || !chosen)
        .map(({ operation }) =>
          button({ key: "browse.use", params: { operation } }, `u.${operation}.${place.code}`, "primary"),
        ),
      ...variants.map((variant) => {
        const isChosen = variant === chosen;
        return go(plain(isChosen ? `✓ ${variant.title}` : variant.title), {
          ...place,
          code: isChosen ? code : code + variant.code,
        });
      }),
      back({ ...place, show: "list", code: "" }),
    ],
  };
}

/** @throws ReelayError `stale_button` when no operation has this catalogue any more */
function catalogueOf({ intake }: Browser, catalogue: string): BrowsedCatalogue {
  const catalogues = [
    ...cataloguesOf(intake.commands, "templates"),
    ...cataloguesOf(intake.commands, "models"),
  ];
  const browsed = catalogues.find((candidate) => candidate.catalogue === catalogue);
  if (!browsed) throw new ReelayError("stale_button");
  return browsed;
}

function categoriesOf(catalogue: CatalogueName): BrowsePlace {
  return { ...firstPage({ by: "catalogue", what: catalogue }), show: "categories" };
}

/** A name of the service's: the same in every language. */
const plain = (text: string): Message => ({ key: "fact.text", params: { text } });

const button = (label: Message, what: string, style?: Action["style"]) =>
  ownAction(BROWSE, what, label, style);

/** Asks for words to search for. */
export const searchButton = (kind: Kind) => button({ key: "browse.search" }, `q.${kind}`);

const go = (label: Message, place: BrowsePlace) => button(label, writePlace(place));

const back = (place: BrowsePlace) => go({ key: "action.back" }, place);
