import { stat } from "node:fs/promises";
import { basename, resolve } from "node:path";
import { type Command, Option } from "commander";
import type { CommandSpec, FieldSpec } from "../../src/chat/fields.ts";
import { isMediaRef, type MediaRef, type Value, type Values } from "../../src/chat/values.ts";
import type { Form } from "../../src/chat/views.ts";
import { ReelayError } from "../../src/errors.ts";
import type { Translate } from "../../src/i18n.ts";
import { CliProblem } from "./problems.ts";

/** What stands for the value in the help. */
const PLACEHOLDER = {
  image: "file-or-url",
  text: "text",
  number: "number",
  choice: "choice",
  catalogue: "id",
} as const;

/** The name of a field as command lines spell it. */
export function dashed(name: string): string {
  return name.replaceAll("_", "-");
}

const flagOf = (name: string) => `--${dashed(name)}`;

/** Adds a flag for every field but secrets: those would stay in the shell's history and in the process list. */
export function addFlags(command: Command, translate: Translate, spec: CommandSpec): void {
  for (const field of spec.fields) {
    if (field.control === "secret") continue;
    const flag = flagOf(field.name);
    const description = describe(translate, spec, field);
    if (field.control !== "switch") {
      command.addOption(new Option(`${flag} <${PLACEHOLDER[field.control]}>`, description));
    } else if (field.default === true) {
      command.addOption(new Option(`--no-${dashed(field.name)}`, description));
    } else {
      command.addOption(new Option(flag, description));
    }
  }
}

/**
 * The values that were given as flags. Only types are looked at here; the core checks everything else.
 * @throws ReelayError `field_invalid` for what is no number
 * @throws CliProblem `file_missing` for a picture that is not there
 */
export async function valuesOf(
  command: Command,
  translate: Translate,
  fields: readonly FieldSpec[],
  cwd: string,
): Promise<Values> {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const values: Record<string, Value> = {};
  for (const field of fields) {
    const attribute = new Option(flagOf(field.name)).attributeName();
    const given = options[attribute];
    // A switch that is on by default has a value although nobody gave one.
    if (given === undefined || command.getOptionValueSource(attribute) === "default") continue;
    values[field.name] = await valueOf(translate, field, given, cwd);
  }
  return values;
}

async function valueOf(translate: Translate, field: FieldSpec, given: unknown, cwd: string): Promise<Value> {
  if (typeof given === "boolean") return given;
  const text = String(given);
  switch (field.control) {
    case "image":
      return pictureOf(cwd, text);
    case "number":
      return numberOf(translate, field, text);
    case "choice":
      return field.choices?.find(({ value }) => String(value) === text)?.value ?? text;
    default:
      return text;
  }
}

/** A file, or the address of one, which the core fetches. */
async function pictureOf(cwd: string, text: string): Promise<MediaRef> {
  if (/^https?:\/\//i.test(text)) return { surface: "cli", id: text };
  const path = resolve(cwd, text);
  const found = await stat(path).catch(() => undefined);
  if (!found?.isFile()) throw new CliProblem("file_missing", { path });
  return { surface: "cli", id: path, name: basename(path), bytes: found.size };
}

function numberOf(translate: Translate, { name, integer }: FieldSpec, text: string): number {
  const number = text.trim() === "" ? Number.NaN : Number(text);
  if (Number.isFinite(number)) return number;
  const wanted = translate(integer ? "cli.wanted.integer" : "cli.wanted.number");
  throw new ReelayError("field_invalid", { field: name, wanted });
}

/** What the help says of a field: what it is, then what may be given. */
function describe(translate: Translate, spec: CommandSpec, field: FieldSpec): string {
  const { label, hint, choices, unless, when, control } = field;
  const notes = [
    boundsOf(translate, field),
    choices?.map(({ value }) => value).join(" | "),
    control === "catalogue" &&
      translate("cli.field.catalogue", { command: `reelay choices ${spec.name} ${dashed(field.name)}` }),
    when && translate("cli.field.when", { flag: `${flagOf(when.field)} ${when.is}` }),
    unless !== undefined && translate("cli.field.unless", { flag: flagOf(unless) }),
    field.required && translate("cli.field.required"),
    // A switch says its default by its name.
    field.default !== undefined &&
      control !== "switch" &&
      translate("cli.field.default", { value: String(field.default) }),
  ].filter(Boolean);
  const what = hint ? `${translate(label)}. ${translate(hint)}` : translate(label);
  return notes.length > 0 ? `${what} (${notes.join("; ")})` : what;
}

function boundsOf(translate: Translate, { min, max }: FieldSpec): string | undefined {
  if (min !== undefined && max !== undefined) return translate("cli.field.between", { min, max });
  if (min !== undefined) return translate("cli.field.from", { min });
  return max === undefined ? undefined : translate("cli.field.to", { max });
}

/** The call that asks for what a form holds, quoted for a POSIX shell; defaults are left out. */
export function commandLineOf({ id, fields, values }: Form): string {
  const flags = fields.flatMap((field) => {
    const value = values[field.name];
    if (value === undefined || value === field.default) return [];
    if (value === true) return [flagOf(field.name)];
    if (value === false) return [`--no-${dashed(field.name)}`];
    return [flagOf(field.name), quote(isMediaRef(value) ? value.id : String(value))];
  });
  return ["reelay", "run", id, ...flags].join(" ");
}

function quote(text: string): string {
  return /^[\w./:@%+=,-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
