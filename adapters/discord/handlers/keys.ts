import {
  type APIChatInputApplicationCommandInteractionData as CommandData,
  type APIModalSubmission,
  ApplicationCommandOptionType as Kind,
  ApplicationCommandType,
  ComponentType,
  InteractionType,
} from "discord.js";
import { takeKey, withoutKeys } from "../../kit/handlers/keys.ts";
import type { FoundKey } from "../../../src/chat/keys.ts";
import type { MessageKey } from "../../../src/i18n.ts";
import type { Handler, Interaction, InteractionContext } from "../context/context.ts";
import { platform } from "./platform.ts";

type Options = NonNullable<CommandData["options"]>;
type Part = APIModalSubmission["components"][number];

/**
 * Takes keys away from what people give a command or write into a form, before anything is kept, shown or sent of it; the
 * rest goes on without. What was given to a command stands in Discord where it was given, and no bot can delete it.
 * @param others deal with what is left, as with everything that holds no key
 */
export const keysHandler = (others: readonly Handler[]): Handler =>
  withoutKeys(
    {
      find: keysIn,
      async takeAway(context, found) {
        const [first] = found.values();
        if (first) await answer(context, first);
        return { ...context, interaction: without(context.interaction, new Set(found.keys())) };
      },
    },
    others,
  );

/** The texts of an interaction that hold a key, each with its key. */
async function keysIn({
  interaction,
  intake,
  origin,
}: InteractionContext): Promise<ReadonlyMap<string, FoundKey> | undefined> {
  const found = new Map<string, FoundKey>();
  const isForKeys = new Set(
    intake.commands.flatMap(({ fields }) =>
      fields.filter(({ control }) => control === "secret").map(({ name }) => name),
    ),
  );
  for (const text of wordsIn(interaction, isForKeys)) {
    const key = await intake.keys.find(origin, text, "guess");
    if (key) found.set(text, key);
  }
  for (const { filename } of attachmentsOf(interaction)) {
    const key = await intake.keys.find(origin, filename, "known");
    if (key) found.set(filename, key);
  }
  return found.size > 0 ? found : undefined;
}

function wordsIn(interaction: Interaction, isForKeys: ReadonlySet<string>): readonly string[] {
  if (interaction.type === InteractionType.ModalSubmit)
    return interaction.data.components.flatMap((part) => {
      const input = inputOf(part);
      return input && !isForKeys.has(input.custom_id) ? [input.value] : [];
    });
  return optionsOf(interaction).flatMap((option) =>
    "value" in option && typeof option.value === "string" ? [option.value] : [],
  );
}

const inputOf = (part: Part) =>
  part.type === ComponentType.Label && part.component.type === ComponentType.TextInput
    ? part.component
    : undefined;

function optionsOf(interaction: Interaction): Options {
  const options = commandOf(interaction)?.options ?? [];
  return options.flatMap((option) => (option.type === Kind.Subcommand ? (option.options ?? []) : [option]));
}

function commandOf({ type, data }: Interaction): CommandData | undefined {
  return type === InteractionType.ApplicationCommand &&
    "type" in data &&
    data.type === ApplicationCommandType.ChatInput
    ? data
    : undefined;
}

function attachmentsOf({ data }: Interaction) {
  const resolved = "resolved" in data ? data.resolved : undefined;
  return resolved && "attachments" in resolved ? Object.values(resolved.attachments ?? {}) : [];
}

/** Connects what was given where nobody else could read it; else says what to do. */
async function answer(context: InteractionContext, found: FoundKey): Promise<unknown> {
  const { interaction, origin } = context;
  const isPublic = origin.audience !== "private" && interaction.type !== InteractionType.ModalSubmit;
  if (isPublic && found.of === "service") return tell(context, "keys.in_public");
  return takeKey(context, found, {
    tell,
    connect: ({ intake }, key) => intake.command(origin, "connect", { key }),
  });
}

const tell = (context: InteractionContext, text: MessageKey) =>
  platform.post(context, { kind: "notice", text: { key: text } });

/** An interaction without the texts that hold a key. */
function without(interaction: Interaction, texts: ReadonlySet<string>): Interaction {
  const isLeft = (option: Options[number]) => !("value" in option) || !texts.has(String(option.value));
  const command = commandOf(interaction);
  // A file's address ends with its name: without the file, nothing of it is kept.
  const files = attachmentsOf(interaction).filter(({ filename }) => !texts.has(filename));
  const attachments = Object.fromEntries(files.map((file) => [file.id, file]));
  const resolved =
    "resolved" in interaction.data ? { resolved: { ...interaction.data.resolved, attachments } } : {};
  const options = command?.options?.flatMap((option): Options =>
    option.type === Kind.Subcommand
      ? [{ ...option, options: (option.options ?? []).filter(isLeft) }]
      : [option].filter(isLeft),
  );
  const components =
    interaction.type === InteractionType.ModalSubmit
      ? { components: interaction.data.components.map((part) => withoutWords(part, texts)) }
      : {};
  return {
    ...interaction,
    data: { ...interaction.data, ...resolved, ...(options && { options }), ...components },
  } as Interaction;
}

function withoutWords(part: Part, texts: ReadonlySet<string>): Part {
  const input = inputOf(part);
  if (!input || !texts.has(input.value) || part.type !== ComponentType.Label) return part;
  return { ...part, component: { ...input, value: "" } };
}
