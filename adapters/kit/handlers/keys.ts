import type { FoundKey, Suspicion } from "../../../src/seam/access/keys.ts";
import type { MessageKey } from "../../../src/common/i18n.ts";
import type { Action, NoticeView } from "../../../src/seam/views.ts";
import { step } from "../messages/buttons.ts";
import type { ChatContext } from "../pipeline/context.ts";
import { nearestCommand, typedName } from "./command-names.ts";
import { dispatch, type HandlerFor } from "../pipeline/handler.ts";

interface KeyRules<Context, Found> {
  /** What holds a key. */
  readonly find: (context: Context) => Promise<Found | undefined>;
  /** Takes it away and deals with the key. Returns what is left to be dealt with. */
  readonly takeAway: (context: Context, found: Found) => Promise<Context | undefined>;
}

/**
 * Takes keys away from what people send, before anything is kept, shown or sent of it.
 * @param others deal with what is left, as with everything that holds no key
 */
export function withoutKeys<Context, Found>(
  { find, takeAway }: KeyRules<Context, Found>,
  others: readonly HandlerFor<Context>[],
): HandlerFor<Context> {
  return async (context) => {
    const found = await find(context);
    const rest = found === undefined ? context : await takeAway(context, found);
    return rest === undefined || dispatch(rest, others);
  };
}

interface SuspectMessage {
  readonly words: string;
  /** The names of the files that it brings. */
  readonly files: readonly (string | undefined)[];
  /** The command that it begins with, and what stands behind that. */
  readonly command: { readonly name: string; readonly words: string } | undefined;
  readonly suspicion: Suspicion;
}

/**
 * The key in a message: one that is known or looks like one, or whatever stands behind the command that connects keys, also
 * where that was misspelt.
 */
export async function keyInMessage(
  { intake, origin }: ChatContext,
  { words, files, command, suspicion }: SuspectMessage,
): Promise<FoundKey | undefined> {
  const { keys, commands } = intake;
  const found = await keys.find(origin, words, suspicion);
  if (found) return found;
  for (const name of files) {
    const named = name === undefined ? undefined : await keys.findInName(origin, name, suspicion);
    if (named) return named;
  }
  if (suspicion === "known") return undefined;
  if (!command) return suspicion === "asked" ? keys.behind(origin, words, true) : undefined;
  if (typedName(command.name) === "start") return keys.behind(origin, command.words, false);
  return nearestCommand(commands, command.name) === "connect"
    ? keys.behind(origin, command.words, true)
    : undefined;
}

/** Whether a message says nothing but its key, so that its sender knows what it was sent for. */
export function saysKeyAlone(
  { words, command }: Pick<SuspectMessage, "words" | "command">,
  key: string,
): boolean {
  return (command && typedName(command.name) === "connect" ? command.words : words).trim() === key;
}

interface FoundKeyRules<Context> {
  readonly tell: (context: Context, text: MessageKey) => Promise<unknown>;
  readonly connect: (context: Context, key: string) => Promise<unknown>;
  /** Whether it was sent in order to be connected: then it needs no explanation. */
  readonly isMeant?: boolean;
}

/** What leads to connecting a key. */
const LEADING: ReadonlySet<MessageKey> = new Set(["keys.left_out", "keys.in_public"]);

/** What is said of a key that was found, with the way to connect one where it was left out. */
export const foundKeyView = (
  key: MessageKey,
  connect: Action = step("connect", { key: "command.connect" }),
): NoticeView => ({
  kind: "notice",
  text: { key },
  ...(LEADING.has(key) && { actions: [connect] }),
});

/** Connects a key that was found where nobody else could read it, if it is wanted; else says what to do. */
export async function takeKey<Context extends ChatContext>(
  context: Context,
  { key, of }: FoundKey,
  { tell, connect, isMeant = false }: FoundKeyRules<Context>,
): Promise<void> {
  if (of === "ours") return void (await tell(context, "keys.ours"));
  const isWanted = isMeant || (await context.intake.wantsKey(context.origin));
  if (!isMeant) await tell(context, isWanted ? "keys.taken" : "keys.left_out");
  if (isWanted) await connect(context, key);
}

/**
 * A message without its words and the names of its files.
 * @param files its parts that may be one
 * @returns undefined where there is no file in it
 */
export function wordless<M extends object>(message: M, files: readonly (keyof M)[]): M | undefined {
  const bare = files.flatMap((name) => {
    const file = message[name];
    return file ? [[name, { ...file, caption: undefined, filename: undefined }] as const] : [];
  });
  return bare.length > 0 ? { ...message, ...Object.fromEntries(bare), text: undefined } : undefined;
}
