import type { FieldSpec } from "../../../src/seam/fields.ts";
import type { Json } from "../../../src/common/json.ts";
import type { MediaRef, Value, Values } from "../../../src/seam/values.ts";
import { wantedFor, writtenNumber } from "../../../src/seam/forms/wanted.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { HeldFiles, Hold } from "../../../src/infrastructure/media/files/held-files.ts";
import type { ReadRequest } from "../body/read-request.ts";
import { BODY_BOUNDS } from "../body/bounds.ts";
import { storeText } from "../body/store-text.ts";
import { METADATA_WANTED } from "../route/requests.ts";
import { exampleOf } from "../resources/field-example.ts";
import { type WrongField, wrongInput } from "../access/problem.ts";

/** How the words of an input become values. */
export interface InputParts {
  readonly fields: readonly FieldSpec[];
  readonly read: Pick<ReadRequest, "fields" | "files" | "bare" | "form">;
  readonly held: HeldFiles;
  /** Whoever needs the files of this request. */
  readonly hold: Hold;
}

const SWITCHED: ReadonlyMap<string, boolean> = new Map([
  ["true", true],
  ["1", true],
  ["on", true],
  ["false", false],
  ["0", false],
  ["off", false],
]);

/** What an input says, as far as it can be understood. */
export interface Input {
  readonly values: Values;
  /** What no field takes: an object, text that is no file, a file where there is no field for one. */
  readonly wrong: readonly WrongField[];
}

/**
 * An operation's input as the core takes it: files stored, and the text of a form as the type that its field has. Of
 * what a client sends only text ever becomes a file: a reference that it made up stays text, or is refused.
 */
export async function inputValues(input: Readonly<Record<string, Json>>, parts: InputParts): Promise<Input> {
  const values: Record<string, Value> = {};
  const wrong: WrongField[] = [];
  const taken = new Set<string>();
  for (const [name, given] of Object.entries(input)) {
    const spec = parts.fields.find((field) => field.name === name);
    if (!(spec && isFileField(spec)) && typeof given === "string" && parts.read.files.has(given)) {
      taken.add(given);
      wrong.push(misplacedIn(name, spec, parts.read.bare?.has(given) ?? false));
      continue;
    }
    try {
      const value = spec && isFileField(spec) ? await files(spec, given) : plain(spec, given);
      if (value === undefined) wrong.push(refused(name, spec));
      else values[name] = value;
    } catch (error) {
      if (!spec || !(error instanceof ReelayError) || error.code === "internal") throw error;
      wrong.push(wrongInput({ code: error.code, params: error.params, field: name }, parts.fields));
    }
  }
  const stray = [...parts.read.files.keys()].find((placeholder) => !taken.has(placeholder));
  if (stray !== undefined && wrong.length === 0)
    wrong.push(holds(parts.read.fields["metadata"], stray) ? longMetadata() : refused("", undefined));
  return { values, wrong };

  async function files({ name, control }: FieldSpec, given: Json): Promise<Value | undefined> {
    const texts = Array.isArray(given) ? (given as readonly Json[]) : [given];
    // Before the first of them is on the disk.
    const max = BODY_BOUNDS.files;
    if (texts.length > max) throw new ReelayError("too_many_files", { max });
    if (!texts.every((text) => typeof text === "string")) return undefined;
    const refs: MediaRef[] = [];
    for (const text of texts) {
      const stored = parts.read.files.get(text);
      if (stored) taken.add(text);
      refs.push(stored ?? (await storeText(name, text, parts.held, parts.hold)));
    }
    if (control === "images" || control === "sounds") return refs;
    return refs.length === 1 ? refs[0] : undefined;
  }

  function plain(spec: FieldSpec | undefined, given: Json): Value | undefined {
    if (typeof given === "object") return undefined;
    return parts.read.form && spec && typeof given === "string" ? typed(spec, given) : given;
  }
}

/** What is wrong with what was read as a file, or would have been, in a field that takes none. @param isBare see `IncomingFiles` */
function misplacedIn(name: string, spec: FieldSpec | undefined, isBare: boolean): WrongField {
  return isBare ? tooLong(name, spec) : refused(name, spec);
}

/**
 * The same of what could not even be stored, undefined where a file is taken.
 * @param fields of the operation that is asked for
 */
export function misplaced(
  fields: readonly FieldSpec[],
  [name = "", ...inner]: readonly string[],
  isBare: boolean,
): WrongField | undefined {
  const spec = fields.find((field) => field.name === name);
  if (spec && isFileField(spec)) return undefined;
  return misplacedIn(name, spec, isBare && inner.length === 0);
}

/** What is wrong where text that is read as a file stands in what is sent back as it is: such text is longer than all of that may be. */
export function longMetadata(): WrongField {
  const field = "metadata";
  return { field, code: "field_invalid", params: { field, wanted: METADATA_WANTED } };
}

function holds(value: Json | undefined, text: string): boolean {
  if (typeof value !== "object" || value === null) return value === text;
  return Object.values<Json>(value).some((inner) => holds(inner, text));
}

function isFileField({ control }: FieldSpec): boolean {
  return control === "image" || control === "images" || control === "mask" || control === "sounds";
}

/** The text of a form as its field's type; what does not fit stays text, and is refused as such. */
function typed({ control, choices = [] }: FieldSpec, text: string): string | number | boolean {
  if (control === "switch") return SWITCHED.get(text.toLowerCase()) ?? text;
  if (control === "choice") return choices.find(({ value }) => String(value) === text)?.value ?? text;
  return (control === "number" ? writtenNumber(text) : undefined) ?? text;
}

/** Text without blanks is read as a file where it is longer than any text may be. */
function tooLong(name: string, spec: FieldSpec | undefined): WrongField {
  const max = spec?.maxLength;
  if (spec === undefined || max === undefined) return refused(name, spec);
  return wrongInput({ code: "field_too_long", params: { max }, field: name }, [spec]);
}

function refused(name: string, spec: FieldSpec | undefined): WrongField {
  const field = name ? `input.${name}` : "body";
  if (name && !spec) return { field, code: "field_unknown", params: { name: field } };
  const wanted = spec ? wantedFor(spec) : { wanted: "files in fields that take one" };
  return {
    field,
    code: "field_invalid",
    params: { field, ...wanted },
    ...(spec && { example: exampleOf(spec) }),
  };
}
