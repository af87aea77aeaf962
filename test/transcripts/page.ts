import type { Shown } from "./actor.ts";
import type { Scene } from "./scenes.ts";
import type { Entry, Transcript } from "./transcript.ts";

/** A scene as the page has it. */
export function chapter({ title, about }: Pick<Scene, "title" | "about">, said: Transcript): string {
  return [`## ${title}`, about, ...said.entries.map((entry) => told(entry, said))].join("\n\n");
}

function told(entry: Entry, said: Transcript): string {
  switch (entry.kind) {
    case "does":
      return `**${entry.who}** ${entry.what}.`;
    case "happens":
      return `_${entry.what}_`;
    case "beside":
      return quoted(`**${entry.who}** sees`, entry.what.split("\n"));
    case "deletes":
      return entry.message.sender === "Reelay"
        ? `**Reelay** deletes message ${said.numberOf(entry.message)}.`
        : `**Reelay** deletes what ${entry.message.sender} wrote.`;
    default:
      return message(entry, said);
  }
}

function message(
  { kind, message: shown }: { readonly kind: Entry["kind"]; readonly message: Shown },
  said: Transcript,
): string {
  const number = said.numberOf(shown);
  const head = kind === "posts" ? `**Reelay**, message ${number}` : `**Reelay** changes message ${number}`;
  const aside = shown.aside === "" ? "" : ` (${shown.aside})`;
  const lines = [
    ...shown.files.map((file) => `[${file}]`),
    ...shown.text.split("\n").filter((line) => line !== ""),
    ...shown.buttons.map((row) => row.map((label) => `\`${label}\``).join(" ")),
  ];
  return quoted(`${head}${aside}`, lines);
}

const quoted = (head: string, lines: readonly string[]) =>
  [`${head}:`, lines.map((line) => `> ${line}`).join("\\\n")].join("\n\n");

/** The page of a platform. */
export function page(platform: string, chapters: readonly string[]): string {
  return `${[head(platform), ...chapters].join("\n\n")}\n`;
}

const head = (platform: string) => `# Conversations on ${platform}

What people do, and what they see then: each message with its buttons under it, later changes of a message under its
number, and only what stays, without steps of progress in between. The tests' own ${platform} noted it down; times and ids
are made up. \`npm test\` has all of these conversations; \`npm run docs:conversations\` writes this page anew.`;
