import { ownToken } from "../../../src/seam/text/actions.ts";
import type { CommandSpec } from "../../../src/seam/fields.ts";
import { takesFiles } from "../../../src/seam/forms/filling.ts";
import type { Action, NoticeView } from "../../../src/seam/views.ts";
import { step } from "./start.ts";

/** The mark of buttons that make something of the words that they answer. */
export const WORDS = "w";

/** Says what to do instead with what nobody has a use for, and offers what can be made of words alone. */
export function leftoverView(commands: readonly CommandSpec[], words: string): NoticeView {
  const steps = [step("templates", { key: "chat.start.templates" }), step("help", { key: "command.help" })];
  return {
    kind: "notice",
    text: { key: words ? "chat.words" : "chat.what" },
    actions: [...(words ? commands.filter(needsNoFile).map(offer) : []), ...steps],
  };
}

function offer({ name, label }: CommandSpec): Action {
  return { token: ownToken(WORDS, name), label: { key: label }, style: "secondary" };
}

function needsNoFile({ kind, fields }: CommandSpec): boolean {
  return kind === "operation" && !fields.some((field) => field.required && takesFiles(field));
}
