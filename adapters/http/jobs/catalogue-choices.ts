import type { z } from "zod";
import type { CatalogueName, CommandSpec } from "../../../src/seam/fields.ts";
import type { Intake } from "../../../src/seam/surface/surface.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import { wrongCursor } from "../access/problem.ts";
import type { catalogueQuerySchema } from "../route/requests.ts";
import { type catalogueListSchema, choiceBody, type choiceListSchema } from "../resources/operation.ts";
import { type Asker, originOf } from "./submissions.ts";

/** A field whose values come from a catalogue; variants of its entries come by another one. */
interface Use {
  readonly operation: string;
  readonly field: string;
  readonly catalogue: CatalogueName;
  readonly within: string | undefined;
}

/** What can be chosen from, and for what. */
export function cataloguesOf(commands: readonly CommandSpec[]): z.output<typeof catalogueListSchema> {
  const uses = usesIn(commands);
  const ids = [...new Set(uses.map(({ catalogue }) => catalogue))];
  const data = ids.map((id) => ({
    id,
    used_by: uses
      .filter(({ catalogue }) => catalogue === id)
      .map(({ operation, field }) => ({ operation, field })),
  }));
  return { object: "list", data };
}

/**
 * One page of a catalogue, best matches first.
 * @throws ReelayError `not_found` for a catalogue that there is not, and for variants in one that has none; WrongFields for a
 * cursor behind its end
 */
export async function searchCatalogue(
  intake: Intake,
  asker: Pick<Asker, "user" | "locale">,
  id: string,
  { limit, cursor, search, of }: z.output<typeof catalogueQuerySchema>,
): Promise<z.output<typeof choiceListSchema>> {
  const use = usesIn(intake.commands).find(
    ({ catalogue, within }) => catalogue === id && (within !== undefined) === (of !== undefined),
  );
  if (!use) throw new ReelayError("not_found");
  const { operation, field, within } = use;
  const values = within === undefined || of === undefined ? {} : { [within]: of };
  const found = await intake.suggest(originOf(asker), operation, field, search, values);
  // A page begins at one of them, but for the first one of none.
  if (cursor > 0 && cursor >= found.length) throw wrongCursor();
  const end = cursor + limit;
  return {
    object: "list",
    data: found.slice(cursor, end).map(choiceBody),
    next_cursor: end < found.length ? String(end) : null,
  };
}

function usesIn(commands: readonly CommandSpec[]): Use[] {
  return commands.flatMap(({ name: operation, fields }) =>
    fields.flatMap(({ name: field, catalogue, within }) =>
      catalogue === undefined ? [] : [{ operation, field, catalogue, within }],
    ),
  );
}
