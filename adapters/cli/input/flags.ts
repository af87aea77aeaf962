import { basename } from "node:path";
import { type Command, Option } from "commander";
import type { CommandSpec, Control, FieldSpec } from "../../../src/seam/fields.ts";
import { mediaIn, type MediaRef, type Value, type Values } from "../../../src/seam/values.ts";
import type { Form } from "../../../src/seam/views.ts";
import { ReelayError } from "../../../src/common/errors.ts";
import type { Translate } from "../../../src/common/i18n.ts";
import { wantedFor, writtenNumber } from "../../../src/seam/forms/wanted.ts";
import { ListedOption } from "../output/listed-option.ts";
import { dashed, describeFlag, flagOf, listingOf } from "./flag-help.ts";
import { givenFile } from "./given-file.ts";
import { quote } from "./quote.ts";

/** What stands for the value in the help; dots let a flag be repeated, or take several values at once. */
const PLACEHOLDER = {
  image: "file-or-url",
  images: "file-or-url...",
  mask: "file-or-url",
  sounds: "file-or-url...",
  text: "text",
  number: "number",
  choice: "choice",
  catalogue: "id",
} as const;

/** What is given by the name of a file. */
const FILES: ReadonlySet<Control> = new Set(["image", "images", "mask", "sounds"]);

/** Adds a flag for every field but secrets: those would stay in the shell's history and in the process list. */
export function addFlags(command: Command, translate: Translate, spec: CommandSpec): void {
  for (const field of spec.fields) {
    if (field.control === "secret") continue;
    const { choices } = field;
    const listedBy = listingOf(spec.name, field);
    const known = {
      ...(choices && { values: choices.map(({ value }) => String(value)) }),
      ...(listedBy !== undefined && { listedBy }),
      isFile: FILES.has(field.control),
    };
    const about = describeFlag(translate, spec.name, field);
    const option = new ListedOption(termOf(field, field.control), about, known);
    // Without it the core would say that something is missing, and not what there is.
    option.makeOptionMandatory(field.required && field.control === "choice" && field.default === undefined);
    command.addOption(field.advanced ? option.helpGroup(translate("cli.help.more")) : option);
  }
}

function termOf({ name, default: standard }: FieldSpec, control: Exclude<Control, "secret">): string {
  if (control !== "switch") return `${flagOf(name)} <${PLACEHOLDER[control]}>`;
  return standard === true ? `--no-${dashed(name)}` : flagOf(name);
}

/**
 * The values that were given as flags. Only types are looked at here; the core checks everything else.
 * @throws ReelayError `field_invalid` for what is no number
 * @throws CliProblem `file_missing`, `not_a_file` or `file_unreadable` for what is no file that can be read
 */
export async function valuesOf(command: Command, fields: readonly FieldSpec[], cwd: string): Promise<Values> {
  const options: Readonly<Record<string, unknown>> = command.opts();
  const values: Record<string, Value> = {};
  for (const field of fields) {
    const attribute = new Option(flagOf(field.name)).attributeName();
    const given = options[attribute];
    // A switch that is on by default has a value although nobody gave one.
    if (given === undefined || command.getOptionValueSource(attribute) === "default") continue;
    values[field.name] = await valueOf(field, given, cwd);
  }
  return values;
}

async function valueOf(field: FieldSpec, given: unknown, cwd: string): Promise<Value> {
  if (typeof given === "boolean") return given;
  if (Array.isArray(given)) return Promise.all(given.map((text) => fileOf(cwd, String(text))));
  const text = String(given);
  switch (field.control) {
    case "image":
    case "mask":
      return fileOf(cwd, text);
    case "number":
      return numberOf(field, text);
    case "choice":
      return field.choices?.find(({ value }) => String(value) === text)?.value ?? text;
    default:
      return text;
  }
}

/** A file, or the address of one, which the core fetches. */
async function fileOf(cwd: string, text: string): Promise<MediaRef> {
  if (/^https?:\/\//i.test(text)) return { surface: "cli", id: text };
  const { path, bytes } = await givenFile(cwd, text);
  const { keptName } = await import("../../../src/seam/text/kept-name.ts");
  return { surface: "cli", id: path, name: keptName(basename(path)), bytes };
}

function numberOf(field: FieldSpec, text: string): number {
  const number = writtenNumber(text);
  if (number !== undefined && Number.isFinite(number)) return number;
  throw new ReelayError("field_invalid", { field: field.name, ...wantedFor(field) });
}

/** The call that changes one field of a command, with what can be said instead of its last word. */
export function changeLineOf(command: string, { name, control, choices }: FieldSpec): string {
  const value = choices?.map((choice) => choice.value).join("|") ?? control.toUpperCase();
  return `reelay ${command} ${flagOf(name)} ${value}`;
}

/**
 * The call that asks for what a form holds, quoted for a POSIX shell; defaults are left out.
 * @param command what follows `reelay`
 */
export function commandLineOf(command: string, { fields, values }: Pick<Form, "fields" | "values">): string {
  const flags = fields.flatMap((field) => {
    const value = values[field.name];
    if (value === undefined || value === field.default) return [];
    if (typeof value === "object") return mediaIn(value).flatMap(({ id }) => [flagOf(field.name), quote(id)]);
    if (value === true) return [flagOf(field.name)];
    // What is off by default has no flag to turn it off.
    if (value === false) return field.default === true ? [`--no-${dashed(field.name)}`] : [];
    return [flagOf(field.name), quote(String(value))];
  });
  return ["reelay", command, ...flags].join(" ");
}
