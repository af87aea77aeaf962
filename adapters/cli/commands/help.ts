import type { Option } from "commander";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import type { MessageKey, Translate } from "../../../src/common/i18n.ts";
import { EXIT } from "../output/exit-codes.ts";

const EXAMPLES = [
  'reelay run video --image photo.jpg --prompt "slow zoom" --out clip.mp4',
  'reelay run image --prompt "a lighthouse at dusk, oil painting"',
  'reelay run image-edit --images room.jpg --images chair.jpg --prompt "add the chair"',
  "reelay choices video template dance",
  "reelay jobs",
] as const;

const HEADINGS: Readonly<Record<string, MessageKey>> = {
  "Usage:": "cli.help.usage",
  "Arguments:": "cli.help.arguments",
  "Options:": "cli.help.options",
  "Commands:": "cli.help.commands",
};

/** A heading of commander's in the person's language. */
export function heading(translate: Translate, title: string): string {
  const key = HEADINGS[title];
  return key ? translate(key) : title;
}

/** What the help says of an option, in the person's language: commander knows English alone. */
export function describeOption(translate: Translate, option: Option): string {
  const { argChoices = [], defaultValue, defaultValueDescription, description, flags } = option;
  const value = defaultValueDescription ?? String(defaultValue);
  const notes = [
    // A few of them stand for the value already.
    !flags.includes(argChoices.join("|")) && argChoices.join(" | "),
    defaultValue !== undefined && translate("cli.field.default", { value }),
  ].filter(Boolean);
  return notes.length > 0 ? `${description} (${notes.join("; ")})` : description;
}

/** What an operation does, for a list of them. */
export function summaryOf(translate: Translate, { description, subscription }: CommandSpec): string {
  const text = translate(description);
  return subscription ? `${text}. ${translate(`cli.needs.${subscription}`)}` : text;
}

/** What an operation does, makes and needs. */
export function aboutOf(translate: Translate, spec: CommandSpec): string {
  const makes = spec.result ? [translate(`cli.makes.${spec.result}`)] : [];
  const needs = spec.subscription ? [translate(`cli.needs.${spec.subscription}`)] : [];
  return `${translate(spec.description)}.\n${[...makes, ...needs].join(" ")}`;
}

/** What stands under the help of the whole command line: how it is used, and how it ends. */
export function epilogue(translate: Translate): string {
  const codes = Object.values(EXIT).map(
    (code) => `  ${String(code).padEnd(4)} ${translate(`cli.exit.${code}`)}`,
  );
  return [
    "",
    translate("cli.help.examples"),
    ...EXAMPLES.map((example) => `  ${example}`),
    "",
    translate("cli.help.exit_codes"),
    ...codes,
  ].join("\n");
}
