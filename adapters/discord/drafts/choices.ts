import { codeOf } from "../../../src/chat/browse/catalogues.ts";
import type { FieldSpec, Suggestion } from "../../../src/chat/fields.ts";
import type { Intake, Origin } from "../../../src/chat/surface.ts";
import type { Values } from "../../../src/chat/values.ts";
import { DISCORD } from "../api/limits.ts";

/** Who asks a catalogue. */
export interface Asker {
  readonly intake: Intake;
  readonly origin: Origin;
}

/** What stands for an entry where Discord takes only short values. */
export const shortOf = ({ value }: Pick<Suggestion, "value">) =>
  value.length > DISCORD.command.choice ? codeOf(value) : value;

/**
 * Entries of a field's catalogue.
 * @throws ReelayError when the service does not tell
 */
export async function entriesOf(
  { intake, origin }: Asker,
  operation: string,
  field: FieldSpec,
  words: string,
  values: Values,
): Promise<readonly Suggestion[]> {
  return intake.suggest(origin, operation, field.name, words, values);
}

/**
 * The entries that are meant by what was typed or picked for catalogues, by field. What nothing can be found for is
 * left out: the core says what it thinks of it.
 */
export async function entriesMeant(
  asker: Asker,
  operation: string,
  fields: readonly FieldSpec[],
  given: Values,
): Promise<Readonly<Record<string, Suggestion>>> {
  const meant: Record<string, Suggestion> = {};
  const catalogues = fields.filter(({ catalogue }) => catalogue !== undefined);
  // An entry is found before its variants.
  for (const field of catalogues.toSorted((a, b) => depthOf(a) - depthOf(b))) {
    const typed = given[field.name];
    if (typeof typed !== "string") continue;
    const values = withEntries(given, meant);
    const entry = await entryMeant(asker, operation, field, typed, values).catch(() => undefined);
    if (entry) meant[field.name] = entry;
  }
  return meant;
}

const depthOf = ({ within }: FieldSpec) => (within === undefined ? 0 : 1);

/** Values with the names that the service knows those entries by. */
export function withEntries(values: Values, meant: Readonly<Record<string, Suggestion>>): Values {
  return {
    ...values,
    ...Object.fromEntries(Object.entries(meant).map(([name, { value }]) => [name, value])),
  };
}

async function entryMeant(asker: Asker, operation: string, field: FieldSpec, typed: string, values: Values) {
  const { intake, origin } = asker;
  const all = await intake.suggest(origin, operation, field.name, "", values);
  const named = (title: string) => title.toLowerCase() === typed.trim().toLowerCase();
  const exact =
    all.find((entry) => entry.value === typed || shortOf(entry) === typed) ??
    all.find(({ title }) => named(title));
  if (exact) return exact;
  const [only, ...others] = await intake.suggest(origin, operation, field.name, typed, values);
  return others.length === 0 ? only : undefined;
}
