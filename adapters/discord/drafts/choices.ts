import { codeOf } from "../../../src/seam/browse/catalogues.ts";
import type { FieldSpec, Suggestion } from "../../../src/seam/fields.ts";
import type { Sheet } from "../../../src/seam/forms/sheet.ts";
import type { Values } from "../../../src/seam/values.ts";
import type { ChatContext } from "../../kit/pipeline/context.ts";
import { DISCORD } from "../api/limits.ts";

/** What stands for an entry where Discord takes only short values. */
export const shortOf = ({ value }: Pick<Suggestion, "value">) =>
  value.length > DISCORD.command.choice ? codeOf(value) : value;

/**
 * Values with the entries that are meant by what was typed or picked for catalogues. What nothing can be found for stays as
 * it is: the core says what it thinks of it.
 */
export async function withEntriesMeant(
  asker: Pick<ChatContext, "intake" | "origin">,
  { name, fields }: Pick<Sheet, "name" | "fields">,
  given: Values,
): Promise<Values> {
  const values = { ...given };
  const catalogues = fields.filter(({ catalogue }) => catalogue !== undefined);
  // An entry is found before its variants.
  for (const field of catalogues.toSorted((a, b) => depthOf(a) - depthOf(b))) {
    const typed = given[field.name];
    if (typeof typed !== "string") continue;
    const entry = await entryMeant(asker, name, field, typed, values).catch(() => undefined);
    if (entry) values[field.name] = entry.value;
  }
  return values;
}

const depthOf = ({ within }: FieldSpec) => (within === undefined ? 0 : 1);

async function entryMeant(
  { intake, origin }: Pick<ChatContext, "intake" | "origin">,
  operation: string,
  field: FieldSpec,
  typed: string,
  values: Values,
): Promise<Suggestion | undefined> {
  const all = await intake.suggest(origin, operation, field.name, "", values);
  const named = (title: string) => title.toLowerCase() === typed.trim().toLowerCase();
  const exact =
    all.find((entry) => entry.value === typed || shortOf(entry) === typed) ??
    all.find(({ title }) => named(title));
  if (exact) return exact;
  const [only, ...others] = await intake.suggest(origin, operation, field.name, typed, values);
  return others.length === 0 ? only : undefined;
}
