import {
  type Locale,
  LOCALES,
  type MessageKey,
  nearestLocale,
  translator,
} from "../../../src/common/i18n.ts";
import { sheetOf } from "../../../src/seam/forms/sheet.ts";
import { asksForWords } from "../drafts/change.ts";
import { draftMeant } from "../drafts/sent.ts";
import type { ChatContext } from "../pipeline/context.ts";
import type { TypedCommand } from "./command-names.ts";

/** What is understood without its slash: nothing that makes something, states something or takes a key away without asking. */
const SAID: ReadonlySet<string> = new Set([
  "help",
  "start",
  "cancel",
  "templates",
  "models",
  "studio",
  "connect",
  "jobs",
  "balance",
  "settings",
  "language",
  "privacy",
  "export",
  "forget",
]);

/** What chats elsewhere call the same, and what people write where they want to be left alone, in each language. */
const ALSO: ReadonlyMap<string, string> = new Map(
  Object.entries({
    help: ["menu", "допомога"],
    // What can be made, and how, is said first.
    start:
      "make create edit machen erstellen bearbeiten hacer crear editar faire créer modifier zrób stwórz edytuj fazer criar yap oluştur düzenle зробити створити редагувати".split(
        " ",
      ),
    cancel: ["stop", "stopp", "alto", "parar", "pare", "arrêt", "arrête", "arrêter", "dur", "стоп"],
  }).flatMap(([name, words]) => words.map((word) => [unmarked(word), name] as const)),
);

/** What the chat's own commands are called on their buttons, besides the core's, which have a label each. */
const CHAT_LABELS = { cancel: "action.cancel", templates: "chat.start.templates" } as const;

/**
 * The command that somebody means whose whole message is its name, or what a button calls it in any language, since many write before they
 * have chosen theirs: where no menu shows commands, nobody knows of the slash. What a draft asks them to write is never one, whatever it
 * says.
 * @param words nothing where they are certainly meant for something else
 */
export async function saidCommand(context: ChatContext, words = ""): Promise<TypedCommand | undefined> {
  const name = commandCalled(context, bare(words).replace(/\s*[.!?…]*\s*$/u, ""));
  return name === undefined || (await isAsked(context)) ? undefined : { name, words: "" };
}

/**
 * What somebody may call a command. In their language and in English first: elsewhere the same word may be another command. A
 * word that means several commands means none.
 */
export function commandCalled({ intake, origin }: ChatContext, said: string): string | undefined {
  const typed = said.toLowerCase();
  if (SAID.has(typed)) return typed;
  const labels: [name: string, label: MessageKey][] = Object.entries(CHAT_LABELS);
  for (const { name, label } of intake.commands) if (SAID.has(name)) labels.push([name, label]);
  const calledIn = (locale: Locale) =>
    labels
      .filter(([, label]) => areAlike(locale, bare(translator(locale)(label)), said))
      .map(([name]) => name);
  const [own] = [nearestLocale(origin.locale), "en" as const].flatMap(calledIn);
  const elsewhere = own === undefined ? new Set(LOCALES.flatMap(calledIn)) : new Set<string>();
  const [only] = elsewhere.size === 1 ? elsewhere : [];
  return own ?? only ?? ALSO.get(unmarked(typed));
}

/** Letters without their marks are the same in English alone, and capitals are everywhere in their own way. */
const areAlike = (locale: Locale, one: string, other: string) =>
  [locale, "en"].some((rules) => one.localeCompare(other, rules, { sensitivity: "base" }) === 0);

/** Letters without their marks: many leave them out. */
function unmarked(word: string): string {
  return word.normalize("NFD").replace(/\p{M}/gu, "");
}

/** Words without what stands before them, such as an emoji on a button. */
const bare = (words: string) => words.replace(/^[^\p{L}\p{N}]+/u, "");

/** Whether somebody's draft asks for words now. */
async function isAsked(context: ChatContext): Promise<boolean> {
  const draft = await draftMeant(context, undefined);
  const sheet = draft && sheetOf(draft, context.intake.commands);
  return draft !== undefined && sheet !== undefined && asksForWords(draft, sheet);
}
