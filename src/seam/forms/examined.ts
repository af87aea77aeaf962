import { ReelayError } from "../../common/errors.ts";
import type { FieldSpec } from "../fields.ts";
import { withFile } from "./filling.ts";
import type { Intake } from "../surface/surface.ts";
import type { Origin } from "../origin.ts";
import type { MediaRef } from "../values.ts";

/**
 * Looks at a file that has just come.
 * @param field the one that it is for; where that is not decided, one that takes such files
 * @throws ReelayError for a file that can never be sent, as `Intake.examine` tells
 */
export async function examined(
  intake: Intake,
  origin: Origin,
  field: FieldSpec | undefined,
  file: MediaRef,
): Promise<void> {
  const [problem] = field ? await intake.examine(origin, [field], withFile(field, {}, file)) : [];
  if (problem) throw new ReelayError(problem.code, problem.params);
}

/** A field of any operation that takes such files. */
export function someField(
  { commands }: Pick<Intake, "commands">,
  fits: (field: FieldSpec) => boolean,
): FieldSpec | undefined {
  return commands.flatMap(({ fields }) => fields).find(fits);
}
