import type { CommandSpec, FieldSpec } from "../../../src/seam/fields.ts";
import { WrongFields } from "../access/problem.ts";

/** What something is asked for at. */
export type Endpoint = "generations" | "edits" | "videos";

/** Where a picture that is sent along belongs: in the first field that must have one, else in the first that may. */
export function pictureField({ fields }: CommandSpec): FieldSpec | undefined {
  const pictures = fields.filter(({ control }) => control === "image" || control === "images");
  return pictures.find(({ required }) => required) ?? pictures[0];
}

/** Whether an operation makes films. */
export const isFilm = ({ result }: CommandSpec): boolean => result !== "image";

const TAKEN_AT: Readonly<Record<Endpoint, (spec: CommandSpec) => boolean>> = {
  generations: (spec) => !isFilm(spec) && !pictureField(spec)?.required,
  edits: (spec) => !isFilm(spec) && pictureField(spec) !== undefined,
  videos: isFilm,
};

/** What is made where no model is named; said in the documentation. */
function defaultModel(endpoint: Endpoint, sent: (name: string) => boolean): string {
  if (endpoint === "generations") return "image";
  if (endpoint === "edits") return sent("mask") ? "inpaint" : "image-edit";
  return sent("input_reference") ? "video" : "video-audio";
}

/**
 * The operation that a request names as its model.
 * @param sent whether the request has a field
 * @param operations all that there are
 * @param find what throws for one that there is not
 * @throws ReelayError as `find`; WrongFields for one that is asked for elsewhere
 */
export function operationAt(
  endpoint: Endpoint,
  model: string | undefined,
  sent: (name: string) => boolean,
  { operations, find }: { operations: readonly CommandSpec[]; find: (name: string) => CommandSpec },
): CommandSpec {
  const spec = find(model ?? defaultModel(endpoint, sent));
  if (TAKEN_AT[endpoint](spec)) return spec;
  const choices = operations.filter(TAKEN_AT[endpoint]).map(({ name }) => name);
  const params = { field: "model", wanted: choices.join(", ") };
  throw new WrongFields([{ field: "model", code: "field_invalid", params, choices }]);
}
