import { z } from "zod";
import type { CatalogueName, Control, FieldSpec } from "../../seam/fields.ts";
import type { SoundBounds } from "../../infrastructure/media/sounds/bounds.ts";
import { isMediaRef, type MediaRef, type Value, type Values } from "../../seam/values.ts";
import { SEED, VID3_BOUNDS } from "../../common/contract.ts";
import type { Problem } from "../../seam/views.ts";
import { type ErrorCode, type Params, ReelayError } from "../../common/errors.ts";
import { hasMessage, messageKey } from "../../common/i18n.ts";
import { seenWords } from "../../seam/text/cut.ts";
import { wantedFor, wantedOf } from "../../seam/forms/wanted.ts";

declare module "zod" {
  interface GlobalMeta {
    control?: Control;
    advanced?: boolean;
    /** Given by a button, never asked for. */
    fromButton?: boolean;
    unless?: string;
    when?: FieldSpec["when"];
    /** Where the values of a `catalogue` field come from. */
    catalogue?: CatalogueName;
    within?: string;
    over?: string;
    sounds?: SoundBounds;
    fitBytes?: number;
    /** The name that its label and hint stand under, where the field's own says something else elsewhere. */
    called?: string;
  }
}

/** The schema of anything a person fills in. */
export type FormSchema = z.ZodObject<Record<string, z.ZodType<Value | undefined>>>;

const file = () => z.custom<MediaRef>(isMediaRef);

/** The schema of a picture field. */
export const picture = () => file().meta({ control: "image" });

/**
 * The schema of a field for several pictures, in their order.
 * @param fitBytes each is made to fit into this many bytes
 */
export const pictures = (min: number, max: number, fitBytes?: number) =>
  z
    .array(file())
    .min(min)
    .max(max)
    .meta({ control: "images", ...(fitBytes !== undefined && { fitBytes }) });

/** The schema of a picture in which white marks a part of the picture in another field. */
export const mask = (over: string) => file().meta({ control: "mask", over });

/** The schema of a field for sounds. */
export const sounds = (max: number, bounds: SoundBounds) =>
  z.array(file()).min(1).max(max).meta({ control: "sounds", sounds: bounds });

/** The contract bounds only vid3's prompt (section 4.8); longer ones are no use anywhere. */
export const words = () => z.string().overwrite(readable).min(1).max(VID3_BOUNDS.prompt.max);

/** The schema of a seed: -1 is a random one (section 4.3). Left out, the service takes one. */
export const seed = () => z.int().min(SEED.random).optional().meta({ advanced: true });

/** The schema of a choice from a catalogue. */
export const chosen = (catalogue: CatalogueName, within?: string) =>
  z
    .string()
    .min(1)
    .meta({ control: "catalogue", catalogue, ...(within !== undefined && { within }) });

/** What JSON Schema says of one field, as zod writes it, with our own marks beside it. */
interface FieldSchema extends z.GlobalMeta {
  type?: string;
  enum?: (string | number)[];
  default?: string | number | boolean;
  minimum?: number;
  maximum?: number;
  multipleOf?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
}

/** Schemas never change: each is read once. */
const known = new WeakMap<FormSchema, readonly FieldSpec[]>();

/** The fields of a command as plain data, derived from its schema alone. */
export function fieldsOf(schema: FormSchema): readonly FieldSpec[] {
  const fields = known.get(schema) ?? readFields(schema);
  known.set(schema, fields);
  return fields;
}

function readFields(schema: FormSchema): readonly FieldSpec[] {
  const json = z.toJSONSchema(schema, { unrepresentable: "any", io: "input" });
  const required = new Set(json.required);
  return Object.entries(json.properties ?? {})
    .map(([name, property]) => [name, property as FieldSchema] as const)
    .filter(([, field]) => !field.fromButton)
    .map(([name, field]) => describe(name, field, required.has(name)));
}

function describe(name: string, field: FieldSchema, required: boolean): FieldSpec {
  const label = messageKey(`field.${field.called ?? name}`);
  const hint = `${label}.hint`;
  return {
    name,
    label,
    control: field.control ?? controlOf(field),
    required,
    advanced: field.advanced ?? false,
    ...(hasMessage(hint) && { hint }),
    ...(field.unless !== undefined && { unless: field.unless }),
    ...(field.when !== undefined && { when: field.when }),
    ...(field.catalogue !== undefined && { catalogue: field.catalogue }),
    ...(field.within !== undefined && { within: field.within }),
    ...(field.default !== undefined && { default: field.default }),
    ...(field.minimum !== undefined && { min: field.minimum }),
    // zod writes the largest safe integer where no bound was given.
    ...(field.maximum !== undefined && field.maximum < Number.MAX_SAFE_INTEGER && { max: field.maximum }),
    ...(field.type === "integer" && { integer: true }),
    ...(field.multipleOf !== undefined && { multipleOf: field.multipleOf }),
    ...(field.minItems !== undefined && { minItems: field.minItems }),
    ...(field.maxItems !== undefined && { maxItems: field.maxItems }),
    ...(field.over !== undefined && { over: field.over }),
    ...(field.sounds !== undefined && { sounds: field.sounds }),
    ...(field.fitBytes !== undefined && { fitBytes: field.fitBytes }),
    ...(field.maxLength !== undefined && { maxLength: field.maxLength }),
    ...(field.enum !== undefined && { choices: field.enum.map((value) => choice(name, value)) }),
  };
}

