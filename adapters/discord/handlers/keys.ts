import { InteractionType } from "discord.js";
import type { FoundKey } from "../../../src/seam/access/keys.ts";
import type { MessageKey } from "../../../src/common/i18n.ts";
import { CONNECT_KEY } from "../../../src/seam/text/actions.ts";
import { foundKeyView, keyInMessage, takeKey, withoutKeys } from "../../kit/handlers/keys.ts";
import type { Handler, InteractionContext, ReplyContext } from "../context/context.ts";
import type { MessageHandler } from "../context/message.ts";
import type { Interaction } from "../context/interaction.ts";
import { goOnWaiting } from "../drafts/begin.ts";
import { show } from "./platform.ts";

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
        if (first) await deal(context, first, context.interaction.type === InteractionType.ModalSubmit);
        return { ...context, interaction: without(context.interaction, new Set(found.keys())) };
      },
    },
    others,
  );

/** The texts of an interaction that hold a key, each with its key. */
async function keysIn({ interaction, intake, origin }: InteractionContext) {
  const found = new Map<string, FoundKey>();
  const fields = intake.commands.flatMap((command) => command.fields);
  const forKeys = new Set(fields.flatMap(({ control, name }) => (control === "secret" ? [name] : [])));
  for (const { value, filename, custom_id: name } of Object.values(givenIn(interaction)).flatMap(partsOf)) {
    const text = filename ?? value;
    if (typeof text !== "string" || forKeys.has(String(name))) continue;
    const { keys } = intake;
    const inName = filename !== undefined;
    const key = await (inName ? keys.findInName(origin, text, "guess") : keys.find(origin, text, "guess"));
    if (key) found.set(text, key);
  }
  return found.size > 0 ? found : undefined;
}

/** What somebody gave: to a command, in a form, and as files. */
function givenIn({ data }: Interaction) {
  const resolved = "resolved" in data ? data.resolved : undefined;
  return {
    ...("options" in data && data.options && { options: data.options }),
    ...("components" in data && { components: data.components }),
    ...(resolved && "attachments" in resolved && { attachments: resolved.attachments ?? {} }),
  };
}

/** One thing in it: an option or a field with its value, a file with its name. */
interface Part {
  readonly value?: unknown;
  readonly filename?: unknown;
  readonly custom_id?: unknown;
}

function partsOf(given: unknown): readonly Part[] {
  if (typeof given !== "object" || given === null) return [];
  return [given, ...Object.values(given).flatMap(partsOf)];
}

/**
 * Connects what was given where nobody else could read it; else says what to do.
 * @param isSecret whether nobody else could read it wherever that was
 */
async function deal(context: ReplyContext, found: FoundKey, isSecret = false): Promise<unknown> {
  const { origin } = context;
  const isAmongOthers = origin.audience !== "private" && !isSecret;
  // What is answered to its author alone was given to a command that nobody else saw.
  if (isAmongOthers && found.of === "service")
    return tell(context, context.reply.isPublic ? "keys.in_public" : "keys.left_out");
  return takeKey(context, found, {
    tell,
    async connect(connecting, key) {
      if (await connecting.intake.command(origin, "connect", { key }))
        await goOnWaiting(connecting, origin.user);
    },
  });
}

/**
 * Takes keys away from messages, before anything is kept or shown of them; pictures go on without the words. No bot can
 * delete what somebody else wrote in their direct messages.
 */
export const messageKeysHandler = (others: readonly MessageHandler[]): MessageHandler =>
  withoutKeys(
    {
      find: (context) =>
        keyInMessage(context, {
          words: context.words,
          files: context.message.attachments.map(({ filename }) => filename),
          command: undefined,
          suspicion: "guess",
        }),
      async takeAway(context, found) {
        await deal(context, found);
        const { message } = context;
        const attachments = message.attachments.filter(({ filename }) => !filename.includes(found.key));
        if (attachments.length === 0) return undefined;
        return { ...context, words: "", message: { ...message, content: "", attachments } };
      },
    },
    others,
  );

const tell = (context: ReplyContext, text: MessageKey) => show(context, foundKeyView(text, CONNECT_KEY));

function without(interaction: Interaction, texts: ReadonlySet<unknown>): Interaction {
  const { attachments, ...given } = cleaned(givenIn(interaction), texts);
  const { data } = interaction;
  const resolved = "resolved" in data ? { resolved: { ...data.resolved, attachments } } : {};
  return { ...interaction, data: { ...data, ...given, ...resolved } } as Interaction;
}

/** Words of a form go; so do options and files, whose addresses end with their names. */
function cleaned<T>(given: T, texts: ReadonlySet<unknown>): T {
  if (typeof given !== "object" || given === null) return (texts.has(given) ? "" : given) as T;
  const isLeft = (part: Part | null) =>
    !texts.has(part?.filename) && !(Array.isArray(given) && texts.has(part?.value));
  const left = Object.entries(given).filter(([, part]) => isLeft(part as Part | null));
  const clean = left.map(([name, part]) => [name, cleaned(part, texts)] as const);
  return (Array.isArray(given) ? clean.map(([, part]) => part) : Object.fromEntries(clean)) as T;
}
