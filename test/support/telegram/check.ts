import type { ApiDescription, Described } from "./description.ts";
import { badRequest } from "./refusal.ts";
import { Upload } from "./upload.ts";

const ARRAY = "Array of ";

/**
 * Whether a value is of a type of the description.
 * @returns what is wrong, naming the place; nothing when it fits
 */
function misfit(api: ApiDescription, value: unknown, type: string, place: string): string | undefined {
  if (type.startsWith(ARRAY)) return misfitArray(api, value, type.slice(ARRAY.length), place);
  const holds = SIMPLE[type];
  if (holds) return holds(value) ? undefined : `${place} must be of type ${type}`;
  if (typeof value !== "object" || value === null) return `${place} must be an object ${type}`;
  const described = api.types[type];
  if (!described) throw new Error(`The description has no type ${type}.`);
  return described.subtypes
    ? misfitUnion(api, value, described.subtypes, place)
    : misfitObject(api, value, type, described, place);
}

const SIMPLE: Record<string, (value: unknown) => boolean> = {
  Integer: Number.isInteger,
  Float: (value) => typeof value === "number",
  String: (value) => typeof value === "string",
  Boolean: (value) => typeof value === "boolean",
  InputFile: (value) => value instanceof Upload,
};

/** Whether a value fits at least one of several types. */
function misfitAny(
  api: ApiDescription,
  value: unknown,
  types: readonly string[],
  place: string,
): string | undefined {
  const wrong = types.map((type) => misfit(api, value, type, place));
  if (wrong.includes(undefined)) return undefined;
  // The longest got deepest: it says most about what was meant.
  return wrong.toSorted((a, b) => (b ?? "").length - (a ?? "").length)[0];
}

function misfitArray(api: ApiDescription, value: unknown, type: string, place: string): string | undefined {
  if (!Array.isArray(value)) return `${place} must be an array`;
  return value
    .map((one: unknown, index) => misfit(api, one, type, `${place}[${index}]`))
    .find((wrong) => wrong !== undefined);
}

/** A union's objects say what they are in `type`; where they do not, any of them will do. */
function misfitUnion(
  api: ApiDescription,
  value: object,
  subtypes: readonly string[],
  place: string,
): string | undefined {
  const said = "type" in value && typeof value.type === "string" ? pascal(value.type) : "";
  const meant = subtypes.filter((subtype) => subtype.endsWith(said));
  if (meant.length === 0) return `${place} has an unknown type`;
  return misfitAny(api, value, meant, place);
}

const pascal = (snake: string) =>
  snake.replaceAll(/(?:^|_)(.)/g, (_, letter: string) => letter.toUpperCase());

function misfitObject(
  api: ApiDescription,
  value: object,
  type: string,
  described: Described,
  place: string,
): string | undefined {
  const fields = described.fields ?? [];
  const missing = fields.find(({ name, required }) => required && !(name in value));
  if (missing) return `can't find field "${missing.name}" of ${place}`;
  for (const [name, inner] of Object.entries(value)) {
    const field = fields.find((one) => one.name === name);
    if (!field) return `${type} has no field "${name}" (${place})`;
    const wrong = misfitAny(api, inner, field.types, `${place}.${name}`);
    if (wrong) return wrong;
  }
  return undefined;
}

/** How Telegram words some of what is missing. */
const MISSING: Record<string, string> = {
  chat_id: "chat_id is empty",
  text: "message text is empty",
  photo: "there is no photo in the request",
  video: "there is no video in the request",
  animation: "there is no animation in the request",
  document: "there is no document in the request",
  audio: "there is no audio in the request",
};

/** A call's parameters as they came: texts in forms, values in JSON. */
export interface RawCall {
  readonly values: Readonly<Record<string, unknown>>;
  readonly files: ReadonlyMap<string, Upload>;
}

/**
 * Reads a call's parameters and holds them against the description. Telegram ignores what it does not know; the
 * fake refuses it, because it is always a mistake of the caller's.
 * @throws Refusal for the first parameter that is unknown, missing or of the wrong type
 */
export function readParams(api: ApiDescription, method: string, call: RawCall): Record<string, unknown> {
  const fields = api.methods[method]?.fields ?? [];
  // A form may name the method too, as the answer to a webhook does: telegraf always does.
  const { method: _, ...values } = call.values;
  const given = { ...values, ...directFiles(call, new Set(fields.map(({ name }) => name))) };
  const read: Record<string, unknown> = {};
  for (const [name, raw] of Object.entries(given)) {
    const field = fields.find((one) => one.name === name);
    if (!field) throw badRequest(`${method} has no parameter "${name}"`);
    const value = decoded(raw, field.types, name, call.files);
    const wrong = misfitAny(api, value, field.types, name);
    if (wrong) throw badRequest(wrong);
    read[name] = value;
  }
  const missing = fields.find(({ name, required }) => required && !(name in read));
  if (missing) throw badRequest(MISSING[missing.name] ?? `parameter "${missing.name}" is required`);
  return read;
}

/** The files that are parameters themselves; every other one must be named by an `attach://`. */
function directFiles(call: RawCall, names: ReadonlySet<string>): Record<string, Upload> {
  const references = JSON.stringify(call.values);
  const direct = [...call.files].filter(([name]) => {
    if (names.has(name)) return true;
    if (!references.includes(`attach://${name}`)) throw badRequest(`nothing refers to the file "${name}"`);
    return false;
  });
  return Object.fromEntries(direct);
}

/** Forms carry everything as text; whatever is not to be text is JSON. */
function decoded(
  raw: unknown,
  types: readonly string[],
  name: string,
  files: ReadonlyMap<string, Upload>,
): unknown {
  if (typeof raw !== "string") return raw;
  if (types.includes("InputFile") && raw.startsWith("attach://")) return attached(raw, files);
  if (types.includes("Integer") && /^-?\d+$/.test(raw)) return Number(raw);
  if (types.includes("String")) return raw;
  if (types.includes("Boolean") && /^(true|false)$/i.test(raw)) return raw.toLowerCase() === "true";
  try {
    return JSON.parse(raw);
  } catch {
    throw badRequest(`can't parse "${name}" as JSON`);
  }
}

/**
 * The file that an `attach://` names.
 * @throws Refusal when it did not come with the request
 */
export function attached(reference: string, files: ReadonlyMap<string, Upload>): Upload {
  const file = files.get(reference.slice("attach://".length));
  if (!file) throw badRequest("wrong file identifier/HTTP URL specified");
  return file;
}
