import { ApplicationCommandOptionType as Kind, ApplicationCommandType, Locale } from "discord.js";
import { z } from "zod";
import { DISCORD_LIMITS } from "../limits.ts";
import { choice } from "./choice.ts";
import { adopt, complain, complainOfTwins, list, text } from "./field.ts";

/** interactions/application-commands, "Naming": also for translated names. */
const NAME = /^[-_'\p{L}\p{N}\p{sc=Deva}\p{sc=Thai}]{1,32}$/u;

const name = z.string().refine((value) => NAME.test(value) && value === value.toLowerCase(), {
  error: "Command name is invalid",
  params: { code: "APPLICATION_COMMAND_INVALID_NAME" },
});

const translated = <T extends z.ZodType<string>>(kind: T) => z.partialRecord(z.enum(Locale), kind).nullish();

const described = {
  name,
  name_localizations: translated(name),
  description: text(100),
  description_localizations: translated(text(100)),
};

const value = z
  .looseObject({
    ...described,
    type: z.literal([
      Kind.String,
      Kind.Integer,
      Kind.Boolean,
      Kind.User,
      Kind.Channel,
      Kind.Role,
      Kind.Mentionable,
      Kind.Number,
      Kind.Attachment,
    ]),
    required: z.boolean().nullish(),
    autocomplete: z.boolean().nullish(),
    choices: list(choice, 25).nullish(),
    min_value: z.number().nullish(),
    max_value: z.number().nullish(),
    min_length: z.int().min(0).max(6000).nullish(),
    max_length: z.int().min(1).max(6000).nullish(),
  })
  .superRefine((option, context) => {
    const { type, choices, autocomplete } = option;
    if (autocomplete && choices?.length) {
      const message = "Autocomplete cannot be set with choices";
      complain(context, ["autocomplete"], "APPLICATION_COMMAND_OPTIONS_CHOICES_AUTOCOMPLETE", message);
    }
    const hasChoices = autocomplete || choices?.length;
    if (hasChoices && type !== Kind.String && type !== Kind.Integer && type !== Kind.Number) {
      complain(context, ["choices"], "BASE_TYPE_INVALID", "Options of this type have no choices");
    }
    const names = (choices ?? []).map(({ name: text }, index) => ({
      text,
      path: ["choices", index, "name"],
    }));
    const message = "Option choice names must be unique";
    complainOfTwins(context, names, "APPLICATION_COMMAND_OPTIONS_CHOICE_NAMES_UNIQUE", message);
    for (const [index, { value: chosen }] of (choices ?? []).entries()) {
      if ((type === Kind.String) !== (typeof chosen === "string")) {
        complain(context, ["choices", index, "value"], "BASE_TYPE_INVALID", "Must be of the option's type");
      }
    }
  });

const complainOfNames = (context: z.core.$RefinementCtx, options: readonly { readonly name: string }[]) => {
  const names = options.map(({ name: text }, index) => ({ text, path: ["options", index, "name"] }));
  const message = "Option names must be unique";
  complainOfTwins(context, names, "APPLICATION_COMMAND_OPTIONS_NAME_ALREADY_EXISTS", message);
};

type Options = readonly { readonly name: string; readonly required?: boolean | null | undefined }[];

/** Names are unique, and required options come first. */
function checkOptions({ options }: { options?: Options | null | undefined }, context: z.core.$RefinementCtx) {
  complainOfNames(context, options ?? []);
  for (const [index, { required }] of (options ?? []).entries()) {
    if (required && index > 0 && !options?.[index - 1]?.required) {
      const message = "Required options must be placed before non-required options";
      complain(context, ["options", index], "APPLICATION_COMMAND_OPTIONS_REQUIRED_INVALID", message);
    }
  }
}

const subcommand = z
  .looseObject({
    ...described,
    type: z.literal(Kind.Subcommand),
    options: list(value, 25).nullish(),
  })
  .superRefine(checkOptions);

const group = z
  .looseObject({
    ...described,
    type: z.literal(Kind.SubcommandGroup),
    options: list(subcommand, 25).min(1),
  })
  .superRefine(checkOptions);

const shared = {
  default_member_permissions: z.string().regex(/^\d+$/).nullish(),
  contexts: z.array(z.literal([0, 1, 2])).nullish(),
  integration_types: z
    .array(z.literal([0, 1]))
    .min(1)
    .nullish(),
};

const slash = z
  .looseObject({
    ...described,
    ...shared,
    type: z.literal(ApplicationCommandType.ChatInput).nullish(),
    options: list(z.discriminatedUnion("type", [value, subcommand, group]), 25).nullish(),
  })
  .superRefine((command, context) => {
    const options = command.options ?? [];
    const nested = options.filter(({ type }) => type === Kind.Subcommand || type === Kind.SubcommandGroup);
    if (nested.length > 0 && nested.length < options.length) {
      const message =
        "Sub-command and sub-command group option types are mutually exclusive to all other types";
      complain(context, ["options"], "APPLICATION_COMMAND_OPTIONS_TYPE_INVALID", message);
    }
    if (nested.length > 0) complainOfNames(context, options);
    else checkOptions({ options }, context);
    if (commandLength(command) > DISCORD_LIMITS.commandLength) {
      const message = "Command exceeds maximum size (8000)";
      complain(context, [], "APPLICATION_COMMAND_TOO_LARGE", message);
    }
  });

const menu = z.looseObject({
  ...shared,
  type: z.literal([ApplicationCommandType.User, ApplicationCommandType.Message]),
  name: text(32),
  name_localizations: translated(text(32)),
  description: z.literal("", "Context menu commands cannot have description").nullish(),
  options: z.array(z.unknown()).max(0, "Context menu commands cannot have options").nullish(),
});

/** The commands that replace all others. */
export const commands = z
  .array(z.looseObject({ name: z.string(), type: z.int().nullish() }))
  .superRefine((all, context) => {
    for (const type of [1, 2, 3]) {
      const most = type === 1 ? DISCORD_LIMITS.slashCommands : DISCORD_LIMITS.contextCommands;
      if (all.filter((one) => (one.type ?? 1) === type).length > most) {
        complain(
          context,
          [],
          "APPLICATION_COMMAND_MAX",
          `There can be at most ${most} commands of type ${type}`,
        );
      }
    }
    const names = all.map((one, index) => ({ text: `${one.type ?? 1} ${one.name}`, path: [index, "name"] }));
    const message = "Application command names must be unique";
    complainOfTwins(context, names, "APPLICATION_COMMANDS_DUPLICATE_NAME", message);
    for (const [index, one] of all.entries()) {
      const rules = slash.shape.type.safeParse(one.type).success ? slash : menu;
      adopt(context, rules.safeParse(one), index);
    }
  });

/** What counts of a command, an option or a choice. */
interface Counted {
  readonly name?: string;
  readonly name_localizations?: Translations;
  readonly description?: string;
  readonly description_localizations?: Translations;
  readonly value?: unknown;
  readonly options?: readonly object[] | null;
  readonly choices?: readonly object[] | null;
}

type Translations = Readonly<Record<string, string>> | null;

/** "Limits": names, descriptions and values of it and all options, each in its longest translation. */
function commandLength(part: object): number {
  const counted: Counted = part;
  const { name = "", description = "", value, options, choices } = counted;
  return (
    longest(name, counted.name_localizations) +
    longest(description, counted.description_localizations) +
    (typeof value === "string" ? value.length : 0) +
    [...(options ?? []), ...(choices ?? [])].reduce((sum, inner) => sum + commandLength(inner), 0)
  );
}

const longest = (text: string, translations: Translations = {}) =>
  Math.max(...[text, ...Object.values(translations ?? {})].map(({ length }) => length));
