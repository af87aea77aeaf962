import { createHash } from "node:crypto";
import type { CatalogueName, CommandSpec, Suggestion } from "../fields.ts";
import { ReelayError } from "../../common/errors.ts";
import type { Translate } from "../../common/i18n.ts";
import type { Intake } from "../surface/surface.ts";
import type { Origin } from "../origin.ts";
import type { Kind } from "./place.ts";

/** Who looks through the catalogue, from where, and in which language. */
export interface Browser {
  readonly intake: Intake;
  readonly origin: Origin;
  readonly say: Translate;
}

/** What entries of a catalogue are good for: a field of an operation, and the one of its variants. */
export interface Use {
  readonly operation: string;
  readonly field: string;
  readonly variants: string | undefined;
}

/** A catalogue as people look through it. */
export interface BrowsedCatalogue {
  readonly catalogue: CatalogueName;
  readonly uses: readonly [Use, ...Use[]];
}

/** A variant of an entry. */
export interface Variant {
  readonly value: string;
  readonly title: string;
  readonly code: string;
}

/** Something of a catalogue. */
export interface BrowsedEntry {
  readonly browsed: BrowsedCatalogue;
  readonly code: string;
  readonly suggestion: Suggestion;
}

/** Characters of a code; six bits each. */
const CODE_LENGTH = 8;

/**
 * A short name for an entry, a variant or a category, whose own may be too long for a button or a link. It is
 * found again by looking through the catalogue, so that nothing is kept and shared links work for ever.
 */
export function codeOf(...names: readonly string[]): string {
  return createHash("sha256").update(names.join("\n")).digest("base64url").slice(0, CODE_LENGTH);
}

/** The code of an entry, and of its variant where one is chosen. */
export function splitCode(code: string): { entry: string; variant: string } {
  return { entry: code.slice(0, CODE_LENGTH), variant: code.slice(CODE_LENGTH) };
}

/** Every catalogue of a kind, in the order in which operations are offered. */
export function cataloguesOf(commands: readonly CommandSpec[], kind: Kind): readonly BrowsedCatalogue[] {
  const catalogues = new Map<CatalogueName, [Use, ...Use[]]>();
  for (const { name: operation, fields } of commands) {
    for (const { name: field, catalogue, within } of fields) {
      if (catalogue === undefined || within !== undefined || kindOf(catalogue) !== kind) continue;
      const variants = fields.find((other) => other.within === field)?.name;
      const use = { operation, field, variants };
      const uses = catalogues.get(catalogue);
      if (uses) uses.push(use);
      else catalogues.set(catalogue, [use]);
    }
  }
  return [...catalogues].map(([catalogue, uses]) => ({ catalogue, uses }));
}

/** Which kind a catalogue is of. */
export const kindOf = (catalogue: CatalogueName): Kind =>
  catalogue.endsWith("-templates") ? "templates" : "models";

/**
 * Entries of a catalogue that match words, best first.
 * @throws ReelayError when the service does not tell
 */
export async function entriesOf(
  { intake, origin }: Browser,
  browsed: BrowsedCatalogue,
  words = "",
): Promise<readonly BrowsedEntry[]> {
  const [{ operation, field }] = browsed.uses;
  const suggestions = await intake.suggest(origin, operation, field, words, {});
  return suggestions.map((suggestion) => ({
    browsed,
    suggestion,
    code: codeOf(browsed.catalogue, suggestion.value),
  }));
}

/**
 * Entries of all catalogues of a kind, one catalogue after the other.
 * @throws ReelayError when none of them can be read; one that rests hides no other
 */
export async function entriesOfKind(
  browser: Browser,
  kind: Kind,
  words = "",
): Promise<readonly BrowsedEntry[]> {
  const catalogues = cataloguesOf(browser.intake.commands, kind);
  const read = await Promise.allSettled(catalogues.map((browsed) => entriesOf(browser, browsed, words)));
  const failure = read.find(({ status }) => status === "rejected");
  if (failure?.status === "rejected" && !read.some(({ status }) => status === "fulfilled"))
    throw failure.reason;
  return read.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
}

/** The entry of a code. @throws ReelayError `stale_button` when it is gone */
export async function entryOf(browser: Browser, code: string): Promise<BrowsedEntry> {
  for (const kind of ["templates", "models"] as const) {
    const entry = (await entriesOfKind(browser, kind)).find((candidate) => candidate.code === code);
    if (entry) return entry;
  }
  throw new ReelayError("stale_button");
}

/** An entry's variants. */
export async function variantsOf(
  { intake, origin }: Browser,
  { browsed, suggestion, code }: BrowsedEntry,
): Promise<readonly Variant[]> {
  const use = browsed.uses.find(({ variants }) => variants !== undefined);
  if (use?.variants === undefined || suggestion.variants === 0) return [];
  const values = { [use.field]: suggestion.value };
  const variants = await intake.suggest(origin, use.operation, use.variants, "", values);
  return variants.map(({ value, title }) => ({ value, title, code: codeOf(code, value) }));
}

/** New and featured ones first, otherwise as they came. */
export function newsFirst(entries: readonly BrowsedEntry[]): readonly BrowsedEntry[] {
  return entries.toSorted((a, b) => b.suggestion.marks.length - a.suggestion.marks.length);
}

/** An entry's name with its marks. */
export function titleOf({ title, marks }: Suggestion): string {
  return [...marks.map((mark) => MARKS[mark]), title].join(" ");
}

const MARKS = { new: "🆕", featured: "⭐" } as const;