function controlOf(field: FieldSchema): Control {
  if (field.enum) return "choice";
  if (field.type === "boolean") return "switch";
  return field.type === "integer" || field.type === "number" ? "number" : "text";
}

function choice(field: string, value: string | number) {
  const label = `choice.${field}.${value}`;
  return { value, ...(hasMessage(label) && { label }) };
}

/**
 * Checks values strictly against a schema and fills in defaults. A list without files counts as not given.
 * @throws ReelayError `field_required`, `field_out_of_range`, `field_count`, `field_too_long` or `field_invalid`;
 * `params.field` names it
 */
export function checkValues<S extends FormSchema>(schema: S, given: Values): z.output<S> {
  const values = withoutEmptyLists(given);
  const checked = schema.safeParse(values);
  if (checked.success) return checked.data;
  const [first] = errorsOf(schema, checked.error, values);
  throw first ?? new ReelayError("internal", {}, { cause: checked.error });
}

/** Half a character, or none at all, would break whoever reads it as JSON: it becomes the sign for what cannot be read. */
function readable(text: string): string {
  return seenWords(text.toWellFormed().replaceAll("\0", "\ufffd"));
}

/** Everything that {@link checkValues} would refuse, not the first alone; one problem for each field. */
export function problemsOf(schema: FormSchema, given: Values): readonly Problem[] {
  const values = withoutEmptyLists(given);
  const { error } = schema.safeParse(values);
  if (!error) return [];
  const byField = new Map<string, Problem>();
  for (const { code, params } of errorsOf(schema, error, values)) {
    const field = String(params["field"] ?? params["name"]);
    if (!byField.has(field)) byField.set(field, { code, params, field });
  }
  return [...byField.values()];
}

function withoutEmptyLists(given: Values): Values {
  return Object.fromEntries(Object.entries(given).filter(([, value]) => !isEmptyList(value)));
}

function errorsOf(schema: FormSchema, { issues }: z.ZodError, values: Values): ReelayError[] {
  return issues.flatMap((issue) =>
    issue.code === "unrecognized_keys"
      ? issue.keys.map((name) => new ReelayError("field_unknown", { name }))
      : [fieldError(fieldsOf(schema), issue, values)],
  );
}

function isEmptyList(value: Value | undefined): boolean {
  return Array.isArray(value) && value.length === 0;
}

function fieldError(fields: readonly FieldSpec[], issue: z.core.$ZodIssue, values: Values): ReelayError {
  const name = String(issue.path[0] ?? "");
  const field = fields.find((candidate) => candidate.name === name);
  const { code, params } = refusalOf(name, field, issue, values);
  const called = field?.label.slice("field.".length) ?? name;
  return new ReelayError(code, { ...params, field: name, ...(called !== name && { called }) });
}

function refusalOf(
  name: string,
  field: FieldSpec | undefined,
  issue: z.core.$ZodIssue,
  values: Values,
): { code: ErrorCode; params: Params } {
  const given = values[name];
  if (given === undefined || (typeof given === "string" && readable(given) === ""))
    return { code: "field_required", params: {} };
  if (issue.code === "too_big" && issue.origin === "string") {
    return { code: "field_too_long", params: { max: Number(issue.maximum) } };
  }
  if ((issue.code === "too_big" || issue.code === "too_small") && issue.origin === "array") {
    const { minItems: min = 1, maxItems: max = min } = field ?? {};
    return { code: "field_count", params: { min, max } };
  }
  if (issue.code === "not_multiple_of") {
    // The nearest number that fits.
    const wanted = Math.round(Number(given) / issue.divisor) * issue.divisor;
    return { code: "field_invalid", params: { wanted } };
  }
  if ((issue.code === "too_big" || issue.code === "too_small") && field?.max !== undefined) {
    return { code: "field_out_of_range", params: { min: field.min ?? 0, max: field.max } };
  }
  // A sentence of ours says more of it than its field does.
  const isSaid = field === undefined || issue.message.startsWith("wanted.");
  return { code: "field_invalid", params: isSaid ? wantedOf(issue) : wantedFor(field) };
}
