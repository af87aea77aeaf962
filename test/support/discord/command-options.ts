import {
  type APIApplicationCommandBasicOption as Option,
  ApplicationCommandOptionType as Kind,
  type Locale,
} from "discord.js";
import { type PersonsFile, isFile } from "./attachment.ts";
import { Channel } from "./channel.ts";
import { Role } from "./role.ts";
import { type FoundCommand, isNamed, shownName } from "./command-menu.ts";
import type { Resolved } from "./resolved.ts";

/** What a person gives for an option: a choice by the name they read. */
export type OptionValue =
  | string
  | number
  | boolean
  | PersonsFile
  | Channel
  | Role
  | { readonly user: { readonly id: string } };

/** Options by the names that a person reads. */
export type OptionValues = Readonly<Record<string, OptionValue>>;

/** An option in an interaction's data. */
interface GivenOption {
  readonly name: string;
  readonly type: Kind;
  readonly value?: string | number | boolean;
  readonly focused?: true;
  readonly options?: readonly GivenOption[];
}

/**
 * Fills in a command's options as Discord's clients let people do.
 * @param partial whether the command is still being typed: nothing is required yet, and no bound is held
 * @throws Error for what a client would not send
 */
export async function fillIn(
  { options }: FoundCommand,
  values: OptionValues,
  locale: Locale,
  resolved: Resolved,
  partial = false,
): Promise<GivenOption[]> {
  const given: GivenOption[] = [];
  for (const [name, value] of Object.entries(values)) {
    const option = options.find((one) => isNamed(one, name, locale));
    if (!option) {
      const names = options.map((one) => shownName(one, locale)).join(", ");
      throw new Error(`There is no option ${name}, but: ${names}`);
    }
    const { type } = option;
    given.push({ name: option.name, type, value: await valueOf(option, value, locale, resolved, partial) });
  }
  const missing = options.find((one) => one.required && !given.some(({ name }) => name === one.name));
  if (missing && !partial) throw new Error(`The option ${shownName(missing, locale)} is required.`);
  return given;
}

/** Puts options under their group and subcommand. */
export function nested({ path }: FoundCommand, options: readonly GivenOption[]): readonly GivenOption[] {
  return path.reduceRight<readonly GivenOption[]>(
    (inner, { name, type }) => [{ name, type, options: inner }],
    options,
  );
}

async function valueOf(
  option: Option,
  value: OptionValue,
  locale: Locale,
  resolved: Resolved,
  partial: boolean,
): Promise<string | number | boolean> {
  const wrong = (why: string) => new Error(`The option ${shownName(option, locale)} ${why}.`);
  if (!FITS[option.type](value)) throw wrong(`takes no ${typeof value}`);
  const id = await resolved.pick(value);
  if (id !== undefined) return id;
  const plain = value as string | number | boolean;
  if ("choices" in option && option.choices?.length) {
    const choice = option.choices.find((one) => isNamed(one, String(plain), locale));
    if (!choice) throw wrong(`offers no ${String(plain)}`);
    return choice.value;
  }
  if (!partial && !isWithin(option, plain))
    throw wrong(`does not take ${String(plain)}: it is out of bounds`);
  return plain;
}

const FITS: Readonly<Record<Option["type"], (value: OptionValue) => boolean>> = {
  [Kind.String]: (value) => typeof value === "string",
  // A choice of an option of numbers is picked by its name.
  [Kind.Integer]: (value) => typeof value === "string" || Number.isSafeInteger(value),
  [Kind.Number]: (value) => typeof value === "string" || Number.isFinite(value),
  [Kind.Boolean]: (value) => typeof value === "boolean",
  [Kind.Attachment]: isFile,
  [Kind.Channel]: (value) => value instanceof Channel,
  [Kind.User]: (value) => typeof value === "object" && "user" in value,
  [Kind.Mentionable]: (value) => typeof value === "object" && "user" in value,
  [Kind.Role]: (value) => value instanceof Role,
};

function isWithin(option: Option, value: string | number | boolean): boolean {
  if (typeof value === "boolean") return true;
  if (typeof value === "string") {
    if (option.type !== Kind.String) return false;
    return value.length >= (option.min_length ?? 1) && value.length <= (option.max_length ?? 6000);
  }
  if (option.type !== Kind.Integer && option.type !== Kind.Number) return true;
  return value >= (option.min_value ?? -(2 ** 53)) && value <= (option.max_value ?? 2 ** 53);
}
